// What goes when there are too many previews of one kind: of the same roots, for an agent or for a person. What was
// used goes first, then what has expired, then the oldest that an agent could still apply. What waits for a person
// does not go: no flood of previews pushes it out, and where there are too many of those, no more come. An id that
// went leaves a note behind, so that the reason is known for a while; of these, too, there are so many at most.
import { APPROVALS } from '../policy/policy.ts';
import { Fields, readFields, readOrUndefined, SHA256 } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { canonicalJson, parseCanonical, parsedJson } from '../text/canonical-json.ts';

const MOST_REMAINS = 2_000;
const REASONS = ['too old', 'no room', 'done'] as const;

export type GoneReason = (typeof REASONS)[number];

/** What a preview may push out, and is pushed out by. */
export interface PreviewKind {
  readonly roots: string;
  readonly isForPerson: boolean;
}

/** Of one kind. */
export interface PreviewBounds {
  readonly previews: number;
  readonly totalBytes: number;
  readonly previewBytes: number;
}

export const PREVIEW_BOUNDS: PreviewBounds = { previews: 500, totalBytes: 64e6, previewBytes: 16e6 };

interface KeptPreview extends PreviewKind {
  readonly id: string;
  readonly sizeBytes: number;
  readonly since: bigint;
  readonly expiresAt: string;
}

/** The ids of files with this ending. */
export function idsWith(folder: StateFolder, ending: string): readonly string[] {
  return idsIn(folder.names(), ending);
}

/** The same, of names that were read once, at one moment. */
export function idsIn(names: readonly string[], ending: string): readonly string[] {
  return names.flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []));
}

export interface Need {
  readonly kind: PreviewKind;
  readonly newBytes: number;
  readonly now: Date;
  /** Whether a preview was used or rejected; asked for only where somebody has to look. */
  readonly done: () => (id: string) => boolean;
}

/** The previews of one folder. Each is looked at once, for a preview is never written to again. */
export class KeptPreviews {
  readonly #folder: StateFolder;
  #seen: ReadonlyMap<string, KeptPreview> = new Map();

  constructor(folder: StateFolder) {
    this.#folder = folder;
  }

  all(): readonly KeptPreview[] {
    const kept = idsWith(this.#folder, '.json').flatMap(
      (id) => this.#seen.get(id) ?? lookedAt(this.#folder, id) ?? [],
    );
    this.#seen = new Map(kept.map((preview) => [preview.id, preview]));
    return kept;
  }

  /** Makes room for one more preview. Answers the ids that were dropped, and whether that is enough. */
  makeRoom(
    bounds: PreviewBounds,
    { kind, newBytes, now, done }: Need,
  ): { readonly dropped: readonly string[]; readonly isRoom: boolean } {
    const dropped: string[] = [];
    const kept = this.all().filter(
      ({ roots, isForPerson }) => roots === kind.roots && isForPerson === kind.isForPerson,
    );
    let [count, bytes] = [kept.length + 1, kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, newBytes)];
    if (count > bounds.previews || bytes > bounds.totalBytes) {
      // A tenth more than needed, so that not each of many previews has to look for what was used.
      const enough = bounds.previews - Math.floor(bounds.previews / 10);
      const enoughBytes = bounds.totalBytes * 0.9;
      for (const { id, sizeBytes, reason } of inOrder(kept, now, done())) {
        // Once there is a reason to look, everything goes that is worth nothing.
        if (reason === 'no room' && (kind.isForPerson || (count <= enough && bytes <= enoughBytes))) break;
        drop(this.#folder, id, reason, kind.roots);
        dropped.push(id);
        count -= 1;
        bytes -= sizeBytes;
      }
    }
    if (dropped.length > 0) this.#dropRemains();
    return { dropped, isRoom: count <= bounds.previews && bytes <= bounds.totalBytes };
  }

  /** A preview holds the whole text of its files, and need not lie about once it is worth nothing. */
  dropExpired(now: Date): readonly string[] {
    const expired = this.all().filter(({ expiresAt }) => expiresAt <= now.toISOString());
    for (const { id, roots } of expired) drop(this.#folder, id, 'too old', roots);
    this.#dropRemains();
    return expired.map(({ id }) => id);
  }

  #dropRemains(): void {
    const names = this.#folder.names();
    for (const ending of ['.gone', '.used']) dropRemains(this.#folder, names, ending);
  }
}

function inOrder(kept: readonly KeptPreview[], now: Date, isDone: (id: string) => boolean) {
  return kept
    .map((preview) => {
      const isLate = preview.expiresAt <= now.toISOString();
      return { ...preview, reason: isDone(preview.id) ? 'done' : isLate ? 'too old' : 'no room' } as const;
    })
    .sort((a, b) => ORDER[a.reason] - ORDER[b.reason] || (a.since < b.since ? -1 : 1));
}

const ORDER: Readonly<Record<GoneReason, number>> = { done: 0, 'too old': 1, 'no room': 2 };

/** A hint for what to drop; whether a preview may be applied is asked of the preview itself. */
function lookedAt(folder: StateFolder, id: string): KeptPreview | undefined {
  const facts = folder.facts(`${id}.json`);
  // What is no file was not put there by us, and is not ours to remove.
  if (facts?.kind !== 'file') return undefined;
  const line = folder.readFirstLine(`${id}.json`) ?? '';
  const said = readOrUndefined(() => saidIn(parsedJson(line))) ?? NOTHING;
  return { id, sizeBytes: facts.sizeBytes, since: facts.mtimeNs, ...said };
}

type Said = Pick<KeptPreview, 'isForPerson' | 'expiresAt' | 'roots'>;

/** Of what is no preview at all. */
const NOTHING: Said = { isForPerson: false, expiresAt: '', roots: '' };

function saidIn(value: unknown): Said {
  const fields = new Fields(value);
  return {
    isForPerson: fields.oneOf('approval', APPROVALS) === 'human',
    expiresAt: fields.time('expires_at'),
    roots: fields.text('roots', SHA256),
  };
}

/** Why a preview of these roots is no longer kept; undefined where there never was one, or nobody knows any more. */
export function whyGone(folder: StateFolder, id: string, roots: string): GoneReason | undefined {
  const value = parseCanonical(folder.read(`${id}.gone`, 1_000) ?? '');
  const note = readOrUndefined(() =>
    readFields(value, (fields) => {
      fields.version();
      return { reason: fields.oneOf('reason', REASONS), roots: fields.text('roots', SHA256) };
    }),
  );
  return note?.roots === roots ? note.reason : undefined;
}

function drop(folder: StateFolder, id: string, reason: GoneReason, roots: string): void {
  if (folder.remove(`${id}.json`)) folder.put(`${id}.gone`, canonicalJson({ v: 1, reason, roots }));
}

function dropRemains(folder: StateFolder, names: readonly string[], ending: string): void {
  const kept = new Set(idsIn(names, '.json'));
  const ids = idsIn(names, ending).filter((id) => !kept.has(id));
  if (ids.length <= MOST_REMAINS) return;
  const byAge = ids
    .map((id) => ({ id, since: folder.facts(id + ending)?.mtimeNs ?? 0n }))
    .sort((a, b) => (a.since < b.since ? -1 : 1));
  for (const { id } of byAge.slice(0, ids.length - MOST_REMAINS)) folder.remove(id + ending);
}

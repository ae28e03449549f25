// What is removed when there are too many previews of one kind: of the same roots, for an agent or for a person. What was
// applied or rejected goes first, then what has expired, then the oldest that an agent could still apply. What waits for a
// person stays: where there are too many of these, no more are taken. A text goes with the last preview that needs it.
import { type Origin, type Preview, readOrigin } from '../approval/preview.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { APPROVALS } from '../policy/levels.ts';
import { Fields, readOrUndefined, SHA256 } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { isContentId, parsedJson } from '../text/canonical-json.ts';

/** Previews share their bounds with those of the same kind. */
interface PreviewKind {
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

/** The texts of a preview by their hash, with their length in characters. */
export type Texts = ReadonlyMap<string, number>;

export interface KeptPreview extends PreviewKind {
  readonly id: string;
  readonly sizeBytes: number;
  readonly texts: Texts;
  readonly since: bigint;
  readonly expiresAt: string;
  /** The preview that a person chose it from. */
  readonly partOf: string | undefined;
}

export type NewPreview = Omit<KeptPreview, 'since'>;

export interface RoomContext {
  readonly now: Date;
  /** Whether a preview was applied or rejected. */
  readonly isDone: (id: string) => boolean;
  readonly isCurrent: boolean;
}

/** The previews of one folder. Each is read once, for a preview never changes. */
export class KeptPreviews {
  readonly #folder: StateFolder;
  readonly #texts: StateFolder;
  #seen = new Map<string, KeptPreview>();

  constructor(folder: StateFolder, texts: StateFolder) {
    this.#folder = folder;
    this.#texts = texts;
  }

  all(): readonly KeptPreview[] {
    const kept = idsIn(this.#folder.names()).flatMap(
      (id) => this.#seen.get(id) ?? keptPreviewIn(this.#folder, id) ?? [],
    );
    this.#seen = new Map(kept.map((preview) => [preview.id, preview]));
    return kept;
  }

  /** A preview that was saved here: the folder need not be listed to find it. */
  add(preview: KeptPreview): void {
    this.#seen.set(preview.id, preview);
  }

  /** Whether there is room for one more preview. `isCurrent`: nobody else has saved any since the last one was added. */
  makeRoom(bounds: PreviewBounds, next: NewPreview, { now, isDone, isCurrent }: RoomContext): boolean {
    const alike = (preview: KeptPreview) =>
      preview.roots === next.roots && preview.isForPerson === next.isForPerson;
    const hasRoom = (kept: readonly KeptPreview[]) => isWithin(bounds, [...kept, next], 1);
    if (isCurrent && hasRoom([...this.#seen.values()].filter(alike))) return true;
    const all = this.all();
    const kept = all.filter(alike);
    if (hasRoom(kept)) return true;
    const left = new Set(kept);
    for (const { preview, rank } of byRank(kept, now, isDone)) {
      // All that can no longer be applied goes at once, and a tenth more than needed, so that not each of many previews has
      // to look.
      if (rank === 2 && (next.isForPerson || isWithin(bounds, [...left, next], 0.9))) break;
      left.delete(preview);
    }
    this.#drop(
      all,
      kept.filter((preview) => !left.has(preview)),
    );
    return hasRoom([...left]);
  }

  dropExpired(now: Date): void {
    const all = this.all();
    this.#drop(
      all,
      all.filter(({ expiresAt }) => expiresAt <= now.toISOString()),
    );
  }

  #drop(all: readonly KeptPreview[], gone: readonly KeptPreview[]): void {
    for (const { id } of gone) {
      this.#folder.remove(`${id}.json`);
      this.#seen.delete(id);
    }
    const goes = new Set(gone);
    const needed = new Set(all.flatMap((preview) => (goes.has(preview) ? [] : [...preview.texts.keys()])));
    // What cannot be removed takes room, and does nothing else.
    for (const sha of this.#texts.names())
      if (!needed.has(sha)) ignoring('all', () => this.#texts.remove(sha));
  }
}

/** The ids of files with this ending. */
export function idsIn(names: readonly string[], ending = '.json'): readonly string[] {
  return names
    .flatMap((name) => (name.endsWith(ending) ? [name.slice(0, -ending.length)] : []))
    .filter(isContentId);
}

type Sized = Pick<KeptPreview, 'sizeBytes' | 'texts'>;

function isWithin({ previews, totalBytes }: PreviewBounds, kept: readonly Sized[], share: number): boolean {
  if (kept.length > previews * share) return false;
  const texts = new Map(kept.flatMap((preview) => [...preview.texts]));
  const sizes = [...kept.map(({ sizeBytes }) => sizeBytes), ...texts.values()];
  return sizes.reduce((sum, size) => sum + size, 0) <= totalBytes * share;
}

function byRank(kept: readonly KeptPreview[], now: Date, isDone: (id: string) => boolean) {
  return kept
    .map((preview) => {
      const isLate = preview.expiresAt <= now.toISOString();
      return { preview, rank: isDone(preview.id) ? 0 : isLate ? 1 : 2 };
    })
    .sort((a, b) => a.rank - b.rank || (a.preview.since < b.preview.since ? -1 : 1));
}

/** For choosing what to drop; whether a preview may be applied is decided when it is loaded. */
function keptPreviewIn(folder: StateFolder, id: string): KeptPreview | undefined {
  const facts = folder.facts(`${id}.json`);
  // What is no file was not put there by us, and is not ours to remove.
  if (facts?.kind !== 'file') return undefined;
  const line = folder.readFirstLine(`${id}.json`) ?? '';
  const fields = readOrUndefined(() => lineFieldsIn(parsedJson(line))) ?? NO_FIELDS;
  return { id, sizeBytes: facts.sizeBytes, since: facts.mtimeNs, ...fields };
}

type LineFields = Omit<KeptPreview, 'id' | 'sizeBytes' | 'since'>;

/** Of what is no preview at all. */
const NO_FIELDS: LineFields = {
  isForPerson: false,
  expiresAt: '',
  roots: '',
  texts: new Map(),
  partOf: undefined,
};

function lineFieldsIn(value: unknown): LineFields {
  const fields = new Fields(value);
  return {
    isForPerson: fields.oneOf('approval', APPROVALS) === 'human',
    expiresAt: fields.time('expires_at'),
    roots: fields.text('roots', SHA256),
    texts: new Map(fields.list('files', textIn)),
    partOf: partOf(readOrigin(fields.raw('origin'))),
  };
}

function partOf(origin: Origin): string | undefined {
  return origin.kind === 'part' ? origin.of : undefined;
}

/** Throws Malformed. */
export function textIn(file: unknown): readonly [sha256: string, characters: number] {
  const fields = new Fields(file);
  return [fields.text('base_sha256', SHA256), fields.count('base_chars')];
}

/** What a preview counts with, before it is kept. */
export function sizedOf(
  { approval, files, origin }: Pick<Preview, 'approval' | 'files' | 'origin'>,
  line: string,
) {
  return {
    isForPerson: approval === 'human',
    sizeBytes: Buffer.byteLength(line),
    texts: new Map(files.map(({ base, base_sha256 }) => [base_sha256, base.length])),
    partOf: partOf(origin),
  };
}

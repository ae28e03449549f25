// Reads the whole trail and says whether every record is there, unchanged and in its place; if not, which is
// the first that is not, and how. It does NOT notice a trail that somebody rewrote from the start: for
// that, compare its head with one that the log says, kept elsewhere.

import { ignoring } from '../errors/io-refusal.ts';
import { Fields, readOrUndefined } from '../records/fields.ts';
import type { StateFolder } from '../records/state-folder.ts';
import { canonicalJson, sha256Hex } from '../text/canonical-json.ts';
import { ChainReader } from './chain-reader.ts';
import { type PreviewFacts, TrailFacts, type TrailRecord } from './facts.ts';
import { GENESIS, isNoted, linkOf, readHead, trailName, trailNumbers, wholeLines } from './record.ts';

type Damage =
  | 'edited'
  | 'dropped'
  | 'reordered'
  | 'tail cut'
  | 'head mismatch'
  | 'file missing'
  // Where the chain is whole: a change is kept of which it has no record, or a preview was applied twice.
  | 'commit missing'
  | 'applied twice'
  // A preview was applied that somebody had rejected, or that a person should have approved and nobody had.
  | 'applied though rejected'
  | 'applied without approval'
  // The checkpoint that a server starts from differs from the records before it.
  | 'checkpoint edited';

export interface TrailVerdict {
  readonly isWhole: boolean;
  /** Whole records, as far as the chain holds. */
  readonly records: number;
  /** Of the last of them. */
  readonly sha256: string;
  readonly damage?: {
    readonly how: Damage;
    readonly seq: number;
    readonly file: string;
    readonly line: number;
  };
  /** No damage, but worth knowing. */
  readonly notes: readonly string[];
}

const MOST_FILE_BYTES = 64_000_000;

interface Line {
  readonly file: string;
  readonly line: number;
}

/** The changes that are kept as finished. Listed before the trail is read, for each has its record in it by then. */
export interface FinishedChanges {
  readonly ids: readonly string[];
  /** Whether what is kept is what the id names. */
  readonly isWhole: (id: string) => boolean;
  /** Whether it is whole and was made from a preview: a power cut may take all records of any other. */
  readonly isOfPreview: (id: string) => boolean;
  /** The ids of the previews that are kept: a checkpoint must have all facts about them. */
  readonly previews: readonly string[];
}

export function verifyTrail(folder: StateFolder, finished?: FinishedChanges): TrailVerdict {
  const commits = new Commits();
  const facts = new TrailFacts();
  // As a server that starts now reads it. Damage of the chain itself is found below.
  const started = new ChainReader(folder);
  ignoring('all', () => started.readOn());
  let isCheckpointTrue = true;
  const notes: string[] = [];
  let last: { readonly seq: number; readonly sha256: string } = GENESIS;
  let before: Line | undefined;
  let lastDurable = 0;
  const verdict = (how?: Damage, seq = 0, at?: Line): TrailVerdict => ({
    isWhole: how === undefined,
    records: last.seq,
    sha256: last.sha256,
    notes,
    ...(how === undefined ? {} : { damage: { how, seq, file: at?.file ?? '', line: at?.line ?? 0 } }),
  });
  for (const [index, number] of trailNumbers(folder).entries()) {
    const file = trailName(number);
    const place = { file, line: 0 };
    if (number !== index + 1)
      return verdict('file missing', last.seq + 1, { ...place, file: trailName(index + 1) });
    const text = folder.read(file, MOST_FILE_BYTES);
    if (text === undefined) return verdict('file missing', last.seq + 1, place);
    const lines = wholeLines(text);
    for (const [position, line] of lines.entries()) {
      const here = { file, line: position + 1 };
      const link = linkOf(line);
      if (link === undefined) return verdict('edited', last.seq + 1, here);
      if (link.seq !== last.seq + 1) {
        const isLater = lines.some((other) => linkOf(other)?.seq === last.seq + 1);
        return verdict(link.seq <= last.seq || isLater ? 'reordered' : 'dropped', last.seq + 1, here);
      }
      // The record before this one is not the one that its hash names.
      if (link.prev !== last.sha256) return verdict('edited', Math.max(last.seq, 1), before ?? here);
      last = { seq: link.seq, sha256: sha256Hex(line) };
      before = here;
      const record: TrailRecord = JSON.parse(line);
      commits.note(record, facts, last.seq, here);
      facts.note(record);
      if (last.seq === started.end.seq) isCheckpointTrue = isAlike(facts, started.facts, finished);
      if (!isNoted(record)) lastDurable = last.seq;
    }
    if (text !== '' && (!text.endsWith('\n') || text.includes('\0')))
      notes.push(`${file} ends with an unfinished record: its process was killed, or the power failed`);
  }
  // The first record of a trail is durable, whatever it is.
  const mustBeThere = last.seq === 0 ? finished?.isWhole : finished?.isOfPreview;
  const isMissed =
    finished?.ids.some((id) => !commits.changes.has(id) && mustBeThere?.(id) === true) === true;
  if (last.seq === 0 && isMissed) return verdict('file missing', 1, { file: trailName(1), line: 0 });
  const found = againstHead(folder, { ...last, lastDurable }, notes, (how) => verdict(how, last.seq, before));
  if (!found.isWhole) return found;
  if (isMissed) return verdict('commit missing', last.seq + 1, before);
  const { wrong } = commits;
  if (wrong !== undefined) return verdict(wrong.how, wrong.seq, wrong.at);
  return isCheckpointTrue ? found : verdict('checkpoint edited', last.seq, before);
}

/** As far as it is about what is kept. */
function isAlike(one: TrailFacts, other: TrailFacts, kept: FinishedChanges | undefined): boolean {
  // Later than any time: only of what is kept.
  const ids = { previews: new Set(kept?.previews), changes: new Set(kept?.ids), at: '~' };
  const said = (facts: TrailFacts) => [...facts.records(ids)].map(canonicalJson).sort().join('\n');
  return said(one) === said(other);
}

/** Which changes the records say were made, and the first that should not have been. */
class Commits {
  readonly changes = new Set<string>();
  readonly #applied = new Map<string, string>();
  /** By the id of a part: the preview that it is a part of. */
  readonly #wholes = new Map<string, string>();
  wrong: { readonly how: Damage; readonly seq: number; readonly at: Line } | undefined;

  /** `before`: what follows from all records before this one. */
  note(record: TrailRecord, before: TrailFacts, seq: number, at: Line): void {
    const { action, change_id: change, preview, outcome } = record;
    if (action === 'part') this.#wholes.set(partIn(record), String(preview));
    // Any other record only repeats an id that an agent sent.
    if (typeof change !== 'string' || (action !== 'commit' && action !== 'recover')) return;
    this.changes.add(change);
    if (typeof preview !== 'string' || (outcome !== 'applied' && outcome !== 'intent')) return;
    // A decision counts where it was recorded before the change began.
    if (before.ofChange(change)?.preview !== preview) {
      const whole = before.ofPreview(this.#wholes.get(preview) ?? preview);
      const how = forbidden(record, before.ofPreview(preview), whole);
      if (how !== undefined) this.wrong ??= { how, seq, at };
    }
    if (outcome === 'intent') return;
    if ((this.#applied.get(preview) ?? change) !== change) this.wrong ??= { how: 'applied twice', seq, at };
    this.#applied.set(preview, change);
  }
}

/** Why nothing could follow from these decisions. Whether an approval is genuine, its signature says. */
function forbidden(
  record: TrailRecord,
  { decisions, rejectedBy }: PreviewFacts,
  whole: PreviewFacts,
): Damage | undefined {
  if ((rejectedBy ?? whole.rejectedBy) !== undefined) return 'applied though rejected';
  const isApproved = [...decisions.values()].some(({ action }) => action === 'approve');
  return record['confirmed_by'] === 'human' && !isApproved ? 'applied without approval' : undefined;
}

/** Of a record of `part`; empty where it names none. */
function partIn({ signed }: TrailRecord): string {
  const part = readOrUndefined(() => new Fields(new Fields(signed).raw('decision')).text('part'));
  return part ?? '';
}

function againstHead(
  folder: StateFolder,
  last: { readonly seq: number; readonly sha256: string; readonly lastDurable: number },
  notes: string[],
  verdict: (how?: Damage) => TrailVerdict,
): TrailVerdict {
  const head = readHead(folder);
  if (head === 'unreadable') return verdict('head mismatch');
  const { seq, sha256 } = head ?? GENESIS;
  if (seq > last.seq) return verdict('tail cut');
  if (seq === last.seq) return verdict(sha256 === last.sha256 ? undefined : 'edited');
  if (head === undefined) return verdict('head mismatch');
  // Records that were only noted may stand behind the head.
  if (last.lastDurable > seq)
    notes.push(`the head is behind by ${last.lastDurable - seq}: a process was killed while it wrote`);
  return verdict();
}

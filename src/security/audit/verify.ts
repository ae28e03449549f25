// Verifies the whole trail: every event must be there, unchanged and in its place, and what it says must have been allowed.
// A trail that was rewritten from the start is not detected. To detect that, compare its end with one in a log that is kept
// elsewhere.
import {
  decodeEvent,
  type Event,
  GENESIS,
  isNextRow,
  type Store,
  type TrailPoint,
  trailPages,
} from '../../state/index.ts';

type Damage =
  | 'edited'
  | 'missing'
  // The chain is whole in the cases below, but records something that must not happen.
  | 'applied twice'
  | 'applied though rejected'
  | 'applied without approval'
  | 'ended twice'
  | 'change missing';

export interface TrailVerdict {
  readonly isWhole: boolean;
  /** The number of whole records before the first damage. */
  readonly records: number;
  /** The hash of the last whole record. */
  readonly sha256: string;
  readonly damage?: { readonly how: Damage; readonly seq: number };
}

/**
 * Verifies the trail. `isGenuine` says whether a reviewer signed a decision; without it, signatures are not checked. `progress`
 * is called with the number of records that were read.
 */
export async function verifyTrail(
  store: Store,
  isGenuine: (signed: unknown) => boolean = () => true,
  progress: (records: number) => void = () => undefined,
): Promise<TrailVerdict> {
  const rules = new RuleCheck(isGenuine);
  let last: TrailPoint = GENESIS;
  const verdict = (how?: Damage, seq = last.seq): TrailVerdict => ({
    isWhole: how === undefined,
    records: last.seq,
    sha256: last.sha256,
    ...(how === undefined ? {} : { damage: { how, seq } }),
  });
  for await (const rows of trailPages(store)) {
    for (const row of rows) {
      if (row.seq !== last.seq + 1) return verdict('missing', last.seq + 1);
      const event = isNextRow(row, last) ? decodeEvent(row.body) : undefined;
      if (event === undefined) return verdict('edited', row.seq);
      last = { seq: row.seq, sha256: row.sha256 };
      rules.check(event, row.seq);
    }
    progress(last.seq);
  }
  const { violation } = rules;
  if (violation !== undefined) return verdict(violation.how, violation.seq);
  const unrecorded = await store.unrecorded();
  return unrecorded.length === 0 ? verdict() : verdict('change missing', last.seq + 1);
}

/** Checks the events in their order against the rules for previews. It keeps the first violation. */
class RuleCheck {
  readonly #isGenuine: (signed: unknown) => boolean;
  /** The previews whose write was begun, and not rolled back since. */
  readonly #begun = new Set<string>();
  /** The previews whose write has ended. */
  readonly #ended = new Set<string>();
  readonly #rejected = new Set<string>();
  readonly #approved = new Set<string>();
  /** The first violation; undefined while there is none. */
  violation: { readonly how: Damage; readonly seq: number } | undefined;

  constructor(isGenuine: (signed: unknown) => boolean) {
    this.#isGenuine = isGenuine;
  }

  check({ type, about, confirmed_by, signed }: Event, seq: number): void {
    if (about === undefined) return;
    if (type === 'rejected') this.#rejected.add(about);
    if (type === 'approved' && this.#isGenuine(signed)) this.#approved.add(about);
    if (type === 'begun') this.#begin(about, confirmed_by === 'human', seq);
    if (type !== 'applied' && type !== 'unknown' && type !== 'rolled_back') return;
    if (this.#ended.has(about)) this.#note('ended twice', seq);
    this.#ended.add(about);
    if (type === 'rolled_back') this.#begun.delete(about);
  }

  #begin(about: string, needsApproval: boolean, seq: number): void {
    if (this.#begun.has(about)) this.#note('applied twice', seq);
    if (this.#rejected.has(about)) this.#note('applied though rejected', seq);
    if (needsApproval && !this.#approved.has(about)) this.#note('applied without approval', seq);
    this.#begun.add(about);
    this.#ended.delete(about);
  }

  #note(how: Damage, seq: number): void {
    this.violation ??= { how, seq };
  }
}

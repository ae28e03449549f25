// Verifies the whole trail: every record must be there, unchanged and in its place, and what it records must have been allowed.
// A trail that was rewritten from the start is not detected. To detect that, compare its end with one in a log that is kept
// elsewhere.
import {
  decodeTrailRecord,
  GENESIS,
  isNextRow,
  type StateStore,
  type TrailPoint,
  type TrailRecord,
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
  store: StateStore,
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
      const record = isNextRow(row, last) ? decodeTrailRecord(row.record) : undefined;
      if (record === undefined) return verdict('edited', row.seq);
      last = { seq: row.seq, sha256: row.sha256 };
      rules.check(record, row.seq);
    }
    progress(last.seq);
  }
  const { violation } = rules;
  if (violation !== undefined) return verdict(violation.how, violation.seq);
  const unrecorded = await store.unrecordedChanges();
  return unrecorded.length === 0 ? verdict() : verdict('change missing', last.seq + 1);
}

/** Checks the records in their order against the rules for previews and changes. It keeps the first violation. */
class RuleCheck {
  readonly #isGenuine: (signed: unknown) => boolean;
  /** The change that has claimed a preview, by the preview's id. */
  readonly #claims = new Map<string, string>();
  /** The changes whose end is in the trail. */
  readonly #ended = new Set<string>();
  readonly #rejected = new Set<string>();
  readonly #approved = new Set<string>();
  /** The first violation; undefined while there is none. */
  violation: { readonly how: Damage; readonly seq: number } | undefined;

  constructor(isGenuine: (signed: unknown) => boolean) {
    this.#isGenuine = isGenuine;
  }

  check(
    { action, outcome, preview, change_id: change, confirmed_by, signed }: TrailRecord,
    seq: number,
  ): void {
    if (action === 'reject' && preview !== undefined) this.#rejected.add(preview);
    if (action === 'approve' && preview !== undefined && this.#isGenuine(signed)) this.#approved.add(preview);
    if (change === undefined) return;
    if (outcome === 'applied' || outcome === 'unknown' || outcome === 'rolled_back') {
      if (this.#ended.has(change)) this.#note('ended twice', seq);
      this.#ended.add(change);
    }
    if (outcome === 'rolled_back') {
      if (preview !== undefined && this.#claims.get(preview) === change) this.#claims.delete(preview);
      return;
    }
    if (action !== 'commit' || outcome !== 'intent') return;
    if (preview === undefined) return;
    if (this.#claims.has(preview)) this.#note('applied twice', seq);
    if (this.#rejected.has(preview)) this.#note('applied though rejected', seq);
    if (confirmed_by === 'human' && !this.#approved.has(preview)) this.#note('applied without approval', seq);
    this.#claims.set(preview, change);
  }

  #note(how: Damage, seq: number): void {
    this.violation ??= { how, seq };
  }
}

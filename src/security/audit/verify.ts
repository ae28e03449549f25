// Verifies the whole trail: every event must be there, unchanged and in its place, and what it says must have been allowed.
// A trail that was rewritten from the start is not detected. To detect that, compare its end with one in a log that is kept
// elsewhere.
import { canonicalJson, sha256Hex } from '../../state/canonical.ts';
import type { Event, TrailPoint } from '../../state/event.ts';
import type { Store } from '../../state/store.ts';
import { GENESIS, isNextRow, trailPages } from '../../state/trail.ts';

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
 * Verifies the trail. `signedAt` returns the end of the trail that an approval was signed for, if it was signed as it is recorded;
 * without it, signatures are not checked. `progress` is called with the number of records that were read.
 */
export async function verifyTrail(
  store: Store,
  signedAt?: (approval: Event) => TrailPoint | undefined,
  progress: (records: number) => void = () => undefined,
): Promise<TrailVerdict> {
  const rules = new RuleCheck();
  let last: TrailPoint = GENESIS;
  const verdict = (how?: Damage, seq = last.seq): TrailVerdict => ({
    isWhole: how === undefined,
    records: last.seq,
    sha256: last.sha256,
    ...(how === undefined ? {} : { damage: { how, seq } }),
  });
  const signedSeq = async (event: Event, before: TrailPoint): Promise<number> => {
    if (event.type !== 'approved' || signedAt === undefined) return before.seq;
    const point = signedAt(event);
    const isGenuine = point !== undefined && point.seq <= before.seq && (await store.holds(point));
    return isGenuine ? point.seq : -1;
  };
  for await (const rows of trailPages(store)) {
    for (const row of rows) {
      if (row.seq !== last.seq + 1) return verdict('missing', last.seq + 1);
      const { event } = row;
      if (event === undefined || !isNextRow(row, last)) return verdict('edited', row.seq);
      const signed = await signedSeq(event, last);
      last = { seq: row.seq, sha256: row.sha256 };
      rules.check(event, last.seq, signed);
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
  /** The previews that a reviewer has to sign. */
  readonly #isForPerson = new Set<string>();
  /** The previews whose write was begun, and not rolled back since. */
  readonly #begun = new Set<string>();
  /** The previews whose write has ended. */
  readonly #ended = new Set<string>();
  readonly #rejected = new Set<string>();
  /** The approvals that were signed: preview, files and reviewer. */
  readonly #approved = new Set<string>();
  /** The number of the last event by which a reviewer kept a part; no approval of the whole from before counts. */
  readonly #splitAt = new Map<string, number>();
  /** The first violation; undefined while there is none. */
  violation: { readonly how: Damage; readonly seq: number } | undefined;

  /** `signedAt` is the number of the last event that the signature of an approval covers; negative if it is not genuine. */
  check(event: Event, seq: number, signedAt: number): void {
    const { type, about, expires_at: until } = event;
    if (about === undefined) return;
    if (type === 'previewed' && until !== undefined) this.#isForPerson.add(about);
    if (type === 'rejected') this.#rejected.add(about);
    if (type === 'split') this.#splitAt.set(about, seq);
    if (type === 'approved' && signedAt >= (this.#splitAt.get(about) ?? 0))
      this.#approved.add(this.#approvalOf(event, event.reviewer));
    if (type === 'begun') this.#begin(about, event, seq);
    if (type !== 'applied' && type !== 'unknown' && type !== 'rolled_back') return;
    if (this.#ended.has(about)) this.#note('ended twice', seq);
    this.#ended.add(about);
    if (type === 'rolled_back') this.#begun.delete(about);
  }

  #begin(about: string, begun: Event, seq: number): void {
    if (this.#begun.has(about)) this.#note('applied twice', seq);
    if (this.#rejected.has(about)) this.#note('applied though rejected', seq);
    const isByPerson = begun.confirmed_by === 'human';
    const names = isByPerson ? (begun.reviewer ?? '').split(', ') : [];
    const areAllSigned = names.every((name) => this.#approved.has(this.#approvalOf(begun, name)));
    if (!areAllSigned || (!isByPerson && this.#isForPerson.has(about)))
      this.#note('applied without approval', seq);
    this.#begun.add(about);
    this.#ended.delete(about);
  }

  /** Names an approval of what the event says about the files, since the last part was kept. */
  #approvalOf({ about = '', files }: Event, reviewer: string | undefined): string {
    return sha256Hex(canonicalJson({ about, files, reviewer, splitAt: this.#splitAt.get(about) }));
  }

  #note(how: Damage, seq: number): void {
    this.violation ??= { how, seq };
  }
}

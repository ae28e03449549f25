// Copies a state into an empty one of either engine, and proves that both are equal. It checks the chain of the trail, the id of each
// record and the hash of each text, and compares a hash over all of them on both sides.
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { GENESIS, isNextRow } from './chain.ts';
import { StateFault } from './fault.ts';
import type { TrailPoint } from './records/values.ts';
import type { KeptRow, StateStore } from './store.ts';

export interface CopiedState {
  readonly head: TrailPoint;
  readonly records: number;
  readonly previews: number;
  readonly changes: number;
}

/**
 * Copies the state. `progress` is called with the number of rows that were read, first for the source and then for the copy. Throws
 * StateFault where the state is damaged or was written to meanwhile, and a plain Error for a target that is not empty.
 */
export async function copyState(
  from: StateStore,
  to: StateStore,
  progress: (rows: number) => void = () => undefined,
): Promise<CopiedState> {
  const before = await from.head();
  const sent = new Digest(progress);
  await to.copyFrom(from, digested(from, before, sent));
  const arrived = new Digest(progress);
  for await (const rows of to.rows()) arrived.add(rows);
  if (sent.value() !== arrived.value()) throw new StateFault('damaged');
  return { ...arrived.counts, head: arrived.head };
}

/** Yields the rows and adds them to the digest. Throws at the end where the state was written to meanwhile. */
async function* digested(
  from: StateStore,
  before: TrailPoint,
  digest: Digest,
): AsyncIterable<readonly KeptRow[]> {
  for await (const rows of from.rows()) {
    digest.add(rows);
    yield rows;
  }
  const { seq, sha256 } = await from.head();
  const isSame = seq === before.seq && sha256 === before.sha256;
  if (!isSame || digest.head.sha256 !== sha256) throw new StateFault(isSame ? 'damaged' : 'busy');
}

/** A digest of all rows of a state, in their order. */
class Digest {
  readonly #hash = createHash('sha256');
  readonly #progress: (rows: number) => void;
  #rows = 0;
  readonly counts = { records: 0, previews: 0, changes: 0 };
  head: TrailPoint = GENESIS;

  constructor(progress: (rows: number) => void) {
    this.#progress = progress;
  }

  add(rows: readonly KeptRow[]): void {
    this.#rows += rows.length;
    this.#progress(this.#rows);
    for (const kept of rows) {
      this.#count(kept);
      this.#hash.update(`${canonicalJson(hashedParts(kept))}\n`);
    }
  }

  #count(kept: KeptRow): void {
    if (kept.kind === 'preview') this.counts.previews += 1;
    if (kept.kind === 'change') this.counts.changes += 1;
    if (kept.kind !== 'trail') return;
    if (!isNextRow(kept.row, this.head)) throw new StateFault('damaged');
    this.head = { seq: kept.row.seq, sha256: kept.row.sha256 };
    this.counts.records += 1;
  }

  value(): string {
    return this.#hash.digest('hex');
  }
}

/** Answers the parts of a row that are hashed. Texts are represented by their hashes, which were verified when they were read. */
function hashedParts(kept: KeptRow): unknown {
  if (kept.kind === 'trail') return [kept.row.seq, kept.row.sha256];
  const { id, texts } = kept.record;
  const rest = kept.kind === 'change' ? [kept.record.exact ?? null, kept.record.ended ?? null] : [];
  return [kept.kind, id, [...texts.keys()].sort(), ...rest];
}

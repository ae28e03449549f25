// Where the cases of the suite run: one state behind one of the engines, and the few steps that most cases take.
import { expect } from 'vitest';
import type { TrailPoint } from '../../src/state/event.ts';
import { type EncodedPreview, encodePreview } from '../../src/state/preview.ts';
import type { Begun, Claim, Store } from '../../src/state/store.ts';
import { GENESIS, isNextRow } from '../../src/state/trail.ts';
import { BOUNDS, begun, draft, event } from './events.mjs';

export interface Ground {
  /** Opens the state once more, as another process would; in memory there is one. */
  open(): Promise<Store>;
  /** With the rights to erase. */
  openAsOwner(): Promise<Store>;
  /** Tampers with it, past the store. Undefined where nobody else gets at it. */
  readonly tamper: ((sql: string) => Promise<void>) | undefined;
  /** Holds the lock that writers need, until the result is called. */
  holdLock(): Promise<() => Promise<void>>;
  /** True if this text stands in a file of the state, in a row or out of it. Undefined where it has none. */
  readonly filesHold: ((text: string) => Promise<boolean>) | undefined;
  end(): Promise<void>;
}

export interface Keeping {
  readonly bounds?: typeof BOUNDS;
  readonly now?: number;
  /** The id of the preview that it takes the place of. */
  readonly joins?: string;
}

/** Keeps a preview, and returns it whether or not there was room. */
export async function keep(
  store: Store,
  fields: Parameters<typeof draft>[0] = {},
  { bounds = BOUNDS, now = 0, joins }: Keeping = {},
): Promise<EncodedPreview & { readonly answer: 'kept' | 'no room' | 'gone' }> {
  const preview = await encodePreview(draft(fields));
  const joined = joins === undefined ? undefined : event('joined', joins, { by: preview.id });
  const previewed = event('previewed', preview.id, { time: now });
  return { ...preview, answer: await store.keep(preview, previewed, { bounds, joins: joined }) };
}

/** Begins to apply this preview. */
export function begin(store: Store, id: string, claim: Partial<Claim> = {}): Promise<Begun> {
  return store.begin(begun(id), { decidedAt: 0, ...claim });
}

/** Begins a write that nobody was shown before, and returns its id. */
export async function beginDirect(
  store: Store,
  fields: Parameters<typeof draft>[0] = {},
): Promise<EncodedPreview> {
  const direct = await encodePreview(draft(fields));
  const { files, origin } = direct.preview;
  const said = { texts: files.map(({ file }) => file), origin };
  expect(await store.begin(begun(direct.id, said), { decidedAt: 0 }, direct)).toMatchObject({
    state: 'begun',
  });
  return direct;
}

export async function applyDirect(store: Store, fields: Parameters<typeof draft>[0] = {}): Promise<string> {
  const { id } = await beginDirect(store, fields);
  await store.end(event('applied', id));
  return id;
}

export function isFault(kind: string): object {
  return { name: 'StateFault', kind };
}

/** Reads all of the trail; throws with the number of the first row that does not follow. */
export async function requireWhole(store: Store): Promise<TrailPoint> {
  let last: TrailPoint = GENESIS;
  for (;;) {
    const rows = await store.trailAfter(last.seq, 1_000);
    for (const row of rows) {
      if (!isNextRow(row, last)) throw new Error(`row ${row.seq} does not follow row ${last.seq}`);
      last = row;
    }
    if (rows.length === 0) return { seq: last.seq, sha256: last.sha256 };
  }
}

// Where the cases of the suite run: one state behind one of the engines, and the few steps that most cases take.
import type { Begun, Claim, StateStore, TrailPoint } from '../../src/state/index.ts';
import { type EncodedRecord, type ExactFile, encodeRecord } from '../../src/state/index.ts';
import { at, changeDraft, committed, previewDraft, proposed, replacing } from './records.mjs';

export interface Ground {
  /** Opens the state once more, as another process would; in memory there is one. */
  open(): Promise<StateStore>;
  /** With the rights to erase. */
  openAsOwner(): Promise<StateStore>;
  /** Tampers with it, past the engine's operations. Undefined where nobody else gets at it. */
  readonly tamper: ((sql: string) => Promise<void>) | undefined;
  /** A later version of this program changes the schema. */
  makeNewer(): Promise<void>;
  /** Holds the lock that writers need, until the answer is called. */
  holdLock(): Promise<() => Promise<void>>;
  /** Whether this text stands in a file of the state, in a record or out of it. Undefined where it has none. */
  readonly filesHold: ((text: string) => Promise<boolean>) | undefined;
  end(): Promise<void>;
}

export const BOUNDS = { previews: 500, totalBytes: 64e6 };

export interface KeepOptions {
  readonly bounds?: typeof BOUNDS;
  readonly now?: number;
  readonly replaces?: string;
}

/** Keeps a preview, and answers it whether or not there was room. */
export async function keep(
  store: StateStore,
  fields: Parameters<typeof previewDraft>[0] = {},
  { bounds = BOUNDS, now = 0, replaces }: KeepOptions = {},
): Promise<EncodedRecord & { readonly answer: 'kept' | 'no room' | 'gone' }> {
  const preview = encodeRecord(previewDraft(fields));
  const instead =
    replaces === undefined ? undefined : { id: replaces, record: replacing(replaces, preview.id) };
  const kept = { ...preview, bounds, now: at(now), replaces: instead };
  const answer = await store.keepPreview(kept, proposed(preview.id, now));
  return { ...preview, answer };
}

export interface Beginning {
  readonly change: EncodedRecord;
  readonly begun: Begun;
  end(outcome: 'applied' | 'rolled_back' | 'unknown'): Promise<TrailPoint>;
}

/** Begins a change of this preview, or a direct one. */
export async function begin(
  store: StateStore,
  preview?: string,
  {
    claim = {},
    exact = [],
    ...fields
  }: Parameters<typeof changeDraft>[0] & { claim?: Partial<Claim>; exact?: readonly ExactFile[] } = {},
): Promise<Beginning> {
  const change = encodeRecord(changeDraft(preview === undefined ? fields : { preview, ...fields }));
  const whole = preview && { preview, whole: undefined, decidedAt: 0, ...claim };
  const begun = await store.beginChange(
    { ...change, exact },
    committed(change.id, 'intent', preview),
    whole === '' ? undefined : whole,
  );
  return {
    ...{ change, begun },
    end: (outcome) => store.endChange(change.id, committed(change.id, outcome, preview)),
  };
}

// Three reviewers, ann, bob and cat, and what they decide about previews: signed for its place in the trail, or not as it should be.
import { createPublicKey } from 'node:crypto';
import {
  type ApprovalNeed,
  Decisions,
  makeReviewerKey,
  type ReviewerKey,
  signDecision,
} from '../../../src/security/index.ts';
import type {
  Decision,
  SignedDecision,
  StateStore,
  TrailPoint,
  TrailRecord,
} from '../../../src/state/index.ts';
import { STATED } from '../../harness/signed.ts';
import { trailRecord } from '../../harness/state.ts';
import { AT, opened } from './ground.ts';

interface Manner {
  readonly by?: 'ann' | 'bob' | 'cat';
  readonly at?: string;
  readonly note?: string;
  readonly part?: string;
  /** Of whoever says it, where there is no other. */
  readonly key?: ReviewerKey;
  /** The end of the trail that it is signed for, where it is not the true one. */
  readonly place?: (end: TrailPoint) => TrailPoint;
  readonly isSigned?: boolean;
  /** What the record says, where that is not what was signed. */
  readonly recorded?: { readonly action?: string; readonly preview?: string; readonly reviewer?: string };
  readonly store?: StateStore;
}

const same = (end: TrailPoint) => end;

/** `needs`: what each of them is shown. */
export function reviewing(needs: readonly ApprovalNeed[] = []) {
  const all = opened();
  const { ann, log } = all;
  const [bob, cat] = [makeReviewerKey('bob').key, makeReviewerKey('cat').key];
  const everybody = [
    ...all.reviewers,
    { name: 'bob', id: bob.id, publicKey: createPublicKey(bob.privateKey), principals: ['bob@example.org'] },
    { name: 'cat', id: cat.id, publicKey: createPublicKey(cat.privateKey), principals: ['cat@example.org'] },
  ];
  let listed = everybody;
  const decisionsIn = (store: StateStore) => new Decisions({ store, reviewers: () => listed, log });
  const append = (record: Omit<TrailRecord, 'time' | 'files'>, store = all.store) =>
    store.append([trailRecord(record)], true);
  return {
    ...{ ...all, bob, reviewers: everybody, decisions: decisionsIn(all.store), decisionsIn, append },
    /** What ann would have signed, whatever it is. */
    record: async (action: string, preview: string, signed: unknown, store = all.store) => {
      const record: TrailRecord = trailRecord({ action, outcome: 'kept', preview, reviewer: 'ann' });
      await store.append([Object.assign({ ...record }, signed === undefined ? {} : { signed })], true);
    },
    /** Only those are on the list from now on. */
    list: (...names: readonly string[]) => {
      listed = everybody.filter(({ name }) => names.includes(name));
    },
    /** Answers what was signed. */
    say: async (
      decision: Decision['decision'],
      preview: string,
      manner: Manner = {},
    ): Promise<SignedDecision> => {
      const {
        by: reviewer = 'ann',
        at = AT,
        isSigned = true,
        place = same,
        store = all.store,
        ...more
      } = manner;
      const { key = { ann, bob, cat }[reviewer], recorded, ...said } = more;
      const trail = place(await store.head());
      const signed = signDecision(
        { v: 1, preview, decision, reviewer, at, ...said, trail },
        { ...STATED, needs },
        key,
      );
      const record = trailRecord({ action: decision, outcome: 'kept', preview, reviewer, ...recorded });
      await store.append([isSigned ? { ...record, signed } : record], true);
      return signed;
    },
    /** The events of a level. */
    events: (level: string) =>
      all.here.logged().flatMap((line) => (line['level'] === level ? [line['event']] : [])),
  };
}

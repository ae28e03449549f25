// Three reviewers, ann, bob and cat, and what they decide about previews: signed for its place in the trail, or not as it should be.
import { createPublicKey } from 'node:crypto';
import {
  type ApprovalNeed,
  Decisions,
  makeReviewerKey,
  type ReviewerKey,
  signDecision,
} from '../../../src/security/index.ts';
import type { Decision } from '../../../src/state/index.ts';
import { STATED } from '../../harness/signed.ts';
import { trailRecord } from '../../harness/state.ts';
import { AT, opened } from './ground.ts';

interface Manner {
  readonly by?: 'ann' | 'bob' | 'cat';
  readonly part?: string;
  /** Of whoever says it, where there is no other. */
  readonly key?: ReviewerKey;
  readonly isSigned?: boolean;
  /** What the record says, where that is not what was signed. */
  readonly recorded?: { readonly preview?: string };
}

/** `needs`: what each of them is shown. */
export function reviewing(needs: readonly ApprovalNeed[] = []) {
  const { ann, log, store, ...ground } = opened();
  const [bob, cat] = [makeReviewerKey('bob').key, makeReviewerKey('cat').key];
  const everybody = [
    ...ground.reviewers,
    { name: 'bob', id: bob.id, publicKey: createPublicKey(bob.privateKey), principals: ['bob@example.org'] },
    { name: 'cat', id: cat.id, publicKey: createPublicKey(cat.privateKey), principals: ['cat@example.org'] },
  ];
  let listed = everybody;
  return {
    ...{ ann, bob, cat, decisions: new Decisions({ store, reviewers: () => listed, log }) },
    /** Only those are on the list from now on. */
    list: (...names: readonly string[]) => {
      listed = everybody.filter(({ name }) => names.includes(name));
    },
    say: async (decision: Decision['decision'], preview: string, manner: Manner = {}): Promise<void> => {
      const { by: reviewer = 'ann', isSigned = true, recorded, key, ...said } = manner;
      const trail = await store.head();
      const signer = key ?? { ann, bob, cat }[reviewer];
      const whole = { v: 1, preview, decision, reviewer, at: AT, ...said, trail } as const;
      const signed = signDecision(whole, { ...STATED, needs }, signer);
      const record = trailRecord({ action: decision, outcome: 'kept', preview, reviewer, ...recorded });
      await store.append([isSigned ? { ...record, signed } : record], true);
    },
  };
}

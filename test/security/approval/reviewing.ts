// Three reviewers, ann, bob and cat, and what they decide about previews: signed for its place in the trail, or not as it should be.
import { createPublicKey } from 'node:crypto';
import {
  type ApprovalNeed,
  Decisions,
  makeReviewerKey,
  RECORDED_AS,
  type ReviewerKey,
  signDecision,
} from '../../../src/security/index.ts';
import type { Decision } from '../../../src/state/index.ts';
import { STATED } from '../../harness/signed.ts';
import { eventNow } from '../../harness/state.ts';
import { AT, opened } from './ground.ts';

interface Manner {
  readonly by?: 'ann' | 'bob' | 'cat';
  /** Of whoever says it, where there is no other. */
  readonly key?: ReviewerKey;
  readonly isSigned?: boolean;
  /** What the record says, where that is not what was signed. */
  readonly recorded?: { readonly about?: string };
}

/** `needs`: what each of them is shown. */
export async function reviewing(needs: readonly ApprovalNeed[] = []) {
  const { ann, log, store, ...ground } = await opened();
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
      const type = RECORDED_AS[decision];
      const record = eventNow({ type, about: preview, reviewer, ...recorded });
      await store.append([isSigned ? { ...record, signed } : record], true);
    },
  };
}

// Two reviewers, ann and bob, who say what they think of a preview: recorded, kept, or both, as it should be.
import { createPublicKey } from 'node:crypto';
import type { Decision } from '../../../src/security/approval/decision.ts';
import { DecisionStore, makeReviewerKey, signDecision } from '../../../src/security/index.ts';
import { AT, opened } from '../store/ground.ts';

interface DecisionKind {
  readonly by?: 'ann' | 'bob';
  readonly at?: string;
  readonly note?: string;
  readonly part?: string;
  readonly isKept?: boolean;
  readonly isRecorded?: boolean;
}

export function reviewing() {
  const all = opened();
  const { ann, log, auditIndex, state, trail } = all;
  const bob = makeReviewerKey('bob').key;
  const everybody = [
    ...all.reviewers,
    { name: 'bob', id: bob.id, publicKey: createPublicKey(bob.privateKey) },
  ];
  let listed = everybody;
  const decisions = new DecisionStore({ folder: state.decisions, auditIndex, reviewers: () => listed, log });
  const signed = (decision: Decision) => signDecision(decision, decision.reviewer === 'bob' ? bob : ann);
  return {
    ...{ ...all, bob, decisions, signed, reviewers: everybody },
    /** Only those are on the list from now on. */
    list: (...names: readonly string[]) => {
      listed = everybody.filter(({ name }) => names.includes(name));
    },
    say: (decision: Decision['decision'], preview: string, said: DecisionKind = {}) => {
      const { by: reviewer = 'ann', at = AT, isKept = true, isRecorded = true, ...more } = said;
      if (isRecorded) trail.append({ action: decision, outcome: 'kept', preview, reviewer });
      if (isKept) decisions.save(signed({ v: 1, preview, decision, reviewer, at, ...more }));
    },
    /** The events of a level. */
    events: (level: string) =>
      all.here.logged().flatMap((line) => (line['level'] === level ? [line['event']] : [])),
  };
}

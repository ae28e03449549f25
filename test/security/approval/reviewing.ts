// Three reviewers, ann, bob and cat, and what they decide about previews: signed for its place in the trail, or not as it should be.
import { createPublicKey } from 'node:crypto';
import { type Decision, type SignedDecision, signDecision } from '../../../src/security/approval/decision.ts';
import type { TrailPoint } from '../../../src/security/audit/facts.ts';
import { AuditTrail, Decisions, makeReviewerKey, type ReviewerKey } from '../../../src/security/index.ts';
import { AT, KEEPS_ALL, opened } from '../store/ground.ts';

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
  readonly trail?: AuditTrail;
}

const same = (end: TrailPoint) => end;

export function reviewing() {
  const all = opened();
  const { ann, log } = all;
  const [bob, cat] = [makeReviewerKey('bob').key, makeReviewerKey('cat').key];
  const everybody = [
    ...all.reviewers,
    { name: 'bob', id: bob.id, publicKey: createPublicKey(bob.privateKey) },
    { name: 'cat', id: cat.id, publicKey: createPublicKey(cat.privateKey) },
  ];
  let listed = everybody;
  const decisionsIn = (trail: AuditTrail) => new Decisions({ trail, reviewers: () => listed, log });
  return {
    ...{ ...all, bob, reviewers: everybody, decisions: decisionsIn(all.trail), decisionsIn },
    /** As another process would open it. */
    again: (rotateBytes = 1e6) =>
      new AuditTrail({
        ...{ folder: all.state.audit, lock: () => all.state.lock(), now: () => new Date(AT), rotateBytes },
        ...KEEPS_ALL,
      }),
    /** What ann would have signed, whatever it is. */
    record: (action: string, preview: string, signed: unknown, trail = all.trail) =>
      trail.append(() => [{ action, outcome: 'kept', preview, reviewer: 'ann', signed }]),
    /** Only those are on the list from now on. */
    list: (...names: readonly string[]) => {
      listed = everybody.filter(({ name }) => names.includes(name));
    },
    /** Answers what was signed. */
    say: (decision: Decision['decision'], preview: string, manner: Manner = {}) => {
      const {
        by: reviewer = 'ann',
        at = AT,
        isSigned = true,
        place = same,
        trail = all.trail,
        ...more
      } = manner;
      const { key = { ann, bob, cat }[reviewer], recorded, ...said } = more;
      const made: SignedDecision[] = [];
      trail.append((end) => {
        const decided = { v: 1, preview, decision, reviewer, at, ...said, trail: place(end) } as const;
        const signed = signDecision(decided, key);
        made.push(signed);
        const says = { action: decision, outcome: 'kept', preview, reviewer, ...recorded };
        return [isSigned ? { ...says, signed } : says];
      });
      return made[0];
    },
    /** The events of a level. */
    events: (level: string) =>
      all.here.logged().flatMap((line) => (line['level'] === level ? [line['event']] : [])),
  };
}

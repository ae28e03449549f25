// What tests sign, where it does not matter which change a decision is about, and what a signature says.

import type { StatedChange } from '../../src/security/approval/statement.ts';
import { signedDecisionShape } from '../../src/security/approval/statement.ts';
import type { Decision } from '../../src/state/event.ts';

export const STATED: StatedChange = {
  files: [{ file: 'a.yaml', before_sha256: '1'.repeat(64), after_sha256: '2'.repeat(64) }],
  caller: { name: 'test', version: '1' },
  proposers: [],
  requested_at: '2026-11-21T12:00:00.000Z',
  rules: [],
  needs: [],
};

/** The decision that stands in an envelope, whatever it says. */
export function decisionIn(signed: unknown): Decision {
  const { payload } = signedDecisionShape.parse(signed);
  const { predicate } = JSON.parse(Buffer.from(payload, 'base64').toString());
  return predicate.decision;
}

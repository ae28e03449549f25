// The policy in force as one hash: a preview is worth nothing under another. Who may approve is left out on
// purpose: that is asked at every apply, and a new reviewer must not void what waits for one. So are the
// operator's own files: a reviewer's command has others than the server, and every open asks.

import { canonicalJson, sha256Hex } from '../text/canonical-json.ts';
import type { Policy } from './policy.ts';

/** `places`: where the roots lead, in the policy's order. */
export function policyFingerprint(
  { operatorFiles: _, ...policy }: Policy,
  places: readonly string[],
): string {
  const roots = policy.roots.map(({ name }, index) => ({ name, place: places[index] }));
  // A schema may hold values that canonical JSON cannot express.
  const schemas = policy.schemas.map(({ pattern, name, schema }) => [pattern, name, JSON.stringify(schema)]);
  return sha256Hex(canonicalJson({ ...policy, roots, schemas }));
}

// Computes what follows from a kept preview: who proposed the change, and how long it holds.
import type { Preview } from '../../state/preview.ts';
import type { Approval } from '../policy/levels.ts';
import { PREVIEW_MS } from '../policy/policy.ts';

/** Returns the names of all who proposed the change. Their approval does not count where a rule asks for several or named reviewers. */
export function proposersOf({
  caller,
  proposers = [],
}: Pick<Preview, 'caller' | 'proposers'>): readonly string[] {
  return [...new Set([...(caller.principal === undefined ? [] : [caller.principal]), ...proposers])];
}

/** Returns the field `proposers` of a preview that is derived from another one. It is left out where nobody is named. */
export function withProposers(names: readonly string[]): Pick<Preview, 'proposers'> {
  return names.length === 0 ? {} : { proposers: [...new Set(names)] };
}

/** Returns the times of a preview that is created now. */
export function timesOf(created: Date, approval: Approval): Pick<Preview, 'created_at' | 'expires_at'> {
  const life = approval === 'human' ? PREVIEW_MS.person : PREVIEW_MS.agent;
  return {
    created_at: created.toISOString(),
    expires_at: new Date(created.getTime() + life).toISOString(),
  };
}

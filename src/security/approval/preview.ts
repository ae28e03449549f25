// What follows from a preview that is kept: who has asked for it, and how long it holds.
import type { Preview } from '../../state/index.ts';
import type { Approval } from '../policy/levels.ts';
import { PREVIEW_MS } from '../policy/policy.ts';

/** By the names that are known of them; no approval of theirs counts where a rule asks for several reviewers or certain ones. */
export function proposersOf({
  caller,
  proposers = [],
}: Pick<Preview, 'caller' | 'proposers'>): readonly string[] {
  return [...new Set([...(caller.principal === undefined ? [] : [caller.principal]), ...proposers])];
}

/** Of a preview that is made of another one, beside who asks for it. */
export function withProposers(names: readonly string[]): Pick<Preview, 'proposers'> {
  return names.length === 0 ? {} : { proposers: [...new Set(names)] };
}

export function expiryOf(created: Date, approval: Approval): string {
  const life = approval === 'human' ? PREVIEW_MS.person : PREVIEW_MS.agent;
  return new Date(created.getTime() + life).toISOString();
}

/** Whether it claims to hold for longer than any preview does. */
export function holdsTooLong({ created_at, expires_at, approval }: Preview): boolean {
  return expires_at !== expiryOf(new Date(created_at), approval);
}

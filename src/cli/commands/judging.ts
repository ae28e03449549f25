// Judges edits by the operator's rules, for commands. It plans, proves and judges as a server does, on an airlock that can only
// read.
import type { DeadRule } from '../../adapters/policy/read-policy.ts';
import { InlineEngine } from '../../engine/inline-engine.ts';
import { type Reviewer, requireApprovers } from '../../security/approval/reviewers.ts';
import { createLog } from '../../security/audit/log.ts';
import { StartError } from '../../security/errors/start-error.ts';
import type { ChangeRule } from '../../security/policy/change-policy.ts';
import type { Verdict } from '../../security/policy/verdict.ts';
import {
  type Airlock,
  type AirlockOptions,
  openAirlock,
  requireServableOptions,
  VERSION,
} from '../../server.ts';
import { JUDGE_EDITS, judgingTool } from '../../tools/index.ts';
import { OPTIONS } from '../settings/options.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { CommandContext } from './context.ts';
import { refusalOf } from './services.ts';

/** Throws UsageError if no policy is given. */
export function requirePolicy({ name, settings }: CommandContext): void {
  if (settings.of(OPTIONS.policy).value === undefined)
    throw new UsageError(`${name} needs a policy: give --policy FILE`);
}

/** Calls `work` with an airlock for judging only. Its log is silent, because judging is no event of a server. */
export async function whileJudging<Result>(
  options: Omit<AirlockOptions, 'log'>,
  work: (airlock: Airlock) => Promise<Result>,
): Promise<Result> {
  const log = createLog({ level: 'error', format: 'json', isSilent: true });
  const readOnly = { readOnly: true, stateDir: undefined, postgres: undefined };
  const airlock = await openAirlock({ ...options, ...readOnly, log });
  try {
    return await work(airlock);
  } finally {
    airlock.sandbox.close();
  }
}

/**
 * Judges edits as config_edit takes them, of a verified principal, if one is given; undefined if they change nothing. Throws the
 * refusal of an edit that cannot be made.
 */
export async function judgeEdits(
  airlock: Airlock,
  edits: readonly unknown[],
  principal?: string,
): Promise<Verdict | undefined> {
  let found: Verdict | undefined;
  const tool = judgingTool((verdict) => {
    found = verdict;
  });
  const who = principal === undefined ? {} : { principal, scopes: [] };
  const caller = { name: 'config-airlock policy', version: VERSION, ...who };
  const call = { tool: JUDGE_EDITS, args: { edits }, requestId: crypto.randomUUID(), caller, writes: false };
  const control = { signal: new AbortController().signal, progress: undefined };
  const outcome = await new InlineEngine(airlock, [tool]).run(call, control);
  if (outcome.status !== 'ok') throw refusalOf(outcome);
  return found;
}

/** Returns why a rule stops the start of a server with these options, if it is about roots or files that are not served. */
export function unservedRuleFault(
  rule: ChangeRule,
  options: Omit<AirlockOptions, 'log'>,
): DeadRule | undefined {
  const judging = { ...options, readOnly: true, stateDir: undefined, postgres: undefined };
  const check = (one: ChangeRule) => () =>
    requireServableOptions({ ...judging, changes: { default: 'human', rules: [one] } }, undefined);
  const { files: _, ...ofAllFiles } = rule;
  return ruleFaultOf('roots', check(ofAllFiles)) ?? ruleFaultOf('files', check(rule));
}

/** Returns why a rule stops the start of a server with these reviewers, if it asks for others, or for more of them. */
export function unapprovableRuleFault(
  rule: ChangeRule,
  reviewers: readonly Reviewer[] | undefined,
): DeadRule | undefined {
  if (reviewers === undefined) return undefined;
  const key = rule.approvers === undefined ? 'count' : 'approvers';
  return ruleFaultOf(key, () => requireApprovers({ rules: [rule] }, reviewers));
}

function ruleFaultOf(key: string, check: () => void): DeadRule | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (error instanceof StartError) return { key, message: error.message.replace(/^--policy: /, '') };
    throw error;
  }
}

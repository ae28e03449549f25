// `policy lint FILE` reports the errors of a policy file and what was probably not meant, each with its line.
import { join } from 'node:path';
import { type DeadRule, examinePolicy, type PolicyFinding } from '../../adapters/policy/read-policy.ts';
import { counted } from '../../adapters/tree/wording.ts';
import { readReviewers } from '../../security/approval/reviewers.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import type { ChangeRule } from '../../security/policy/change-policy.ts';
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import { withScratchFolder } from '../../security/sandbox/scratch-folder.ts';
import { matchesStars } from '../../security/text/match-sequence.ts';
import { quoted } from '../../security/text/visible.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { rootlessOptions } from '../settings/airlock-options.ts';
import { OPTIONS } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line, type Style } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { unapprovableRuleFault, unservedRuleFault } from './judging.ts';
import { printJson, printLines } from './output.ts';

export async function policyLint(context: CommandContext): Promise<number> {
  const [file = ''] = context.args;
  const options = await rootlessOptions(context.settings, context.env);
  forgetEnvironment();
  const { faults, doubts, rules } = await lintPolicy(file, options, context.settings);
  if (wantsJson(context)) printJson(context, { ok: faults.length === 0, faults, warnings: doubts });
  else
    printLines(context, [
      ...findingLines(file, faults, 'fault', 'red'),
      ...findingLines(file, doubts, 'warning', 'yellow'),
      ...(faults.length + doubts.length === 0
        ? [line(`${file}: nothing found in its ${counted(rules.length, 'rule')}.`, 'green')]
        : []),
    ]);
  return faults.length > 0 ? 2 : doubts.length > 0 ? 1 : 0;
}

/** Returns the problems of a policy for a server with these options. Throws UsageError or StartError if it cannot be read. */
export async function lintPolicy(
  file: string,
  options: Awaited<ReturnType<typeof rootlessOptions>>,
  settings: Settings,
) {
  const reviewers = options.reviewers === undefined ? undefined : readReviewers(options.reviewers, []);
  const tokens = settings.of(OPTIONS.httpTokens).value;
  const holders =
    tokens === undefined ? undefined : (await import('../../transports/http/index.ts')).principalsIn(tokens);
  const named = settings.of(OPTIONS.root).value.flatMap(({ name }) => name ?? []);
  // Only the names of the roots are needed: their files may be on another machine.
  return withScratchFolder((scratch) => {
    const { folder } = scratch;
    scratch.hold(named.map((name) => [`${name}/none`, '']));
    const ofName = (name: string) => ({ name, dir: join(folder, name) });
    const roots = named.length === 0 ? [folder] : named.map(ofName);
    const whyDead = (rule: ChangeRule) =>
      unservedRuleFault(rule, { ...options, roots }) ?? unapprovableRuleFault(rule, reviewers);
    return examineFile(file, whyDead, (rule) => uncalledRuleDoubt(rule, holders));
  });
}

/** Returns a doubt about a rule that names a caller for whom there is no token. */
function uncalledRuleDoubt(
  { callers = [] }: ChangeRule,
  holders: readonly string[] | undefined,
): DeadRule | undefined {
  const unknown = callers.find((pattern) => holders?.some((name) => matchesStars(pattern, name)) === false);
  if (unknown === undefined) return undefined;
  return { key: 'callers', message: `the tokens file names no holder ${quoted(unknown)}` };
}

async function examineFile(
  file: string,
  ...reasons: readonly ((rule: ChangeRule) => DeadRule | undefined)[]
) {
  const text = readOperatorFile(file);
  try {
    return await examinePolicy(text, ...reasons);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new UsageError(`cannot use ${quoted(file)}: ${error.message}`);
  }
}

function findingLines(
  file: string,
  found: readonly PolicyFinding[],
  kind: string,
  style: Style,
): readonly Line[] {
  const inOrder = [...found].sort((a, b) => a.line - b.line);
  return inOrder.map(({ line: at, path, message }) =>
    line(`${file}:${at}: ${kind}: ${path === '' ? '' : `${path}: `}${message}`, style),
  );
}

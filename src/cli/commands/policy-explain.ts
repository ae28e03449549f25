// `policy explain FILE PATH [VALUE]` says which rule decides about an edit, why, what the other rules say, and what would be
// allowed. Nothing is kept or written, and no value of the file is shown.

import { printNodePath } from '../../security/node-paths/node-path.ts';
import type { ChangeRule } from '../../security/policy/change-policy.ts';
import type { FileFinding, Verdict } from '../../security/policy/verdict.ts';
import { forgetEnvironment } from '../process/process-hardening.ts';
import { airlockOptions } from '../settings/airlock-options.ts';
import { DOC, OP } from '../settings/command-options.ts';
import { UsageError } from '../settings/usage-error.ts';
import { type Line, line } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { judgeEdits, requirePolicy, whileJudging } from './judging.ts';
import { printJson, printLines } from './output.ts';
import { findingAsJson, findingLines, NEEDS, STYLE_OF } from './verdict-lines.ts';

/** The number of changes that are explained; further ones are left out. */
const MAX_SHOWN = 50;

export async function policyExplain(context: CommandContext): Promise<number> {
  const { settings, env } = context;
  requirePolicy(context);
  const edits = [editFrom(context)];
  const options = await airlockOptions(settings, env);
  forgetEnvironment();
  const verdict = await whileJudging(options, (airlock) => judgeEdits(airlock, edits));
  const { rules = [] } = options.changes ?? {};
  const others = new Map<string, string[]>();
  for (const rule of verdict === undefined ? [] : rules)
    for (const { key, text } of await verdictOfRule(rule, options, edits))
      others.set(key, [...(others.get(key) ?? []), text]);
  if (wantsJson(context)) printJson(context, asJson(verdict, others));
  else
    printLines(
      context,
      verdict === undefined ? [line('The edit changes nothing.')] : linesOf(verdict, others),
    );
  return 0;
}

function editFrom({ args, settings }: CommandContext): object {
  const [file, path, given] = args;
  const [op, doc] = [settings.of(OP).value, settings.of(DOC).value];
  const argument = VALUE_FIELDS[op];
  if (argument === undefined ? given !== undefined : given === undefined)
    throw new UsageError(
      argument === undefined ? `--op ${op} takes no value` : `--op ${op} needs a value: ${argument.what}`,
    );
  const value = argument === undefined ? {} : { [argument.name]: given };
  return { op, file, path, ...value, ...(doc === undefined ? {} : { doc }) };
}

const VALUE_FIELDS: Readonly<Record<string, { readonly name: string; readonly what: string } | undefined>> = {
  set: { name: 'value', what: 'a fragment of YAML' },
  append: { name: 'value', what: 'a fragment of YAML' },
  rename: { name: 'new_key', what: 'the new key' },
  comment: { name: 'comment', what: 'the text of the comment' },
};

interface RuleVerdict {
  readonly key: string;
  readonly text: string;
}

/** Judges the edits by this rule alone, under a policy that allows everything else directly. */
async function verdictOfRule(
  rule: ChangeRule,
  options: Awaited<ReturnType<typeof airlockOptions>>,
  edits: readonly object[],
): Promise<readonly RuleVerdict[]> {
  const alone = { ...options, approval: 'direct', changes: { default: 'direct', rules: [rule] } } as const;
  const verdict = await whileJudging(alone, (airlock) => judgeEdits(airlock, edits));
  const findings = verdict?.findings.filter((finding) => finding.rule !== undefined) ?? [];
  return findings.map((finding) => ({ key: keyOf(finding), text: `${rule.id} (${finding.level})` }));
}

function keyOf({ file, change: { op, doc, path } }: FileFinding): string {
  return JSON.stringify([file, doc ?? null, op, path]);
}

function othersOf(finding: FileFinding, others: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const own = `${finding.rule?.id ?? ''} (`;
  return (others.get(keyOf(finding)) ?? []).filter((text) => !text.startsWith(own));
}

function linesOf(verdict: Verdict, others: ReadonlyMap<string, readonly string[]>): readonly Line[] {
  const { level, findings } = verdict;
  const shown = findings.slice(0, MAX_SHOWN);
  return [
    line(`${level}: ${NEEDS[level]}.`, STYLE_OF[level]),
    ...shown.flatMap((finding) => {
      const more = othersOf(finding, others);
      const named = more.length === 0 ? 'no other rule names it' : `also named by ${more.join(', ')}`;
      return [...findingLines(finding), line(`    ${named}`)];
    }),
    ...(findings.length > shown.length ? [line(`  and ${findings.length - shown.length} more changes`)] : []),
  ];
}

function asJson(verdict: Verdict | undefined, others: ReadonlyMap<string, readonly string[]>): object {
  if (verdict === undefined) return { changes: [] };
  const changes = verdict.findings.map((finding) => ({
    ...findingAsJson(finding),
    at: printNodePath(finding.at),
    others: othersOf(finding, others),
  }));
  return { level: verdict.level, changes };
}

// Writes a verdict of the rules as lines and as JSON. It shows which paths change and what the rules say, and no value of a file.
import { counted } from '../../adapters/tree/wording.ts';
import { printNodePath } from '../../security/node-paths/node-path.ts';
import { whatPasses } from '../../security/policy/allowed.ts';
import { type ApprovalNeed, isConstrained } from '../../security/policy/change-policy.ts';
import { levelOf } from '../../security/policy/constraints.ts';
import { isStricter, LEVELS, type Level } from '../../security/policy/levels.ts';
import type { FileFinding, Verdict } from '../../security/policy/verdict.ts';
import { type Line, line, type Style } from '../terminal/rows.ts';

export const NEEDS: Readonly<Record<Level, string>> = {
  direct: 'it is written at once',
  preview: 'it needs a preview, and nobody',
  client: 'the person at the client has to agree',
  human: 'a reviewer has to sign it',
  deny: 'nobody can approve it',
};

export const STYLE_OF: Readonly<Record<Level, Style>> = {
  direct: 'green',
  preview: 'green',
  client: 'yellow',
  human: 'yellow',
  deny: 'red',
};

/** The name for a change without a rule. */
const NO_RULE = 'default';

/** Returns the id of the rule that decided, or `default`. */
export function ruleOf({ rule }: Pick<FileFinding, 'rule'>): string {
  return rule?.id ?? NO_RULE;
}

/** The ids of the rules that decided the level, each once. */
export function decidingRules({ findings, level }: Verdict): readonly string[] {
  return [...new Set(findings.filter((finding) => finding.level === level).map(ruleOf))];
}

/** The place of a change: `spec.replicas (replace)`, or what happens to the file. */
export function placeOf({ change: { op, path } }: FileFinding): string {
  return path.length === 0 ? `the file (${op})` : `${printNodePath(path)} (${op})`;
}

export function findingLines(finding: FileFinding): readonly Line[] {
  const { level, rule } = finding;
  return [
    line(`  ${placeOf(finding)}: ${level}, ${reasonOf(finding)}`, STYLE_OF[level]),
    ...moreLenientLevel(finding).map(({ level: other, passes }) => line(`    would be ${other}: ${passes}`)),
    ...(level === 'human' ? finding.needs.map((need) => line(`    ${needText(need)}`)) : []),
    ...(rule?.say === undefined ? [] : [line(`    the operator says: ${rule.say}`)]),
  ];
}

/** Returns the more lenient level of the rule and what it asks for; empty if that level was given, or the rule has one level. */
function moreLenientLevel({
  rule,
  holds,
}: FileFinding): readonly { readonly level: Level; readonly passes: string }[] {
  const passes = rule === undefined ? undefined : whatPasses(rule);
  if (rule === undefined || passes === undefined) return [];
  const best = isStricter(rule.level, rule.otherwise) ? rule.otherwise : rule.level;
  return levelOf(rule, holds) === best ? [] : [{ level: best, passes }];
}

/** Says who has to sign, where a rule asks for several or for named reviewers. */
function needText({ rule, count, approvers }: ApprovalNeed): string {
  const who = approvers === undefined ? 'any reviewers but the proposer' : approvers.join(', ');
  return `rule ${rule} needs ${counted(count, 'approval')} of: ${who}`;
}

const HOLDS = {
  yes: '',
  no: ', whose constraint does not hold',
  unclear: ', which cannot tell here whether its constraint holds: the stricter of its levels counts',
} as const;

function reasonOf({ change, rule, holds, level }: FileFinding): string {
  if (rule === undefined) return 'for no rule names it: the default, or --approval where that asks for more';
  const own = levelOf(rule, holds);
  const more = own === level ? '' : ` (which says ${own}; --approval asks for more)`;
  const isOfNoValue = isConstrained(rule) && (change.op === 'comment' || change.op === 'layout');
  const why = isOfNoValue
    ? `, of which a ${change.op} gets the milder level, as it has no value`
    : HOLDS[holds];
  return `by the rule ${rule.id}${why}${more}`;
}

const HOLDS_AS_JSON = { yes: true, no: false, unclear: 'unclear' } as const;

export function findingAsJson(finding: FileFinding): object {
  const { file, level, rule, holds, change } = finding;
  const [better] = moreLenientLevel(finding);
  return {
    file,
    path: printNodePath(change.path),
    op: change.op,
    level,
    rule: ruleOf(finding),
    holds: rule !== undefined && isConstrained(rule) ? HOLDS_AS_JSON[holds] : undefined,
    would_pass: better?.passes,
    say: rule?.say,
  };
}

/** Counts the levels: `180 direct, 30 human, 2 deny`. */
export function countsText(levels: readonly Level[]): string {
  return LEVELS.flatMap((level) => {
    const count = levels.filter((one) => one === level).length;
    return count === 0 ? [] : [`${count} ${level}`];
  }).join(', ');
}

// What a verdict of the rules says, in lines and as JSON. No value of a file is shown: only where it changes, and what the
// operator's own rules say.
import { printDataPath } from '../../adapters/index.ts';
import { type FileFinding, LEVELS, type Level, type Verdict, whatPasses } from '../../security/index.ts';
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

/** Of a change that no rule names. */
const NO_RULE = 'default';

function ruleOf({ rule }: Pick<FileFinding, 'rule'>): string {
  return rule?.id ?? NO_RULE;
}

/** The rules that the level is due to, each once. */
export function deciding({ findings, level }: Verdict): readonly string[] {
  return [...new Set(findings.filter((finding) => finding.level === level).map(ruleOf))];
}

/** `spec.replicas (replace)`, or what becomes of the file. */
function placeOf({ change: { op, path } }: FileFinding): string {
  return path.length === 0 ? `the file (${op})` : `${printDataPath(path)} (${op})`;
}

export function findingLines(finding: FileFinding): readonly Line[] {
  const { level, rule, broken } = finding;
  const passes = rule === undefined ? undefined : whatPasses(rule);
  const isBroken = broken !== undefined;
  return [
    line(`  ${placeOf(finding)}: ${level}, ${becauseOf(finding)}`, STYLE_OF[level]),
    ...(isBroken && passes !== undefined ? [line(`    would be ${rule?.level}: ${passes}`)] : []),
    ...(rule?.say === undefined ? [] : [line(`    the operator says: ${rule.say}`)]),
  ];
}

function becauseOf({ rule, broken, level }: FileFinding): string {
  if (rule === undefined) return 'for no rule names it: the default, or --approval where that asks for more';
  const own = broken === undefined ? rule.level : rule.otherwise;
  const more = own === level ? '' : ` (which says ${own}; --approval asks for more)`;
  return broken === undefined
    ? `by the rule ${rule.id}${more}`
    : `by the rule ${rule.id}, whose constraint does not hold${more}`;
}

export function findingAsJson(finding: FileFinding): object {
  const { file, level, rule, broken, change } = finding;
  const passes = rule === undefined || broken === undefined ? undefined : whatPasses(rule);
  return {
    file,
    path: printDataPath(change.path),
    op: change.op,
    level,
    rule: ruleOf(finding),
    ...(rule?.value === undefined && rule?.change === undefined ? {} : { holds: broken === undefined }),
    ...(passes === undefined ? {} : { would_pass: passes }),
    ...(rule?.say === undefined ? {} : { say: rule.say }),
  };
}

/** `180 direct, 30 human, 2 deny` */
export function countsText(levels: readonly Level[]): string {
  return LEVELS.flatMap((level) => {
    const count = levels.filter((one) => one === level).length;
    return count === 0 ? [] : [`${count} ${level}`];
  }).join(', ');
}

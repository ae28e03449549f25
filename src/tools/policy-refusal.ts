// Makes the refusal of a change that the operator's rules deny: which rule, where, what would be allowed, and how to go on.
import {
  type FileFinding,
  type Problem,
  printNodePath,
  quoted,
  Refusal,
  type Verdict,
  visibleLine,
  whatPasses,
} from '../security/index.ts';

const MAX_PROBLEMS = 20;

export function policyDenied({ findings }: Verdict): Refusal {
  const denied = findings.filter(({ level }) => level === 'deny');
  const [first] = denied;
  const file = first?.file;
  const path = first === undefined ? '' : printNodePath(first.at);
  const because =
    first?.rule === undefined
      ? 'no rule of the operator allows it, and what no rule names is denied'
      : `the rule ${quoted(first.rule.id)} of the operator does not allow it`;
  const more = denied.length > 1 ? ` (${denied.length} changes are denied)` : '';
  const place = path === '' ? '' : ` at ${path}`;
  return new Refusal(
    'POLICY_DENIED',
    `Cannot make this change${place}: ${because}${more}. Nothing was kept, and nobody can approve it.`,
    { file, path },
    {
      problems: problemsOf(denied),
      advice: [
        ...(first?.rule !== undefined && first.change.isVague === true ? [MAY_BE_ANYTHING] : []),
        ...saysOf(denied),
        'Leave out what is denied, or ask the operator',
      ],
    },
  );
}

const MAY_BE_ANYTHING =
  'What this does to the data is not known before it is filled in or read by a certain parser (an action of a template, a tag, two equal keys), so it counts as what the rule is about';

/** Returns the problems: each rule once for each node that it names. */
function problemsOf(denied: readonly FileFinding[]): readonly Problem[] {
  const found = denied.map(problemOf);
  const isFirst = ({ message, path }: Problem, index: number) =>
    found.findIndex((other) => other.message === message && other.path === path) === index;
  return found.filter(isFirst).slice(0, MAX_PROBLEMS);
}

function problemOf({ rule, at, change, file }: FileFinding): Problem {
  const isSure = change.isVague !== true;
  const passes = rule === undefined || !isSure ? undefined : whatPasses(rule);
  const path = printNodePath(at) || printNodePath(change.path) || visibleLine(file);
  const message =
    rule === undefined ? 'no rule names it' : `rule ${rule.id}${isSure ? '' : ', which may be about it'}`;
  return { code: 'POLICY_DENIED', message, path, line: 0, column: 0, expected: passes ?? 'no change here' };
}

/** Returns the operator's explanations, each once. */
function saysOf(findings: readonly Pick<FileFinding, 'rule'>[]): readonly string[] {
  return [...new Set(findings.flatMap(({ rule }) => rule?.say ?? []))].map(visibleLine);
}

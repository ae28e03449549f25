// Matches the files of a rule exactly, or in another spelling as `perhaps`, which can only make an answer stricter. A pattern
// that matches no served file stops the start, because its rule would protect nothing.
import { StartError } from '../errors/start-error.ts';
import type { ChangeRule } from '../policy/change-policy.ts';
import type { FileMatch } from '../policy/judge.ts';
import type { Policy } from '../policy/policy.ts';
import { quoted } from '../text/visible.ts';
import type { Admission } from './admission.ts';
import { commonPaths } from './common-paths.ts';
import { compileRulePattern } from './operator-pattern.ts';
import { expandBraces } from './pattern-groups.ts';

/** Matches a file; `components` are relative to the root. */
export type RuleFiles = (components: readonly string[]) => FileMatch;

/** Compiles the file patterns of a rule. Throws StartError. */
export function compileRuleFiles(
  { id, files }: ChangeRule,
  { roots, allow }: Pick<Policy, 'roots' | 'allow'>,
  admission: Admission,
): RuleFiles {
  if (files === undefined) return () => 'yes';
  const tests = files.map((pattern) => {
    const test = compileRulePattern(pattern, roots);
    if (!canMatch(pattern, allow, admission))
      throw new StartError(
        `--policy: the rule ${quoted(id)} is about files that are not served: ${quoted(pattern)} has none in common with --allow, or --deny hides them`,
      );
    return test;
  });
  return (components) => {
    if (tests.some(({ isExact }) => isExact(components))) return 'yes';
    return tests.some(({ isLike }) => isLike(components)) ? 'perhaps' : 'no';
  };
}

/** True where some file can match both the pattern and the allowlist without being denied. It tries examples that both match. */
export function canMatch(pattern: string, allow: readonly string[], admission: Admission): boolean {
  const [own, others] = [choices(pattern), allow.flatMap(choices)];
  return own.some((one) =>
    others.some((other) => commonPaths(one, other).some((path) => admission.isAdmitted(path))),
  );
}

function choices(pattern: string): readonly string[] {
  const found = expandBraces(pattern);
  return typeof found === 'string' ? [] : found;
}

// Matches the files of a rule exactly, or in another spelling as `perhaps`, which can only make an answer stricter. A pattern
// that matches no served file stops the start, because its rule would protect nothing.
import { StartError } from '../errors/start-error.ts';
import type { ChangeRule } from '../policy/change-policy.ts';
import type { FileMatch } from '../policy/judge.ts';
import type { Policy } from '../policy/policy.ts';
import { matchesStars } from '../text/match-sequence.ts';
import { quoted } from '../text/visible.ts';
import type { Admission } from './admission.ts';
import { commonPaths } from './common-paths.ts';
import { compileRulePattern } from './operator-pattern.ts';
import { expandBraces } from './pattern-groups.ts';
import type { SafePath } from './safe-path.ts';

/** Matches a file; `components` are relative to the root. */
export type RuleFiles = (path: Pick<SafePath, 'root' | 'components'>) => FileMatch;

/** Compiles the file patterns of a rule, and its names of roots. Throws StartError for a pattern. */
export function compileRuleFiles(
  rule: ChangeRule,
  { roots, allow }: Pick<Policy, 'roots' | 'allow'>,
  admission: Admission,
): RuleFiles {
  const { id, files } = rule;
  if (files === undefined) return ({ root }) => matchRoot(rule, root);
  const tests = files.map((pattern) => {
    const test = compileRulePattern(pattern, roots);
    if (!canMatch(pattern, allow, admission))
      throw new StartError(
        `--policy: the rule ${quoted(id)} is about files that are not served: ${quoted(pattern)} has none in common with --allow, or --deny hides them`,
      );
    return test;
  });
  return ({ root, components }) => {
    const inRoot = matchRoot(rule, root);
    if (inRoot === 'no' || tests.some(({ isExact }) => isExact(components))) return inRoot;
    return tests.some(({ isLike }) => isLike(components)) ? 'perhaps' : 'no';
  };
}

/** Without a name, as in `policy check`, a root may be any: the rule counts where that makes the answer stricter. */
function matchRoot({ roots }: ChangeRule, root: string | undefined): FileMatch {
  if (roots === undefined) return 'yes';
  if (root === undefined) return 'perhaps';
  return roots.some((name) => matchesStars(name, root)) ? 'yes' : 'no';
}

/** Throws StartError for a rule about a root that a server of these does not have; not if its only root has no name. */
export function requireServedRoots({ roots, changes }: Pick<Policy, 'roots' | 'changes'>): void {
  const served = roots.flatMap(({ name }) => name ?? []);
  for (const { id, roots: wanted = [] } of served.length === 0 ? [] : changes.rules) {
    const unknown = wanted.find((pattern) => !served.some((name) => matchesStars(pattern, name)));
    if (unknown !== undefined)
      throw new StartError(
        `--policy: the rule ${quoted(id)} is about a root that is not served: ${quoted(unknown)}; the roots are ${served.join(', ')}`,
      );
  }
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

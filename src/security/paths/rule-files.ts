// Matches the files of a rule exactly, or in another spelling as `perhaps`, which can only make an answer stricter.
import { StartError } from '../errors/start-error.ts';
import type { ChangeRule } from '../policy/change-policy.ts';
import type { FileMatch } from '../policy/judge.ts';
import type { Policy } from '../policy/policy.ts';
import { matchesStars } from '../text/match-sequence.ts';
import { quoted } from '../text/visible.ts';
import { compileRulePattern } from './operator-pattern.ts';
import type { SafePath } from './safe-path.ts';

/** Matches a file; `components` are relative to the root. */
export type RuleFiles = (path: Pick<SafePath, 'root' | 'components'>) => FileMatch;

/** Compiles the file patterns of a rule, and its names of roots. Throws StartError for a pattern. */
export function compileRuleFiles(rule: ChangeRule, { roots }: Pick<Policy, 'roots'>): RuleFiles {
  const { files } = rule;
  if (files === undefined) return ({ root }) => matchRoot(rule, root);
  const tests = files.map((pattern) => compileRulePattern(pattern, roots));
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

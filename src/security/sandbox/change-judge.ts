// Judges a change of a file by the operator's rules. If there are no rules, the change is not examined to find its level.
import type { RuleFiles } from '../paths/rule-files.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { ChangeRule } from '../policy/change-policy.ts';
import type { FileFacts } from '../policy/facts.ts';
import { compileRules, type FileMatch, judge, type Rules } from '../policy/judge.ts';
import { strictest } from '../policy/levels.ts';
import type { Policy } from '../policy/policy.ts';
import { type Verdict, verdictOn } from '../policy/verdict.ts';
import { foldText } from '../text/look-alikes.ts';
import { matchesStars } from '../text/match-sequence.ts';

export class ChangeJudge {
  readonly #policy: Pick<Policy, 'approval' | 'changes'>;
  readonly #ruleFiles: readonly RuleFiles[];
  /** The rules that match the file and the caller that were judged last. A caller who previews an edit soon applies it, or edits the same file. */
  #last: { readonly key: string; readonly matches: readonly FileMatch[] } | undefined;
  /** The compiled rules. They are made when something is judged, because the engine of their patterns is loaded by then. */
  #rules: Rules | undefined;

  /** `ruleFiles` holds the files of each rule, in order. */
  constructor(policy: Pick<Policy, 'approval' | 'changes'>, ruleFiles: readonly RuleFiles[]) {
    this.#policy = policy;
    this.#ruleFiles = ruleFiles;
  }

  /** Judges an edit of a verified principal, if there is one. `facts` computes what it changes, if that is needed. */
  verdictOn(path: SafePath, facts: () => FileFacts, principal: string | undefined): Verdict {
    const { changes, approval } = this.#policy;
    const verdict = () =>
      verdictOn(
        path.toString(),
        judge(facts(), this.#compiled(), this.#matchesOf(path, principal), approval),
      );
    if (changes.rules.length > 0) return verdict();
    const level = strictest(changes.default, approval);
    return {
      level,
      needs: [],
      get findings() {
        return verdict().findings;
      },
    };
  }

  #compiled(): Rules {
    this.#rules ??= compileRules(this.#policy.changes);
    return this.#rules;
  }

  #matchesOf(path: SafePath, principal: string | undefined): readonly FileMatch[] {
    const key = JSON.stringify([path.toString(), principal]);
    if (this.#last?.key !== key) {
      const matches = this.#policy.changes.rules.map((rule, index) => {
        const [ofCaller, ofFile = 'no'] = [matchCaller(rule, principal), this.#ruleFiles[index]?.(path)];
        return ofCaller === 'yes' || ofFile === 'no' ? ofFile : ofCaller;
      });
      this.#last = { key, matches };
    }
    return this.#last.matches;
  }
}

/** Only a verified principal is known for sure, and only in the spelling of the rule. */
function matchCaller({ callers }: ChangeRule, principal: string | undefined): FileMatch {
  if (callers === undefined) return 'yes';
  if (principal === undefined) return 'perhaps';
  if (callers.some((pattern) => matchesStars(pattern, principal))) return 'yes';
  const folded = foldText(principal);
  return callers.some((pattern) => matchesStars(foldText(pattern), folded)) ? 'perhaps' : 'no';
}

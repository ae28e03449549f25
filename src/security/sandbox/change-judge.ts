// Judges a change of a file by the operator's rules. If there are no rules, the change is not examined to find its level.
import type { RuleFiles } from '../paths/rule-files.ts';
import type { SafePath } from '../paths/safe-path.ts';
import type { FileFacts } from '../policy/facts.ts';
import { compileRules, type FileMatch, judge, type Rules } from '../policy/judge.ts';
import { strictest } from '../policy/levels.ts';
import type { Policy } from '../policy/policy.ts';
import { type Judged, type Verdict, verdictAt, verdictOn } from '../policy/verdict.ts';

export class ChangeJudge {
  readonly #policy: Pick<Policy, 'approval' | 'changes'>;
  readonly #ruleFiles: readonly RuleFiles[];
  /** The rules that match the file that was judged last. A caller who previews an edit soon applies it, or edits the same file. */
  #last: { readonly file: string; readonly matches: readonly FileMatch[] } | undefined;
  /** The compiled rules. They are made when something is judged, because the engine of their patterns is loaded by then. */
  #rules: Rules | undefined;

  /** `ruleFiles` holds the files of each rule, in order. */
  constructor(policy: Pick<Policy, 'approval' | 'changes'>, ruleFiles: readonly RuleFiles[]) {
    this.#policy = policy;
    this.#ruleFiles = ruleFiles;
  }

  /** Judges an edit. `facts` computes what it changes, where that is needed. */
  verdictOn(path: SafePath, edit: Omit<Judged, 'file'>, facts: () => FileFacts): Verdict {
    const { changes, approval } = this.#policy;
    const judged = { ...edit, file: path.toString() };
    const judgement = () => judge(facts(), this.#compiled(), this.#matchesOf(path), approval);
    if (changes.rules.length > 0) return verdictOn(judged, judgement());
    const level = strictest(changes.default, approval);
    return verdictAt(judged, { level, needs: [] }, () => judgement().findings);
  }

  #compiled(): Rules {
    this.#rules ??= compileRules(this.#policy.changes);
    return this.#rules;
  }

  #matchesOf({ components }: SafePath): readonly FileMatch[] {
    const file = components.join('/');
    if (this.#last?.file !== file)
      this.#last = { file, matches: this.#ruleFiles.map((matchesFile) => matchesFile(components)) };
    return this.#last.matches;
  }
}

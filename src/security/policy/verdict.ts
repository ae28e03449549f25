// The judge's answer about edits. It does not say that anybody has agreed.
import type { ApprovalNeed } from './change-policy.ts';
import type { Finding, Judgement } from './judge.ts';
import { type Level, strictest } from './levels.ts';
import { needsOf } from './needs.ts';

export interface FileFinding extends Finding {
  readonly file: string;
}

export interface Verdict {
  readonly level: Level;
  /** The needs of all findings, each rule once. */
  readonly needs: readonly ApprovalNeed[];
  /** One finding for each change of each file. They may be computed when somebody asks for them. */
  readonly findings: readonly FileFinding[];
}

/** Makes the verdict on the edits of one file. */
export function verdictOn(file: string, { level, findings }: Judgement): Verdict {
  return { level, needs: needsOf(findings), findings: findings.map((finding) => ({ ...finding, file })) };
}

/** Combines the verdicts on all edits of a call; the strictest level counts. Throws a plain Error for none. */
export function verdictOnAll(verdicts: readonly Verdict[]): Verdict {
  const [first, ...others] = verdicts;
  if (first === undefined) throw new Error('there is nothing to judge');
  return {
    level: strictest(first.level, ...others.map(({ level }) => level)),
    needs: needsOf(verdicts),
    get findings() {
      return verdicts.flatMap(({ findings }) => findings);
    },
  };
}

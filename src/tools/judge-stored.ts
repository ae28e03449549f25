// Judges files as a preview or a change keeps them by the present rules, for people who look at one. The engines that the rules
// need must have been loaded.
import { readVersions } from '../adapters/index.ts';
import { type PreviewFile, recordedVersions, Verdict } from '../security/index.ts';
import { changeFacts } from './change-facts.ts';
import type { CallContext } from './tool.ts';

type JudgeContext = Pick<CallContext, 'policy' | 'sandbox'>;

/** Answers the verdict. Throws LIMIT_EXCEEDED. */
export function judgeStored(files: readonly PreviewFile[], { policy, sandbox }: JudgeContext): Verdict {
  const verdicts = files.map((stored) => {
    const path = sandbox.parse(stored.file);
    const [before, after] = readVersions(path, recordedVersions(stored), policy.limits);
    return sandbox.judge(path, stored, () => changeFacts(path, before, after));
  });
  return Verdict.all(verdicts);
}

// Asks the operator's rules about changes of files, whoever makes or keeps them. The engines that the rules need must have been
// loaded.
import { factsOf, readVersions } from '../adapters/index.ts';
import {
  loadEngines,
  type Preview,
  type PreviewFile,
  recordedVersions,
  type SafePath,
  sha256Hex,
  Verdict,
} from '../security/index.ts';
import { neededBy } from './needs.ts';
import type { CallContext } from './tool.ts';

type JudgeContext = Pick<CallContext, 'policy' | 'sandbox'>;
type Versions = ReturnType<typeof recordedVersions>;

/** Judges an edit that leads from the first text to the second one; undefined where there is no file. Throws LIMIT_EXCEEDED. */
export function judge(
  path: SafePath,
  edit: Pick<PreviewFile, 'base_sha256' | 'result_sha256'> & {
    readonly file_op?: PreviewFile['file_op'] | undefined;
  },
  versions: Versions,
  { policy, sandbox }: JudgeContext,
): Verdict {
  // The verdict holds the texts and no trees: those of a call on many files would stay in memory.
  return sandbox.judge(path, edit, () =>
    factsOf(...readVersions(path, versions, policy.limits), useOf(path)),
  );
}

/** Judges files as a preview or a change keeps them. */
export function judgeStored(files: readonly PreviewFile[], context: JudgeContext): Verdict {
  return Verdict.all(
    files.map((file) => judge(context.sandbox.parse(file.file), file, recordedVersions(file), context)),
  );
}

/**
 * Returns a preview that needs a reviewer with what the rules of today ask for. Without rules, as on the machine of a reviewer who
 * has no policy file, it asks for what it asked for when it was made.
 */
export async function underPresentRules(preview: Preview, context: JudgeContext): Promise<Preview> {
  const { needs: _, ...record } = preview;
  if (record.approval !== 'human' || context.policy.changes.rules.length === 0) return preview;
  await loadEngines(context.policy.changes);
  const verdict = judgeStored(record.files, context);
  return { ...record, ...neededBy(verdict, 'human', context.policy) };
}

/** Judges what anybody has made of a file. */
export function judgeVersions(path: SafePath, versions: Versions, context: JudgeContext): Verdict {
  const [old = '', next = ''] = versions;
  const [base_sha256, result_sha256] = [sha256Hex(old), sha256Hex(next)];
  return judge(path, { base_sha256, result_sha256 }, versions, context);
}

/** Says what a file's name tells of its use: Helm fills in each file in `templates`, and endings say it; values are what is filled in. */
function useOf({ components }: SafePath): 'template' | 'values' | undefined {
  const [folders, name = ''] = [components.slice(0, -1), components.at(-1)];
  const isFilledIn = folders.includes('templates') || /\.(?:j2|jinja2?|tmpl|gotmpl|tpl)$/iu.test(name);
  return isFilledIn ? 'template' : /^values\b.*\.ya?ml$/iu.test(name) ? 'values' : undefined;
}

// Asks the operator's rules about changes of files, whoever makes or keeps them. The engines that the rules need must have been
// loaded.
import { factsOf, readVersions } from '../adapters/index.ts';
import {
  loadEngines,
  ownerOf,
  type Preview,
  recordedVersions,
  requireWhole,
  type SafePath,
  type Verdict,
  verdictOnAll,
  type WholePreview,
} from '../security/index.ts';
import { neededBy } from './needs.ts';
import type { CallContext } from './tool.ts';

/** Without a caller, and for a command of the operator, rules about callers count as for one who is not verified. */
type JudgeContext = Pick<CallContext, 'policy' | 'sandbox'> &
  Partial<Pick<CallContext, 'caller' | 'isOperator'>>;
type Versions = ReturnType<typeof recordedVersions>;

/** Judges an edit that leads from the first text to the second one; undefined if there is no file. Throws LIMIT_EXCEEDED. */
export function judge(
  path: SafePath,
  versions: () => Versions,
  { policy, sandbox, caller, isOperator = false }: JudgeContext,
): Verdict {
  // The verdict holds neither texts nor trees: those of a call on many files would stay in memory.
  const facts = () => factsOf(...readVersions(path, versions(), policy.limits), useOf(path));
  return sandbox.judge(path, facts, isOperator ? undefined : ownerOf(caller));
}

/** Judges the files of a preview as its proposer's. */
export function judgeStored({ files, caller }: WholePreview, context: JudgeContext): Verdict {
  const own = { ...context, caller };
  return verdictOnAll(
    files.map((file) => judge(own.sandbox.parse(file.file), () => recordedVersions(file), own)),
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
  const verdict = judgeStored(requireWhole(preview), context);
  return { ...record, ...neededBy(verdict, 'human', context.policy) };
}

/** Says what a file's name tells of its use: Helm fills in each file in `templates`, and endings say it; values are what is filled in. */
function useOf({ components }: SafePath): 'template' | 'values' | undefined {
  const [folders, name = ''] = [components.slice(0, -1), components.at(-1)];
  const isFilledIn = folders.includes('templates') || /\.(?:j2|jinja2?|tmpl|gotmpl|tpl)$/iu.test(name);
  return isFilledIn ? 'template' : /^values\b.*\.ya?ml$/iu.test(name) ? 'values' : undefined;
}

// Some of a plan, as a plan of its own: what a reviewer keeps when the rest is not wanted. Proven to do some of
// what the whole plan showed, and nothing that it did not.
import { changesOfPart, describeEdit, readConfigFile, recomputePreview } from '../adapters/index.ts';
import {
  type Edit,
  type PlanDraft,
  type PlanFile,
  Refusal,
  type StoredPlan,
  sha256Hex,
  splice,
} from '../security/index.ts';
import { requireSchemas } from './require-schemas.ts';
import type { CallContext } from './tool.ts';

type PartContext = Pick<CallContext, 'policy' | 'sandbox'>;

/**
 * `kept`: which edits, by their index over the edits of all files in order. Files without one fall away. Throws
 * ARGUMENT_INVALID for none, all or unknown ones; VERIFICATION_FAILED or SCHEMA_VIOLATION where they need the rest.
 */
export function partOf({ id, plan }: StoredPlan, kept: readonly number[], context: PartContext): PlanDraft {
  const all = plan.files.flatMap((file) => file.edits.map((edit) => ({ file, edit })));
  const indexes = [...new Set(kept)].sort((a, b) => a - b);
  requireSome(indexes, all.length);
  const files: PlanFile[] = [];
  const warnings: string[] = [];
  for (const file of plan.files) {
    const edits = indexes.flatMap((index) => (all[index]?.file === file ? [all[index].edit] : []));
    if (edits.length === 0) continue;
    const part = partOfFile(file, edits, context);
    files.push(part.file);
    warnings.push(
      ...part.warnings.map((warning) => (plan.files.length === 1 ? warning : `${file.file}: ${warning}`)),
    );
  }
  const { caller, policy, approval, tool, request } = plan;
  const origin = { kind: 'part', of: id, kept: indexes } as const;
  return { caller, policy, approval, tool, request, origin, files, warnings };
}

function requireSome(indexes: readonly number[], count: number): void {
  const isUnknown = indexes.some((index) => !Number.isSafeInteger(index) || index < 0 || index >= count);
  const reason = isUnknown
    ? `the edits are numbered 0 to ${count - 1}`
    : indexes.length === 0
      ? 'nothing of it is kept: reject it instead'
      : indexes.length === count
        ? 'all of it is kept: approve it instead'
        : undefined;
  if (reason !== undefined) throw new Refusal('ARGUMENT_INVALID', `Cannot approve this part: ${reason}`);
}

function partOfFile(whole: PlanFile, edits: readonly Edit[], context: PartContext) {
  const { policy, sandbox } = context;
  const { file, base, base_sha256 } = whole;
  const path = sandbox.parse(file);
  const after = splice(base, edits);
  const changes = changesOfPart(whole, edits, path, policy.limits);
  const notes = requireSchemas({ path, base, after }, context);
  const shown = recomputePreview((name) => sandbox.parse(name), policy.limits)(file, base, after, edits);
  const [old, result] = [base, after].map((text) => readConfigFile(path, text, policy.limits));
  if (old === undefined || result === undefined) throw new Error('two texts were read');
  const { warnings } = describeEdit(old, result, { edits, changes, isNoop: base === after });
  return {
    file: { file, base, base_sha256, result_sha256: sha256Hex(after), edits, ...shown, changes },
    warnings: [...warnings, ...notes],
  };
}

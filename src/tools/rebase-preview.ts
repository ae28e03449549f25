// What is said where a file is not the one that a preview was made for: what has changed since, whether that is in
// the way, and where it is not, the same change previewed anew. Nothing is planned again: the very edits that were
// shown are carried over and proven, so that no index and no pattern can hit what nobody saw.
import { type Rebased, rebaseChange, recomputePreview, unifiedDiff } from '../adapters/index.ts';
import {
  canonicalJson,
  ERROR_CATEGORIES,
  type PlanFile,
  Refusal,
  type Snapshot,
  type StoredPlan,
  VerifiedEdit,
  visibleLine,
} from '../security/index.ts';
import { driftedFile, type FileConflict, inWords } from './conflicts.ts';
import { propose } from './propose.ts';
import type { CallContext } from './tool.ts';

interface Moved {
  readonly file: PlanFile;
  readonly snapshot: Snapshot;
  readonly way: Rebased;
}

/** Files of the plan as they are now, not all of which are its base. Answers the FILE_CHANGED that is to be thrown. */
export async function driftOf(
  stored: StoredPlan,
  now: readonly Snapshot[],
  context: CallContext,
): Promise<Refusal> {
  const { files } = stored.plan;
  const moved: Moved[] = [];
  for (const [index, snapshot] of now.entries()) {
    const file = files[index];
    if (file === undefined) throw new Error('the files are those of the plan');
    await context.pause();
    const way = carried(file, snapshot, context);
    if (way instanceof Refusal) return unreadable(file.file, way);
    moved.push({ file, snapshot, way });
  }
  return answer(stored, moved, context);
}

/** A refusal is about the file as it is now: the plan's own texts were read when it was loaded. */
function carried({ base, edits, changes }: PlanFile, now: Snapshot, context: CallContext): Rebased | Refusal {
  const comments = changes.filter(({ op }) => op === 'comment');
  try {
    return rebaseChange({ path: now.path, old: base, edits, comments, now: now.text }, context.policy.limits);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

function unreadable(file: string, { where, clues }: Refusal): Refusal {
  return new Refusal(
    'FILE_CHANGED',
    `Cannot apply this preview: the file has changed since, and can no longer be read`,
    { ...where, file },
    {
      problems: clues.problems ?? [],
      advice: ['Have a person mend the file, then preview the change again'],
    },
  );
}

async function answer(stored: StoredPlan, moved: readonly Moved[], context: CallContext): Promise<Refusal> {
  const changed = moved.filter(({ file, snapshot }) => file.base_sha256 !== snapshot.sha256);
  const [first] = changed;
  const drift = changed.map(({ file, way }) =>
    driftedFile({ file: file.file, drift: 'conflict' in way ? way.conflict.drift : way.drift }),
  );
  const clues = { drift, ...(first === undefined ? {} : { actualSha256: first.snapshot.sha256 }) };
  const refusal = (reason: string, file: string | undefined, more: object): Refusal =>
    new Refusal('FILE_CHANGED', `Cannot apply this preview: ${reason}`, { file }, { ...clues, ...more });
  const [conflict] = moved.flatMap(({ file, way }): FileConflict[] =>
    'conflict' in way ? [{ file: file.file, ...way.conflict }] : [],
  );
  if (conflict !== undefined)
    return refusal(`${inWords(conflict)}. Nothing was written.`, conflict.file, wayOn(stored));
  const file = first?.file.file;
  const name = visibleLine(file ?? '');
  const anew = await previewAnew(stored, moved, context).catch(unlessRefused);
  if (anew === undefined)
    return refusal(
      `${name} has changed since, and the change would not be the one that was shown.`,
      file,
      wayOn(stored),
    );
  return refusal(
    `${name} has changed since, but not where the change is. The same change is previewed anew for the file as it is now.`,
    file,
    {
      ...anew,
      advice: [
        'RecomputePreview at the new preview, and apply that',
        ...(context.policy.approval === 'human'
          ? ['The new preview waits for the approval of a person again']
          : []),
      ],
    },
  );
}

/** An undoing that is in nobody's way was carried over; one that is not would only be refused again. */
function wayOn({ plan, askAgain }: StoredPlan): object {
  const advice = ['RecomputePreview at what changed since, then preview the change again'];
  return plan.origin.kind === 'revert' ? { advice } : { advice, again: askAgain };
}

/** A schema that the new file would break, for one. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof Refusal && ERROR_CATEGORIES[error.code] === 'execution') return undefined;
  throw error;
}

const PREVIEW = ['preview_id', 'expires_at', 'files', 'warnings'] as const;

/** Undefined where it would show something else than the preview did, or cannot be kept. */
async function previewAnew({ plan }: StoredPlan, moved: readonly Moved[], context: CallContext) {
  const edits: VerifiedEdit[] = [];
  for (const { file, snapshot, way } of moved) {
    if ('conflict' in way) return undefined;
    await context.pause();
    const edit = VerifiedEdit.prove(snapshot, way.proof.edits, way.proof.check);
    if (!showsTheSame(edit, file, context)) return undefined;
    edits.push(edit);
  }
  const { tool, origin } = plan;
  const request: Readonly<Record<string, unknown>> = { ...Object(plan.request) };
  const { data } = await propose({ edits, dryRun: true, tool, request, origin }, context);
  const preview = Object.fromEntries(PREVIEW.map((name) => [name, data[name]]));
  const diff = edits.map(({ snapshot: { path, text }, after, edits: own }) =>
    unifiedDiff(path.toString(), text, after, own),
  );
  const id = data['preview_id'];
  return typeof id === 'string' ? { previewId: id, preview, diff: diff.join('') } : undefined;
}

/** Beside the data, which is proven: the comments that go, and what follows through aliases. */
function showsTheSame(
  { snapshot, after, edits }: VerifiedEdit,
  file: PlanFile,
  context: CallContext,
): boolean {
  const recompute = recomputePreview((path) => context.sandbox.parse(path), context.policy.limits);
  const { removed_comments, also_affects } = recompute(file.file, snapshot.text, after, edits);
  const { removed_comments: goes, also_affects: follows } = file;
  return canonicalJson([removed_comments, also_affects]) === canonicalJson([goes, follows]);
}

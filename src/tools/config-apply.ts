// config_apply writes exactly what a stored preview showed, or nothing. Everything is checked again: the preview itself, the
// policy, the approval, the files, the proof. Where it waits for a person, it says so.
import { z } from 'zod';
import {
  type Approved,
  commitEdits,
  type KeptChange,
  Refusal,
  recoverRoots,
  type StoredPreview,
  shortId,
} from '../security/index.ts';
import { approvePreview, asksFirst } from './approve-preview.ts';
import { appliedReply } from './edit-reply.ts';
import { loadPreview } from './own.ts';
import { proveAgain, unchangedFiles } from './prove-again.ts';
import type { AskedAbout } from './question.ts';
import { rulesApplied } from './rule-notes.ts';
import { shownBefore } from './shown-edits.ts';
import { type CallContext, type Reply, stateOf, tool } from './tool.ts';

export const configApply = tool({
  name: 'config_apply',
  title: 'Apply a preview',
  description:
    'Writes exactly what a preview showed, once, if the files are unchanged; says whose approval is missing.',
  input: z.strictObject({ preview_id: z.string() }),
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  async run({ preview_id: id }, context): Promise<Reply> {
    const preview = await load(id, context);
    // The edits are proven first, so that nobody is asked about a change that can no longer be made.
    const shown = asksFirst(preview, context) ? await proveAgain(preview, context) : undefined;
    const approved = await approvedOrChanged(preview, shown, context);
    const { edits, verdict } = await proveAgain(preview, context);
    const { files, warnings } = preview.record;
    const { confirmedBy: confirmed_by, reviewer } = approved;
    const who = reviewer === undefined ? { confirmed_by } : { confirmed_by, reviewer };
    const by_rules = rulesApplied(verdict, context.policy);
    const { sandbox, requestId } = context;
    const request = { state: stateOf(context), preview: approved, verdict, by_rules, requestId };
    await context.pause();
    const change_id = await context.criticalSection(() =>
      askingAgain(preview, () => commitEdits(sandbox, edits, request)),
    );
    return appliedReply(shownBefore(files), { change_id, ...who }, warnings);
  },
});

/** Approves it. Throws FILE_CHANGED rather than APPROVAL_REQUIRED: nobody can approve a change of files that have changed. */
async function approvedOrChanged(
  preview: StoredPreview,
  shown: AskedAbout | undefined,
  context: CallContext,
): Promise<Approved> {
  try {
    return await approvePreview(preview, shown, context);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'APPROVAL_REQUIRED') await unchangedFiles(preview, context);
    throw error.at({ file: preview.record.files[0]?.file });
  }
}

async function load(id: string, context: CallContext): Promise<StoredPreview> {
  try {
    return await loadPreview(id, context);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'PREVIEW_USED') throw error;
    const change = await changeOf(id, context);
    // The caller of a second apply wants to know what happened to the file.
    if (change?.state !== 'open') throw error.at({ file: change?.files[0]?.file });
    return settled(id, change, context);
  }
}

/** Undoes what a process that has ended was applying; throws BUSY where that fails. */
async function settled(
  id: string,
  { id: changeId, files }: KeptChange,
  context: CallContext,
): Promise<StoredPreview> {
  const { sandbox, state, criticalSection } = context;
  await criticalSection(() => recoverRoots(sandbox, state));
  if ((await changeOf(id, context))?.state !== 'open') return loadPreview(id, context);
  throw new Refusal(
    'BUSY',
    `Cannot apply this preview: it is being applied right now, as change ${shortId('ch', changeId)}, or the process that did so has ended on another machine. Try again in a moment.`,
    { file: files[0]?.file },
  );
}

async function changeOf(id: string, context: CallContext): Promise<KeptChange | undefined> {
  const { previews, changes } = stateOf(context);
  return changes.find((await previews.idOf(id)) ?? '');
}

/** Runs `work`; a file that changed in the last moment is refused as if it had been found before. */
async function askingAgain<Result>(preview: StoredPreview, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof Refusal && error.code === 'FILE_CHANGED'
      ? error.hinting({ again: preview.repeatedCall })
      : error;
  }
}

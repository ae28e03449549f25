// Makes the views of applied changes for a person.

import { Refusal } from '../security/errors/refusal.ts';
import { type Backend, newestFirst } from '../security/state/backend.ts';
import { displayLine } from '../security/text/visible.ts';
import { canonicalJson } from '../state/canonical.ts';
import type { KeptChange, ListedChange } from '../state/event.ts';
import { maskedNow } from '../tools/index.ts';
import { askedByText, type FileView, fileView, type ViewContext } from './file-view.ts';
import { titleOfWrite, type WrittenFile, writtenFile } from './summary.ts';

export interface ChangeView extends Pick<KeptChange, 'id' | 'at' | 'confirmed_by' | 'origin'> {
  readonly reviewer?: string;
  readonly asked_by: string;
  /** The reason in the agent's own words, which nobody has checked. */
  readonly reason?: string;
  /** `open` means that it may still run. `unknown` means that it was interrupted, and its files were changed by others since. */
  readonly state: KeptChange['state'];
  /** The id of the change that has undone it. */
  readonly undone_by?: string;
  /** What it changed: `Set replicas in a.yaml`. */
  readonly title: string;
  readonly files: readonly string[];
}

export interface ChangeDetails extends Omit<ChangeView, 'files'> {
  /** The files. Their state compares the present file with the file before the change. */
  readonly files: readonly FileView[];
}

const MAX_LISTED = 100;

/** Lists the changes, newest first. */
export async function listChanges(backend: Backend): Promise<readonly ChangeView[]> {
  const views: ChangeView[] = [];
  for await (const change of newestFirst(backend)) {
    if (views.length >= MAX_LISTED) break;
    views.push(changeView(change));
  }
  return views;
}

/** Shows one change. Throws CHANGE_NOT_FOUND. */
export async function changeDetails(id: string, context: ViewContext): Promise<ChangeDetails> {
  const change = await requireChange(id, context.backend);
  const files = change.files.map((file) => fileView(context, maskedNow(file, context)));
  return { ...changeView({ ...change, files: change.files.map(writtenFile) }), files };
}

/** Returns the signed approvals of a change, each as a line of canonical JSON. */
export async function approvalsOf(
  id: string,
  { backend, state: { store } }: ViewContext,
): Promise<readonly string[]> {
  const { id: preview, confirmed_by, reviewer = '' } = await requireChange(id, backend);
  if (confirmed_by !== 'human')
    throw new Refusal(
      'CHANGE_NOT_FOUND',
      `Cannot print a record: no reviewer has signed this change, it was confirmed by: ${confirmed_by}.`,
    );
  const { decisions } = await store.statusOf(preview);
  // The change names the reviewers whose approval counted. The last approval of each one is the one that counted.
  return reviewer.split(', ').flatMap((name) => {
    const own = decisions.filter((one) => one.reviewer === name && one.type === 'approved');
    const signed = own.at(-1)?.signed;
    return signed === undefined ? [] : [canonicalJson(signed)];
  });
}

/** Finds a change. Throws CHANGE_NOT_FOUND. */
export async function requireChange(id: string, backend: Backend): Promise<KeptChange> {
  const change = await backend.change({ name: id });
  if (change !== undefined) return change;
  throw new Refusal(
    'CHANGE_NOT_FOUND',
    'Cannot show this change: no change with this id was applied here, or its record was dropped.',
    {},
    { advice: ['List what was applied with the command "history"'] },
  );
}

function changeView(
  change: Omit<ListedChange, 'order' | 'files'> & { readonly files: readonly WrittenFile[] },
): ChangeView {
  const { id, at, confirmed_by, reviewer, caller, origin, reason, state, undoneBy, files } = change;
  return {
    ...{ id, at, confirmed_by, origin, state },
    ...(reviewer === undefined ? {} : { reviewer: displayLine(reviewer) }),
    asked_by: askedByText(caller),
    ...(reason === undefined ? {} : { reason: displayLine(reason) }),
    ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
    title: titleOfWrite(files),
    files: files.map(({ file }) => displayLine(file)),
  };
}

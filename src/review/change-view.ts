// The view of applied changes for a person.
import { type Changes, displayLine, type KeptChange, type ListedChange, Refusal } from '../security/index.ts';
import { maskedNow } from '../tools/index.ts';
import { callerText, type FileView, fileView, type ViewContext } from './file-view.ts';

export interface ChangeView extends Pick<KeptChange, 'id' | 'at' | 'confirmed_by' | 'origin'> {
  readonly reviewer?: string;
  readonly asked_by: string;
  /** The reason in the agent's own words, which nobody has checked. */
  readonly reason?: string;
  /** The preview that was applied; undefined for a direct write. */
  readonly preview_id?: string;
  /** `open` means that it is not known to be finished; `unknown` means that it was interrupted, and its files hold something else. */
  readonly state: KeptChange['state'];
  /** The id of the change that has undone it. */
  readonly undone_by?: string;
  readonly files: readonly string[];
}

export interface ChangeDetails extends Omit<ChangeView, 'files'> {
  /** The files; their state compares with the file before the change. */
  readonly files: readonly FileView[];
}

const MOST_LISTED = 100;

/** Lists the changes, newest first. */
export async function listChanges(changes: Changes): Promise<readonly ChangeView[]> {
  const views: ChangeView[] = [];
  for await (const change of changes.newestFirst()) {
    if (views.length >= MOST_LISTED) break;
    views.push(changeView(change));
  }
  return views;
}

/** Shows one change. Throws CHANGE_NOT_FOUND. */
export async function changeDetails(
  id: string,
  changes: Changes,
  context: ViewContext,
): Promise<ChangeDetails> {
  const change = await changes.find(id);
  if (change === undefined)
    throw new Refusal(
      'CHANGE_NOT_FOUND',
      'Cannot show this change: no change with this id was applied here, or its record was dropped.',
      {},
      { advice: ['List what was applied with the command "history"'] },
    );
  const files = change.files.map((file) => fileView(context, maskedNow(file, context)));
  return { ...changeView(change), files };
}

function changeView(change: Omit<ListedChange, 'order'>): ChangeView {
  const { id, at, confirmed_by, reviewer, caller, origin, reason, preview, state, undoneBy, files } = change;
  return {
    ...{ id, at, confirmed_by, origin, state },
    ...(reviewer === undefined ? {} : { reviewer: displayLine(reviewer) }),
    asked_by: callerText(caller),
    ...(reason === undefined ? {} : { reason: displayLine(reason) }),
    ...(preview === undefined ? {} : { preview_id: displayLine(preview) }),
    ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
    files: files.map(({ file }) => displayLine(file)),
  };
}

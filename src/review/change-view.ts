// What a person is shown of the changes that were applied.
import { type ChangeStore, displayLine, type RecordedChange, Refusal } from '../security/index.ts';
import { maskedNow } from '../tools/index.ts';
import { callerText, type FileView, fileView, type ViewContext } from './file-view.ts';

export interface ChangeView extends Pick<RecordedChange, 'id' | 'at' | 'confirmed_by' | 'origin'> {
  readonly reviewer?: string;
  readonly asked_by: string;
  /** In the agent's own words, which nobody has checked. */
  readonly reason?: string;
  /** The preview that was applied; a direct write had none. */
  readonly preview_id?: string;
  /** Not known to be finished. */
  readonly is_open: boolean;
  /** Whether the audit trail knows of it. */
  readonly is_recorded: boolean;
  /** The change that has undone it. */
  readonly undone_by?: string;
  readonly files: readonly string[];
}

export interface ChangeDetails extends Omit<ChangeView, 'files'> {
  /** Their state compares with the file before the change. */
  readonly files: readonly FileView[];
}

const MOST_LISTED = 100;

/** Newest first. */
export function listChanges(changes: ChangeStore): readonly ChangeView[] {
  const applied = appliedIn(changes);
  const undone = undoneIn(applied);
  return applied.slice(0, MOST_LISTED).map((change) => changeView(change, undone.get(change.id)));
}

/** Throws CHANGE_NOT_FOUND. */
export function changeDetails(id: string, changes: ChangeStore, context: ViewContext): ChangeDetails {
  const change = changes.find(id);
  if (change === undefined)
    throw new Refusal(
      'CHANGE_NOT_FOUND',
      'Cannot show this change: no change with this id was applied here, or its record was dropped.',
      {},
      { advice: ['List what was applied with the command "history"'] },
    );
  const files = change.files.map((file) => fileView(context, maskedNow(file, context)));
  return { ...changeView(change, undoneIn(appliedIn(changes)).get(change.id)), files };
}

function appliedIn(changes: ChangeStore): readonly RecordedChange[] {
  return changes.ids().flatMap((id) => changes.find(id) ?? []);
}

/** The id of a change → that of the one which has undone it. */
function undoneIn(applied: readonly RecordedChange[]): ReadonlyMap<string, string> {
  return new Map(
    applied.flatMap(({ id, origin, isOpen, isRecorded }) =>
      origin.kind === 'revert' && !isOpen && isRecorded ? [[origin.change_id, id] as const] : [],
    ),
  );
}

function changeView(change: RecordedChange, undoneBy: string | undefined): ChangeView {
  const { id, at, confirmed_by, reviewer, caller, origin, reason, preview, isOpen, isRecorded, files } =
    change;
  return {
    ...{ id, at, confirmed_by },
    ...(reviewer === undefined ? {} : { reviewer: displayLine(reviewer) }),
    asked_by: callerText(caller),
    ...(reason === undefined ? {} : { reason: displayLine(reason) }),
    origin,
    ...(preview === undefined ? {} : { preview_id: displayLine(preview) }),
    is_open: isOpen,
    is_recorded: isRecorded,
    ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
    files: files.map(({ file }) => displayLine(file)),
  };
}

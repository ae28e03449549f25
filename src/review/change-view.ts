// What a person is shown of a change that was applied.
import type { ConfirmedBy, Plan, RecordedChange } from '../security/index.ts';
import { type FileView, lineForEyes } from './file-view.ts';

export interface ChangeView {
  readonly id: string;
  readonly at: string;
  readonly confirmed_by: ConfirmedBy;
  readonly reviewer?: string;
  readonly asked_by: string;
  readonly origin: Plan['origin'];
  /** The preview that it was; a direct write had none. */
  readonly plan?: string;
  /** Not known to be carried through. */
  readonly is_open: boolean;
  /** Whether the audit trail knows of it. */
  readonly is_recorded: boolean;
  /** The change that has taken it back. */
  readonly undone_by?: string;
  readonly files: readonly string[];
}

export interface ChangeDetails extends Omit<ChangeView, 'files'> {
  /** Whose standing is against the file before the change. */
  readonly files: readonly FileView[];
}

export function changeView(change: RecordedChange, undoneBy: string | undefined): ChangeView {
  const { id, at, confirmed_by, reviewer, caller, origin, plan, isOpen, isRecorded, files } = change;
  return {
    ...{ id, at, confirmed_by },
    ...(reviewer === undefined ? {} : { reviewer: lineForEyes(reviewer) }),
    asked_by: lineForEyes(`${caller.name} ${caller.version}`.trim().slice(0, 100)),
    origin,
    ...(plan === undefined ? {} : { plan: lineForEyes(plan) }),
    is_open: isOpen,
    is_recorded: isRecorded,
    ...(undoneBy === undefined ? {} : { undone_by: undoneBy }),
    files: files.map(({ file }) => lineForEyes(file)),
  };
}

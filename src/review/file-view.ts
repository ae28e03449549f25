// Makes the view of one file of a preview or a change for a person. It is computed from the text and the edits, and not from what is
// recorded about them. In its texts every character is visible, and none controls a terminal.

import { readVersions } from '../adapters/formats/registry.ts';
import { describeEdit, shownAnew } from '../adapters/review/describe-edit.ts';
import { type Change, splice, versionsOf } from '../security/edits/edit.ts';
import type { Policy } from '../security/policy/policy.ts';
import type { Sandbox } from '../security/sandbox/sandbox.ts';
import type { Backend } from '../security/state/backend.ts';
import type { State } from '../security/state/state.ts';
import { displayDiff, displayLine, displayText } from '../security/text/visible.ts';
import type { Caller, PreviewFile } from '../state/preview.ts';
import { folderNotes, isChanged, notesOn } from '../tools/index.ts';

/**
 * The state of the file now; `changed` means that it differs from the preview's base, so that the preview cannot be applied.
 * `elsewhere` means that it is on another machine.
 */
export type FileState = 'same' | 'changed' | 'unreadable' | 'elsewhere';

/** Explains each state but `same` to a reviewer. */
export const STATE_TEXTS = {
  changed:
    'The file has changed since this was requested. When the agent applies the change, it is previewed for the file as it is then.',
  unreadable: 'The file can no longer be read. As it is, the change cannot be applied.',
  elsewhere:
    'The file is on another machine. Whether it has changed since is checked when the change is applied.',
} as const;

export interface FileView extends Omit<PreviewFile, 'base' | 'edits' | 'mode' | 'folders' | 'places'> {
  readonly warnings: readonly string[];
  readonly state: FileState;
}

export interface ViewContext {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  readonly state: State;
  readonly backend: Backend;
}

/** Makes the view. Throws if the texts cannot be read. */
export function fileView({ policy, sandbox }: ViewContext, stored: PreviewFile): FileView {
  const { file, base, edits } = stored;
  const after = splice(base, edits);
  const path = sandbox.parse(file);
  const shown = shownAnew(path, stored, policy.limits);
  const versions = versionsOf(stored.file_op, base, after);
  const [old, result] = readVersions(path, versions, policy.limits);
  const described = { edits, changes: shown.changes, isNoop: versions[0] === versions[1] };
  const { warnings } = describeEdit(old, result, described);
  const notes = notesOn({ path, base: old, result }, { policy, sandbox });
  return {
    file: displayLine(file),
    diff: displayDiff(shown.diff),
    changes: shown.changes.map(visibleChange),
    removed_comments: shown.removed_comments.map(displayLine),
    also_affects: shown.also_affects.map(displayLine),
    warnings: [...folderNotes(stored.folders), ...warnings, ...notes].map(displayLine),
    ...(stored.file_op === undefined ? {} : { file_op: stored.file_op }),
    base_sha256: stored.base_sha256,
    result_sha256: stored.result_sha256,
    state: stateOf(sandbox, stored),
  };
}

/** Returns the name that the client gave itself, which nobody has verified. */
export function callerText({ name, version }: Caller): string {
  return displayLine(`${name} ${version}`.trim().slice(0, 100));
}

/** Returns who asked: the verified principal and the client's own name. Without a principal it says that the name is unverified. */
export function askedByText(caller: Caller): string {
  if (caller.principal === undefined) return `${callerText(caller)} (unverified name)`;
  const principal = displayLine(caller.principal.slice(0, 100));
  return caller.name === 'unknown' ? principal : `${principal} (${callerText(caller)})`;
}

function visibleChange({ from, to, path, ...change }: Change): Change {
  return {
    ...change,
    path: path === '' ? wholePathText(change.op) : displayLine(path),
    ...(from === undefined ? {} : { from: displayText(from) }),
    ...(to === undefined ? {} : { to: displayText(to) }),
  };
}

/** Returns the text for a change without a path. A key with this text would be shown in quotes. */
function wholePathText(op: Change['op']): string {
  return op === 'create' || op === 'delete' ? '(the whole file)' : '(the whole document)';
}

function stateOf(sandbox: Sandbox, stored: PreviewFile): FileState {
  if (!sandbox.hasRoots) return 'elsewhere';
  try {
    const path = sandbox.parse(stored.file);
    const now = stored.file_op === 'create' ? sandbox.openAbsent(path) : sandbox.open(path).read();
    return isChanged(stored, now) ? 'changed' : 'same';
  } catch {
    return 'unreadable';
  }
}

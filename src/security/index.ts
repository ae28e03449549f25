// The door of the room that touches the disk. Capabilities (Sandbox, SafePath, SandboxFile, Snapshot,
// VerifiedEdit, Log) can be held and passed on, but made only by the functions named here.
export { BUILT_IN_DENYLIST } from './checks/denylist.ts';
export type { CommitReport, CommittedFile } from './commit/commit.ts';
export type { Containment } from './containment/held.ts';
export { keepOutOfCoreDumps } from './core-dump.ts';
export {
  type AuditOutcome,
  type AuditRecord,
  LOG_LEVELS,
  type LogFields,
  type LogFormat,
  type LogLevel,
} from './log/fields.ts';
export { createLog, Log, type LogOptions } from './log/log.ts';
export { disguisedLetters, replaceLookAlikes } from './look-alike.ts';
export { readOperatorFile } from './operator-file.ts';
export * from './policy.ts';
export * from './refusal.ts';
export * from './review/edit.ts';
export { type Check, VerifiedEdit } from './review/verified-edit.ts';
export type { ListedFile, Listing } from './sandbox/list.ts';
export { openSandbox } from './sandbox/open-sandbox.ts';
export { SafePath } from './sandbox/safe-path.ts';
export { type ListQuery, Sandbox } from './sandbox/sandbox.ts';
export { SandboxFile } from './sandbox/sandbox-file.ts';
export { Snapshot } from './sandbox/snapshot.ts';
export { StartError } from './start-error.ts';
export { quoted, visible, visibleLine } from './visible.ts';

// The door of the room that touches the disk. Capabilities (Sandbox, SafePath, SandboxFile, Snapshot,
// VerifiedEdit, Log) can be held and passed on, but made only by the functions named here.

export { Ledger } from './audit/ledger.ts';
export { AuditTrail } from './audit/trail.ts';
export { type TrailVerdict, verifyTrail } from './audit/verify.ts';
export { BUILT_IN_DENYLIST } from './checks/denylist.ts';
export { requireWritable } from './checks/read-only.ts';
export { columnsOf } from './columns.ts';
export { previewRequired } from './commit/permission.ts';
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
export { openSandbox, openUnsettled, reopenSandbox } from './sandbox/open-sandbox.ts';
export { SafePath } from './sandbox/safe-path.ts';
export { type ListQuery, Sandbox } from './sandbox/sandbox.ts';
export { SandboxFile } from './sandbox/sandbox-file.ts';
export { Snapshot } from './sandbox/snapshot.ts';
export { StartError } from './start-error.ts';
export { APPROVALS, type Approval } from './state/approval.ts';
export {
  Approved,
  approvedAtTerminal,
  approvedByClient,
  approvedByPreview,
  approvedByReviewer,
  type ConfirmedBy,
  declined,
} from './state/approved.ts';
export type { Caller } from './state/caller.ts';
export { canonicalJson, contentId, isContentId, sha256Hex } from './state/canonical-json.ts';
export { type ChangeDraft, ChangeStore, type RecordedChange } from './state/change-store.ts';
export { ClaimedPlan } from './state/claimed-plan.ts';
export { type SignedDecision, signDecision } from './state/decision.ts';
export { DecisionStore, type Standing } from './state/decision-store.ts';
export { createKeyFile, hasKeyFile, readKeyFile } from './state/key-file.ts';
export type { Origin, Plan, PlanFile } from './state/plan.ts';
export { type PlanDraft, PlanStore, type SavedPlan } from './state/plan-store.ts';
export {
  makeReviewerKey,
  openReviewerKey,
  type Reviewer,
  type ReviewerKey,
  readReviewers,
  reviewerOf,
} from './state/reviewers.ts';
export { settleFailed, settleOrphans } from './state/settle.ts';
export {
  openState,
  reopenState,
  requireStateThere,
  type State,
  type StateHandle,
  type StateSource,
  startExpiryTimer,
  tidy,
  toHandle,
} from './state/state.ts';
export { hasStateDir, openStateDir, StateDir } from './state/state-dir.ts';
export { type RecomputePreview, StoredPlan } from './state/stored-plan.ts';
export { quoted, visible, visibleLine, visibleLineOnce, withFewMarks } from './visible.ts';

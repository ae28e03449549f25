// Entry point of the only layer that touches the disk. Capabilities (Sandbox, SafePath, SandboxFile, Snapshot,
// VerifiedEdit, Log) can be held and passed on, but made only by the functions named here.
export { canonicalJson, isContentId, isShortId, randomHex, sha256Hex, shortId } from '../state/canonical.ts';
export type { Decision, Event, KeptChange, ListedChange, PreviewStatus } from '../state/event.ts';
export {
  type Caller,
  isWhole,
  type KeptFile,
  type Origin,
  type Preview,
  type PreviewFile,
  type RuleNote,
  type SkippedFile,
  type WholePreview,
} from '../state/preview.ts';
export type { WaitingPreview } from '../state/previews.ts';
export { ENGINE_PACKAGE } from '../state/sqlite.ts';
export type { Store } from '../state/store.ts';
export { type TrailRow, trailPages } from '../state/trail.ts';
export { approvalDeclined, approvalDeclinedAtClient, type Confirmation } from './approval/approved.ts';
export type { DecisionStatus } from './approval/decisions.ts';
export { createKeyFile, hasKeyFile, readKeyFile } from './approval/key-file.ts';
export {
  type Asker,
  isOwn,
  isServed,
  ownerOf,
  type PreviewDraft,
  proposersOf,
  repeatedCallOf,
  requireWhole,
  type StoredPreview,
  withProposers,
} from './approval/preview.ts';
export { countsForNone, isOneOf, progressText } from './approval/quorum.ts';
export {
  claimedKeyId,
  makeReviewerKey,
  openReviewerKey,
  type ReviewerKey,
  sealReviewerKey,
} from './approval/reviewer-key.ts';
export {
  mayApprove,
  type Reviewer,
  readReviewers,
  requireApprovers,
  reviewerOf,
} from './approval/reviewers.ts';
export {
  type ApprovalRecord,
  MAX_NOTE_CHARACTERS,
  RECORDED_AS,
  type SignedDecision,
  type StatedChange,
  type StatedFile,
  type Statement,
  signDecision,
  signedAt,
  statedChange,
  statementIn,
  verifiedRecord,
} from './approval/statement.ts';
export {
  createLog,
  LOG_LEVELS,
  Log,
  type LogFields,
  type LogFormat,
  type LogLevel,
  type LogOptions,
} from './audit/log.ts';
export { type AuditEvent, recordedEvent } from './audit/recorded-event.ts';
export { checkedLogPath } from './audit/sink.ts';
export { type TrailVerdict, verifyTrail } from './audit/verify.ts';
export type { Containment } from './containment/held.ts';
export { checkedProgram } from './containment/operator-program.ts';
export * from './edits/edit.ts';
export { maskedAgain } from './edits/edit.ts';
export { type Check, exactEdit, type FileWrite, fileWriteOf, VerifiedEdit } from './edits/verified-edit.ts';
export * from './errors/refusal.ts';
export { ignoring, ioRefusal } from './errors/refusal.ts';
export { type ErrorCode, type Look, meaningOf, REFUSALS } from './errors/refusals.ts';
export { StartError } from './errors/start-error.ts';
export { keepOutOfCoreDumps } from './fs/core-dump.ts';
export { ownThread, stopwatch } from './fs/thread-time.ts';
export * from './node-paths/node-path.ts';
export { misreadKey } from './node-paths/node-path.ts';
export * from './node-paths/parse-path.ts';
export { BUILT_IN_DENYLIST, ENV_FILES } from './paths/denylist.ts';
export { splitExclusions } from './paths/glob.ts';
export { compileMasked, compileShown } from './paths/masking-patterns.ts';
export { compileAllow, type PathTest } from './paths/operator-pattern.ts';
export { SafePath } from './paths/safe-path.ts';
export { isAlike } from './policy/alike.ts';
export { whatHolds, whatPasses } from './policy/allowed.ts';
export * from './policy/change-policy.ts';
export { levelOf } from './policy/constraints.ts';
export { loadEngines, loadVersions, semver } from './policy/engines.ts';
export * from './policy/facts.ts';
export {
  compileRules,
  type FileMatch,
  type Finding,
  type Judgement,
  judge,
  type Rules,
} from './policy/judge.ts';
export {
  APPROVALS,
  type Approval,
  type ConfirmedBy,
  isStricter,
  LEVELS,
  type Level,
  strictest,
} from './policy/levels.ts';
export { readOperatorFile, readPlainFile } from './policy/operator-file.ts';
export * from './policy/policy.ts';
export { PolicyFault } from './policy/policy-fields.ts';
export { readChangePolicy, readWithAllFaults } from './policy/read-change-policy.ts';
export { type FileFinding, type Verdict, verdictOnAll } from './policy/verdict.ts';
export { requireApart } from './sandbox/absence.ts';
export type { FileOpener } from './sandbox/file-opener.ts';
export type { ClosedFiles, ListedFile, Listing } from './sandbox/list.ts';
export {
  openSandbox,
  reopenSandbox,
  requireLogOutside,
  requireServablePolicy,
} from './sandbox/open-sandbox.ts';
export { type ListQuery, maskedSandbox, Sandbox } from './sandbox/sandbox.ts';
export { type ScratchFolder, withScratchFolder } from './sandbox/scratch-folder.ts';
export { asPreviewed, Snapshot, type Sought } from './sandbox/snapshot.ts';
export { type WriteGuard, writeGuard } from './sandbox/write-guard.ts';
export { isConfigText } from './secrets/config-text.ts';
export { findInLines, PAIR_NAME_KEYS, PAIR_VALUE_KEYS } from './secrets/find-in-lines.ts';
export { findInManifests } from './secrets/find-in-manifests.ts';
export { findInPlainText } from './secrets/find-in-plain-text.ts';
export { mayHoldSecret } from './secrets/find-in-text.ts';
export type { FoundSecret, MaskedBy } from './secrets/found-secret.ts';
export { keptPlaceholders } from './secrets/kept-placeholders.ts';
export { type IsSecretName, isSecretName } from './secrets/key-names.ts';
export type { SecretSpan } from './secrets/masked-text.ts';
export { Masking, type MaskText } from './secrets/masking.ts';
export { isReference } from './secrets/references.ts';
export { NOTHING_FOUND, searchEdited, searchText, type TextSearch } from './secrets/search-text.ts';
export { isOrdinary, kindsShownFor, secretPartsOf } from './secrets/secret-name.ts';
export { isEncrypted, isStandIn, secretParts } from './secrets/secret-values.ts';
export { signingKeyOf } from './secrets/signing-key.ts';
export { maskingReason, secretTouched, secretWritten } from './secrets/touched-secret.ts';
export {
  type Answer,
  type Asked,
  type Backend,
  backendOf,
  newestFirst,
  type Question,
  type SavedPreview,
} from './state/backend.ts';
export {
  closeStore,
  type PostgresSource,
  type StateLocation,
  setUpPostgres,
  withStore,
} from './state/open-store.ts';
export {
  openState,
  requireServable,
  type State,
  type StateSource,
  shortageOf,
  startExpiryTimer,
  tidy,
} from './state/state.ts';
export { hasStateDir, openStateDir } from './state/state-dir.ts';
export { maxColumns, rowsWithin, TAB_SIGN, usualColumns, withVisibleTabs } from './text/columns.ts';
export { disguisedLetters, lazily, looksLike, replaceLookAlikes } from './text/look-alikes.ts';
export { matchesStars, matchesWildcard } from './text/match-sequence.ts';
export { cutsPlaceholder, holdsPlaceholder, outsidePlaceholders, PLACEHOLDERS } from './text/placeholders.ts';
export {
  displayDiff,
  displayLine,
  displayText,
  quoted,
  visible,
  visibleLine,
  visibleLineOnce,
} from './text/visible.ts';
export { recoverRoots, withLockOf } from './writer/commit.ts';
export { previewRequired, requireReplaceable, requireWritable } from './writer/permission.ts';

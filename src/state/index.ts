// The entry point of the lowest layer, which keeps data from call to call. It knows nothing about files. The layer above checks the path
// of a database and passes it in.
export {
  canonicalJson,
  parseCanonical,
  parsedJson,
  randomHex,
  sha256Hex,
} from './canonical-json.ts';
export { contentId, isContentId, isShortId, shortId } from './content-id.ts';
export {
  type Decision,
  decisionShape,
  decodeEvent,
  type Event,
  type EventType,
  type SignedDecision,
  signedDecisionShape,
} from './event.ts';
export { type FaultKind, NoEngine, StateFault } from './fault.ts';
export type { OperatorFile, PostgresOptions } from './postgres/options.ts';
export { openPostgres, postgresAddress } from './postgres.ts';
export {
  type EncodedPreview,
  encodePreview,
  isWhole,
  type KeptFile,
  needShape,
  type Origin,
  type Preview,
  type PreviewBody,
  type PreviewFile,
  type RuleNote,
  type SkippedFile,
  type WholePreview,
} from './preview.ts';
export type { OpenWrite, WaitingPreview } from './previews.ts';
export { oneAfterAnother } from './queue.ts';
export { Recent } from './recent.ts';
export { ENGINE_PACKAGE, openSqlite, type SqliteOptions } from './sqlite.ts';
export {
  changeOf,
  type KeptChange,
  type ListedChange,
  type PreviewStatus,
} from './status.ts';
export * from './store.ts';
export type { Identity } from './tables.ts';
export { GENESIS, isNextRow, type TrailRow, trailPages } from './trail.ts';
export {
  APPROVALS,
  type Caller,
  CONFIRMATIONS,
  callerShape,
  LEVELS,
  sha256Field,
  type TrailPoint,
  timeField,
} from './values.ts';

// The entry point of the lowest layer, which keeps data from call to call. It knows nothing about files. The layer above checks the path
// of a database and passes it in.
export {
  canonicalJson,
  parseCanonical,
  parsedJson,
  randomHex,
  sha256Hex,
} from './canonical-json.ts';
export { decodeTrailRecord, GENESIS, isNextRow, type TrailRow } from './chain.ts';
export { type EncodedRecord, encodeRecord, type NewRecord } from './codec.ts';
export { type FaultKind, NoEngine, StateFault } from './fault.ts';
export { trailPages } from './pages.ts';
export { openPostgresStore, postgresAddress, serverGrants } from './postgres/engine.ts';
export type { OperatorFile, PostgresOptions } from './postgres/options.ts';
export { Recent } from './recent.ts';
export type { Change, ExactFile } from './records/change.ts';
export { contentId, isContentId, isShortId, shortId } from './records/content-id.ts';
export {
  needShape,
  type Origin,
  type Preview,
  type PreviewFile,
  type RuleNote,
  type SkippedFile,
} from './records/preview.ts';
export {
  type Decision,
  decisionShape,
  type Outcome,
  type SignedDecision,
  signedDecisionShape,
  type TrailRecord,
} from './records/trail-record.ts';
export {
  APPROVALS,
  type Caller,
  CONFIRMATIONS,
  callerShape,
  LEVELS,
  sha256Field,
  type TrailPoint,
  timeField,
} from './records/values.ts';
export { ENGINE_PACKAGE } from './sqlite/engine-package.ts';
export { openSqliteStore, type SqliteOptions } from './sqlite/sqlite-store.ts';
export * from './store.ts';
export { unusableStore } from './unusable-store.ts';

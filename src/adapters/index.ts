// The entry point of the layer that knows file formats: reading, planning, proving, showing and explaining.
export { type Compared, type Comparison, compareFiles } from './compare/compare-files.ts';
export { unifiedDiff } from './diff/unified-diff.ts';
export { Edits } from './edit/edits.ts';
export { maskedAdvice } from './edit/scalar-text.ts';
export type { Cut } from './edit/taken.ts';
export { encryptionNote, refuseBroken } from './encrypted/encrypted.ts';
export { explainRefusal, sentText } from './errors/explain-refusal.ts';
export { DEFAULT_ALLOW, EXECUTED_FILES, FORMAT_FILES, FORMAT_NAMES } from './formats/extensions.ts';
export {
  absentFile,
  asText,
  type ConfigFile,
  findProblems,
  forOneOfMany,
  isPlainText,
  notesOnReading,
  readConfigFile,
  readEvenIfInvalid,
  readOrProblems,
  readResult,
  readVersions,
  toKnowWhether,
} from './formats/registry.ts';
export { withoutKeys } from './formats/text/text-format.ts';
export {
  findMatches,
  isBulk,
  isOnlyActions,
  type NamedNode,
  WRITERS,
} from './operations/expand.ts';
export { findNear, findReach, type Reach } from './operations/near-matches.ts';
export type { Arguments } from './operations/operation.ts';
export { carryOut, carryOutTogether, cutFor, notesOf } from './operations/plan-operation.ts';
export {
  argumentErrors,
  conditionErrors,
  describeOperations,
  fileOpOf,
  OPERATION_NAMES,
  type Operation,
  pathError,
} from './operations/registry.ts';
export { factsOf } from './policy/facts.ts';
export { type DeadRule, examinePolicy, type PolicyFinding, readPolicy } from './policy/read-policy.ts';
export { changePlaces } from './review/change-places.ts';
export { isQuestion } from './review/changed-kind.ts';
export {
  changedPaths,
  countedPaths,
  describeEdit,
  recomputeChanges,
  shownAnew,
} from './review/describe-edit.ts';
export { changesOfPart } from './review/part-of-edit.ts';
export { type Conflict, undo } from './review/undo.ts';
export { findHazards, type Hazard, isKeyOfWorkflow } from './review/yaml11-readings.ts';
export { findViolations, newViolations } from './schema/find-violations.ts';
export { CompiledSchema, ownSchemaOf } from './schema/schema.ts';
export {
  compileSearch,
  compileTextSearch,
  type Match,
  NOT_NEAR,
  type Search,
  type Searched,
  type TextSearch,
} from './search/search-file.ts';
export type { SearchTerms } from './search/terms.ts';
export { requireKeptAlike, SECRET_REMOVED } from './secrets/kept-alike.ts';
export { withMasking } from './secrets/mask-text.ts';
export { requireMaskingPaths } from './secrets/masking-rules.ts';
export { findNode, shownDiff, shownExcerpt, shownFile, shownLines } from './shown/shown.ts';
export { isTemplate } from './tree/actions.ts';
export { closest } from './tree/closest.ts';
export { type DocumentSelector, describeDocuments, selectDocument } from './tree/document.ts';
export type { Json } from './tree/json.ts';
export { LineIndex, lineEnd, lineStart } from './tree/lines.ts';
export { outlineOf } from './tree/outline.ts';
export { unmatched } from './tree/unmatched.ts';
export { asLiteral, hasWildcard, ignoringCase, withoutCase } from './tree/wildcard.ts';
export { counted, cutText, firstOf, requireParsableSize } from './tree/wording.ts';
export { readPlainValue } from './values/to-value.ts';

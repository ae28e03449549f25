// The door of the room that knows file formats: reading, planning, proving, showing and explaining.

export { type ConfigFile, findProblems, readConfigFile } from './config-file.ts';
export { counted } from './counted.ts';
export { type CarriedOver, carryOver, type Obstacle } from './drift/carry-over.ts';
export type { Drift } from './drift/find-drift.ts';
export { undo } from './drift/undo.ts';
export type { Json } from './edit/json-text.ts';
export { type ErrorReply, explainRefusal } from './errors/explain-refusal.ts';
export { EXPLANATIONS } from './errors/explanations.ts';
export { recogniseMessage } from './errors/recognise-message.ts';
export { EXTENSIONS } from './formats.ts';
export { type Operation, planOperation } from './operations.ts';
export { describeEdit } from './review/describe-edit.ts';
export { findHazards, type Hazard } from './review/file-hazards.ts';
export { lookWith } from './review/look-at-edit.ts';
export { changesOfPart } from './review/part-of-edit.ts';
export { findViolations, newViolations } from './schema/find-violations.ts';
export { ownSchemaOf } from './schema/own-schema.ts';
export { CompiledSchema } from './schema/schema.ts';
export { type SearchTerms, searchFile } from './search/search-file.ts';
export { closest } from './tree/closest.ts';
export { countDocuments } from './tree/count-documents.ts';
export { type Found, findNode } from './tree/find-node.ts';
export { type Outline, outlineOf } from './tree/outline.ts';
export { type DocumentSelector, describeDocuments, selectDocument } from './tree/select-document.ts';
export { unifiedDiff } from './unified-diff.ts';
export { readPlainValue } from './values/plain-value.ts';
export { takeHandOvers } from './yaml/hand-overs.ts';

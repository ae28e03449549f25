// The door of the room that knows file formats: reading, planning, proving, showing and explaining.
export { closest } from './closest.ts';
export {
  type ConfigFile,
  type DocumentOperation,
  findProblems,
  planOperation,
  readConfigFile,
} from './config-file.ts';
export { countDocuments } from './count-documents.ts';
export { type ErrorReply, explainRefusal } from './errors/explain-refusal.ts';
export { EXPLANATIONS } from './errors/explanations.ts';
export { type Found, findNode } from './find-node.ts';
export type { Json } from './json-text.ts';
export { type OutlineNode, outlineOf } from './outline.ts';
export { readPlainValue } from './plain-value.ts';
export { type DocumentSelector, describeDocuments, selectDocument } from './select-document.ts';
export { unifiedDiff } from './unified-diff.ts';

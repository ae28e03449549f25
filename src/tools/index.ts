// The tools that an agent sees, in the order of tools/list. A tool is a file and a line here, so that what the server exposes is visible
// in a diff.
import { configApply } from './config-apply.ts';
import { configDiff } from './config-diff.ts';
import { configEdit } from './config-edit.ts';
import { configGet } from './config-get.ts';
import { configHistory } from './config-history.ts';
import { configList } from './config-list.ts';
import { configRevert } from './config-revert.ts';
import { configSearch } from './config-search.ts';
import { configSet } from './config-set.ts';
import { configValidate } from './config-validate.ts';
import { explainError } from './explain-error.ts';
import { listCapabilities } from './list-capabilities.ts';
import type { Tool } from './tool.ts';

export { equalChangesOf } from './equal-changes.ts';
export { folderNotes, isChanged, recordedEdit } from './file-operations.ts';
export { JUDGE_EDITS, judgingTool } from './judge-edits.ts';
export { maskedNow } from './masked-now.ts';
export { policyDenied } from './own.ts';
export { partOf } from './plan-stored.ts';
export { AskFirst } from './question.ts';
export { notesOn } from './review-edit.ts';
export { judge, judgeStored, ruleLine, underPresentRules } from './rule-notes.ts';
export type { CallContext, Hints, Reply, Tool } from './tool.ts';

export const TOOLS: readonly Tool[] = [
  configList,
  configGet,
  configSearch,
  configDiff,
  configValidate,
  configSet,
  configEdit,
  configApply,
  configRevert,
  configHistory,
  explainError,
  listCapabilities,
];

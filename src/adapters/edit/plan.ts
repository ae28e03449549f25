// What a planner returns: the edits on the text, and what they mean to change in the data.
import type { Change, Edit, Limits } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import type { DocumentSpans, Stream } from '../tree/span-tree.ts';
import { type Intent, NO_CHANGE } from './intent.ts';

export interface Plan {
  readonly edits: readonly Edit[];
  readonly intent: Intent;
  /** What no comparison of data can show: a comment that was set, changed or removed. */
  readonly commentChange?: Change;
}

/** For an operation whose result is there already. */
export const NO_EDITS: Plan = { edits: [], intent: NO_CHANGE };

/** The file as a planner sees it, with the document that the operation is about. */
export interface PlanContext {
  readonly stream: Stream;
  readonly documentIndex: number;
  readonly document: DocumentSpans;
  readonly format: Format;
  readonly limits: Limits;
}

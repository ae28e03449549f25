// What a planner returns: the edits on the text, and the same operation on the data. The proof compares
// the two, so a planner that gets its spans wrong is found out.
import type { Change, Edit, Limits } from '../../security/index.ts';
import type { StreamData } from '../proof/datum.ts';
import type { Syntax } from '../syntax.ts';
import type { DocumentSpans, Stream } from '../tree/span-tree.ts';

export interface Plan {
  readonly edits: readonly Edit[];
  /** Carries the operation out on the old data. */
  readonly apply: (data: StreamData) => void;
  /** What no comparison of data can show: a comment that was set, changed or removed. */
  readonly commentChange?: Change;
}

/** The file as a planner sees it, with the document that the operation is about. */
export interface PlanContext {
  readonly stream: Stream;
  readonly documentIndex: number;
  readonly document: DocumentSpans;
  readonly syntax: Syntax;
  readonly limits: Limits;
}

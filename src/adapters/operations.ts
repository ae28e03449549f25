// The operations of the wire contract, each handed to its planner and then to the proof.
import type { Change, Limits, Verify } from '../security/index.ts';
import type { Plan, PlanContext } from './edit/plan.ts';
import { type CommentPlace, planComment } from './edit/plan-comment.ts';
import { planDelete } from './edit/plan-delete.ts';
import { planAppend, planInsertItem, planInsertKey } from './edit/plan-insert.ts';
import { planRename } from './edit/plan-rename.ts';
import { planSet } from './edit/plan-set.ts';
import type { NewValue } from './edit/read-value.ts';
import type { ConfigFile } from './formats/config-file.ts';
import { parseNodePath } from './tree/node-path.ts';
import { type DocumentSelector, selectDocument } from './tree/select-document.ts';
import { type Proof, proofOf } from './verify/prove.ts';

interface Target {
  readonly path: string;
  readonly doc?: DocumentSelector | undefined;
}

export type Operation = Target &
  (
    | { readonly op: 'set'; readonly value: NewValue; readonly create: boolean }
    | { readonly op: 'delete' }
    | { readonly op: 'append'; readonly value: NewValue }
    | { readonly op: 'insert'; readonly value: NewValue; readonly index: number }
    | {
        readonly op: 'insert';
        readonly value: NewValue;
        readonly key: string;
        readonly before?: string | undefined;
        readonly after?: string | undefined;
      }
    | { readonly op: 'rename'; readonly newKey: string }
    | { readonly op: 'comment'; readonly comment: string; readonly place: CommentPlace }
  );

/** What a batch has come to: the file as it was read, and as earlier operations left it. */
export interface Progress {
  readonly base: ConfigFile;
  readonly current: ConfigFile;
  readonly earlierChanges: readonly Change[];
  /** Whether others follow: then only the changes of comments are told, for the last one finds all that differs from the base. */
  readonly isStep?: boolean;
}

/** The edits for one operation on `current`, with the check that proves them. */
export function planOperation(
  { base, current, earlierChanges, isStep = false }: Progress,
  operation: Operation,
  limits: Limits,
  verify: Verify = 'fast',
): Proof {
  const { syntax, stream } = current;
  const documentIndex = selectDocument(stream, operation.doc);
  const document = stream.documents[documentIndex];
  if (document === undefined) throw new Error('the chosen document exists');
  const plan = planOf({ stream, documentIndex, document, syntax, limits }, operation);
  const earlierCommentChanges = earlierChanges.filter(({ op }) => op === 'comment');
  return proofOf({ base: base.stream, stream, syntax, limits, verify, earlierCommentChanges, isStep }, plan);
}

function planOf(context: PlanContext, operation: Operation): Plan {
  const path = parseNodePath(operation.path);
  switch (operation.op) {
    case 'set':
      return planSet(context, path, operation.value, operation.create);
    case 'delete':
      return planDelete(context, path);
    case 'append':
      return planAppend(context, path, operation.value);
    case 'insert':
      return 'index' in operation
        ? planInsertItem(context, path, operation.index, operation.value)
        : planInsertKey(context, path, operation, operation.value);
    case 'rename':
      return planRename(context, path, operation.newKey);
    case 'comment':
      return planComment(context, path, operation.comment, operation.place);
  }
}

// One operation on a file, handed to its planner and then to the proof.
import type { Change, Limits, Verify } from '../../security/index.ts';
import type { ConfigFile } from '../formats/config-file.ts';
import { parseNodePath } from '../tree/node-path.ts';
import { type DocumentSelector, selectDocument } from '../tree/select-document.ts';
import { type Proof, proofOf } from '../verify/prove.ts';
import type { Arguments } from './operation.ts';
import { type OperationName, operationNamed } from './registry.ts';

export interface Operation extends Arguments {
  readonly op: OperationName;
  readonly path: string;
  readonly doc?: DocumentSelector | undefined;
}

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
  const { format, stream } = current;
  const documentIndex = selectDocument(stream, operation.doc);
  const document = stream.documents[documentIndex];
  if (document === undefined) throw new Error('the chosen document exists');
  const path = parseNodePath(operation.path);
  const context = { stream, documentIndex, document, format, limits };
  const plan = operationNamed(operation.op).plan(context, path, operation);
  const earlierCommentChanges = earlierChanges.filter(({ op }) => op === 'comment');
  return proofOf({ base: base.stream, stream, format, limits, verify, earlierCommentChanges, isStep }, plan);
}

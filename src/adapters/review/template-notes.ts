// Notes for a reviewer about a change of a template: in which branch something new is, and what happens to the file once it is
// filled in.
import { type Edit, type NodePath, printNodePath, visibleLine, withInserted } from '../../security/index.ts';
import type { ChangedNode } from '../compare/find-changes.ts';
import { shownSpan } from '../shown/shown.ts';
import {
  actionsIn,
  type Branch,
  branchAt,
  conditionsOf,
  isOnlyActions,
  isTemplate,
  saidDepth,
  withAround,
} from '../tree/actions.ts';
import { lineStart } from '../tree/lines.ts';
import {
  type DocumentSpans,
  isBlockCollection,
  isCollection,
  isWritten,
  outerStart,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';

/** Yields whole sentences. */
export function* findTemplateNotes(
  base: Stream,
  result: Stream,
  changes: readonly ChangedNode[],
  edits: readonly Edit[],
): Generator<string> {
  if (!isTemplate(result)) return;
  const { actions = [], lines } = result;
  if (!isTemplate(base) && base.isAbsent !== true && base.hasStructure !== false)
    yield 'The file becomes a template: its actions are no YAML before a program fills them in.';
  const inserts = withInserted(edits, base.text.length).map(({ inserted }) => inserted);
  // A block that the edit itself adds needs no note.
  const isNew = ({ start }: Branch) => inserts.some((one) => start >= one.start && start < one.end);
  for (const { op, path, name, old, next: now, before, after } of changes) {
    if (now === undefined || op === 'rename') continue;
    const branch = op === 'add' ? branchAt(actions, outerStart(now)) : undefined;
    // The whole document is in that branch.
    const isKnown =
      branch !== undefined &&
      after !== undefined &&
      after.root.end <= branch.block.end &&
      withAround(branchAt(actions, after.root.start)).includes(branch);
    if (branch !== undefined && !isNew(branch) && !isKnown)
      yield `${visibleLine(name)} stands in a branch: ${conditionsOf(branch)} (line ${lines.at(branch.start)}).`;
    if (op === 'add' && branch === undefined) yield* outsideDefinitions(base, before, path);
    if (old !== undefined) yield* belowWritten(result, name, old, now);
  }
  yield* replacedActions(base, edits);
  yield* leftOfTheirPlace(base, result, edits);
  const empty = emptyBlocks(result);
  if (empty.length > emptyBlocks(base).length)
    yield `A branch holds nothing any more (${empty.length === 1 ? `line ${empty[0]}` : `one of lines ${empty.slice(0, 10).join(', ')}`}).`;
}

/** Yields a note where a file has only definitions, because nothing writes what is beside them. */
function* outsideDefinitions(
  base: Stream,
  before: DocumentSpans | undefined,
  path: NodePath,
): Generator<string> {
  const root = before?.root;
  if (root === undefined || path.length !== 1 || !isCollection(root)) return;
  const isDefined = (part: { readonly start: number }): boolean =>
    withAround(branchAt(base.actions ?? [], part.start)).some(
      (branch) => branch !== undefined && /^(?:define|block|macro)\b/.test(branch.condition),
    );
  const parts = partsOf(root);
  if (parts.length === 0 || !parts.every(isDefined)) return;
  yield `${visibleLine(printNodePath(path))} stands outside of the definitions of this file, where all else stands. Did you mean it within one of them? Then say "before" or "after" which key.`;
}

/** Yields a note about new parts below a key that only actions wrote: their data is known only once the template is filled in. */
function* belowWritten(stream: Stream, path: string, old: SpanNode, now: SpanNode): Generator<string> {
  if (!isWritten(old) || !isBlockCollection(now) || now.around === undefined) return;
  const { actions = [], lines } = stream;
  const writing = actionsIn(actions, now.around).filter(
    ({ kind, isHidden }) => kind === 'output' && isHidden,
  );
  const [first] = writing;
  if (first === undefined) return;
  const what = `${visibleLine(path)}: an action writes what stands above the new lines (line ${lines.at(first.start)})`;
  // A condition around the action is visible in the file itself.
  const isBare = writing.some((action) => {
    const isData = /\btoYaml\b/.test(shownSpan(stream, action));
    return isData && branchAt(actions, action.start) === now.around?.branch;
  });
  if (now.kind === 'sequence')
    yield `${what}. Did you mean a list, and is it one there, with an item at least?`;
  else if (isBare)
    yield `${what}, which is {} where it is given no key. Did you mean to add a key all the same?`;
  else yield `${what}: it has to be a mapping.`;
}

/** Yields a note about the actions that a new value takes the place of. A deletion is no replacement. */
function* replacedActions(base: Stream, edits: readonly Edit[]): Generator<string> {
  if (edits.every(({ insert }) => insert.trim() === '')) return;
  const gone = edits.flatMap((edit) =>
    actionsIn(base.actions ?? [], edit)
      .filter(({ kind }) => kind === 'output' || kind === 'open')
      .filter((action) => !edits.some(({ insert }) => insert.includes(shownSpan(base, action)))),
  );
  const [first] = gone;
  if (first === undefined) return;
  const action = visibleLine(shownSpan(base, first));
  const rest = gone.length === 1 ? '' : ` and ${counted(gone.length - 1, 'other action')}`;
  yield `${action} (line ${base.lines.at(first.start)})${rest} ${gone.length === 1 ? 'goes' : 'go'} with the old value, and what is written there no longer depends on it.`;
}

/** Yields a note about each new action that writes to the left of where it stands, as one from another place may. */
function* leftOfTheirPlace(
  base: Stream,
  { text, actions = [], lines }: Stream,
  edits: readonly Edit[],
): Generator<string> {
  for (const { inserted } of withInserted(edits, base.text.length))
    for (const action of actionsIn(actions, inserted)) {
      const depth = action.kind === 'output' ? saidDepth(text, action) : undefined;
      const column = text.slice(lineStart(text, action.start)).search(/[^ ]|$/);
      if (depth === undefined || depth >= column) continue;
      yield `The new action on line ${lines.at(action.start)} writes its lines in column ${depth}, and stands in column ${column}. Did you mean ${column} in its indent?`;
    }
}

/** Returns the lines of the blocks that hold nothing. */
function emptyBlocks({ text, actions = [], lines }: Stream): readonly number[] {
  return actions.flatMap((action) => {
    const { kind, block } = action;
    if (kind !== 'open' || block === undefined) return [];
    const all = actionsIn(actions, block);
    const isEmpty = all.every((one) => one.kind !== 'output') && isOnlyActions(text, all, block);
    return isEmpty ? [lines.at(action.start)] : [];
  });
}

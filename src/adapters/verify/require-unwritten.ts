// Checks what actions of a template write on lines of their own, where no literal text shows it. Nothing is put where they
// write, or in another column, and nothing is removed to which their output may belong.
import type { Edit, Refusal } from '../../security/index.ts';
import { tailEnd } from '../edit/part-extent.ts';
import { usedBehind } from '../tree/action-scope.ts';
import {
  type Action,
  actionsIn,
  definitionOf,
  depthOf,
  isDefined,
  nextActions,
  saidDepth,
} from '../tree/actions.ts';
import { firstFrom } from '../tree/first-from.ts';
import { columnOf } from '../tree/lines.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isBlockCollection,
  isEmpty,
  isWritten,
  partsOf,
  type Span,
  type Stream,
} from '../tree/span-tree.ts';
import { templateRefusal } from './template-refusal.ts';

type Part = Entry | Item;

/** Throws TEMPLATE_ACTION where a node replaces an empty value, and an action that stays writes there. */
export function requireUnwritten(stream: Stream, part: Part, edits: readonly Edit[]): void {
  if (!isEmpty(part.value)) return;
  requireNoneLeft(stream, { start: part.end, end: tailEnd(stream, part) }, edits);
  requireOwnLines(stream, part);
}

/** Does the same for a whole document, because its actions may write another root. */
export function requireUnwrittenRoot(stream: Stream, document: number, edits: readonly Edit[]): void {
  // The output of actions above the first literal text of a document belongs to it.
  const start = stream.documents[document - 1]?.contentEnd ?? 0;
  requireNoneLeft(stream, { start, end: stream.documents[document]?.contentEnd ?? start }, edits);
}

function requireNoneLeft(stream: Stream, within: Span, edits: readonly Edit[]): void {
  const { text, actions = [] } = stream;
  const definition = definitionOf(text, actions, Math.min(...edits.map(({ start }) => start)));
  const left = actionsIn(actions, within).find(
    (action) =>
      isWriting(action) &&
      definitionOf(text, actions, action.start) === definition &&
      !edits.some(({ start, end }) => start <= action.start && action.end <= end),
  );
  if (left !== undefined) throw refused(stream, left, 'writes what stands there');
}

/**
 * Throws TEMPLATE_ACTION where a part goes, and an action below it stays that may write what belongs to it: deeper lines, or
 * lines in its column where its value may be a list.
 */
export function requireOwnLines(stream: Stream, part: Part | undefined): void {
  const { text, actions } = stream;
  if (actions === undefined || part === undefined) return;
  const column = columnOf(text, part.start);
  const mayHoldItems = hasItemsIn(text, actions, part, column);
  for (const action of nextActions(text, actions, tailEnd(stream, part))) {
    const { kind, block } = action;
    const isOfOther = block !== undefined && block.start < part.start;
    if (isOfOther && (kind === 'middle' || isDefined(text, block))) return;
    if (kind !== 'output') continue;
    const depth = depthOf(text, action);
    if (depth > column)
      throw refused(stream, action, 'writes lines that belong to the part, behind its branch');
    if (depth === column && mayHoldItems)
      throw refused(stream, action, 'may write items of this list, or other keys beside it');
    if (depth < column) return;
  }
}

/** True if items are in the column of their key, or may be written there. */
function hasItemsIn(text: string, actions: readonly Action[], part: Part, column: number): boolean {
  if (!('key' in part)) return false;
  const { value } = part;
  const isList = isBlockCollection(value) && value.kind === 'sequence';
  if (isList) return columnOf(text, value.start) === column;
  return isEmpty(value) || isWrittenIn(text, actions, part, column);
}

function isWrittenIn(text: string, actions: readonly Action[], { value }: Entry, column: number): boolean {
  return isWritten(value) && actionsIn(actions, value).some((action) => saidDepth(text, action) === column);
}

/**
 * Throws TEMPLATE_ACTION where actions write other parts of a collection in another or an unknown column; or where one below
 * `offset`, the place of a new part, writes what belongs to the part above.
 */
export function requireSameColumn(stream: Stream, node: Collection, offset: number): void {
  const { text, actions } = stream;
  if (actions === undefined || !isBlockCollection(node)) return;
  const column = columnOf(text, node.start);
  const parts = partsOf(node);
  requireKnownColumns(stream, parts);
  const own = parts.map((part) => ({ start: part.start, end: tailEnd(stream, part) }));
  const other = actionsIn(actions, node.around ?? node).find(
    (action) =>
      isWriting(action) &&
      (saidDepth(text, action) ?? column) !== column &&
      !own.some(({ start, end }) => start <= action.start && action.end <= end),
  );
  if (other !== undefined) throw refused(stream, other, 'writes parts of it in another column');
  for (const action of nextActions(text, actions, offset)) {
    const isOutput = action.kind === 'output';
    if (action.kind === 'middle' || (isOutput && depthOf(text, action) <= column)) return;
    if (isOutput) throw refused(stream, action, WRITES_ABOVE);
  }
  const beginning = beginsNextLine(stream, actions, offset);
  if (beginning !== undefined && (saidDepth(text, beginning) ?? column + 1) > column)
    throw refused(stream, beginning, WRITES_ABOVE);
}

const WRITES_ABOVE = 'writes lines that belong to the part above this place';

/** Throws TEMPLATE_ACTION for a part whose line begins with an action that removes the blanks before it. */
export function requireKnownColumns(stream: Stream, parts: readonly (Part | undefined)[]): void {
  const { text, actions } = stream;
  const moving = parts.find((part) => part !== undefined && text.startsWith('{{-', part.start));
  const trimmed = moving && actions?.find(({ start }) => start === moving.start);
  if (trimmed !== undefined)
    throw refused(
      stream,
      trimmed,
      'takes away the blanks before a part beside it, so that its column is not known',
    );
}

/** The action that the next line with literal text begins with, where it takes the blanks before it away. */
function beginsNextLine({ text }: Stream, actions: readonly Action[], offset: number): Action | undefined {
  let at = offset;
  for (const action of actions.slice(firstFrom(actions, offset))) {
    const between = text.slice(at, action.start).replaceAll(/^[ \t]*#.*$/gm, '');
    if (between.trim() !== '') return undefined;
    if (!action.isHidden) return text.startsWith('{{-', action.start) ? action : undefined;
    at = action.end;
  }
  return undefined;
}

/** Throws TEMPLATE_ACTION where an edit removes the setting of a variable that others use. */
export function requireSetVariables(stream: Stream, edits: readonly Edit[]): void {
  const { text, lines, actions } = stream;
  if (actions === undefined) return;
  for (const edit of edits) {
    const used = edit.end > edit.start ? usedBehind({ text, lines, actions }, edit) : undefined;
    if (used === undefined) continue;
    throw templateRefusal(
      `it would take away what sets ${used.name}, which the action on line ${used.line} uses`,
      used.line,
      ADVICE,
    );
  }
}

function isWriting({ kind, isHidden }: Action): boolean {
  return kind === 'output' && isHidden;
}

const ADVICE = ['Read the lines there, and edit them with op "replace_text" and no path'];

function refused({ lines }: Stream, action: Action, reason: string): Refusal {
  const line = lines.at(action.start);
  return templateRefusal(`the action on line ${line} ${reason}`, line, ADVICE);
}

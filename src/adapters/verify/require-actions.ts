// Limits what an edit of a template may do to its actions: it never cuts into one, removes none except within what it replaces
// or removes, and removes blocks whole or not at all. The result is read anew, and each action outside of the edits must be
// there as it was.
import { type Edit, Refusal, withInserted } from '../../security/index.ts';
import { type Intent, nodeAtPosition } from '../edit/intent.ts';
import { tailEnd } from '../edit/part-extent.ts';
import { firstOutOfScope } from '../tree/action-scope.ts';
import { type Action, actionsIn } from '../tree/actions.ts';
import { titleStart } from '../tree/head-comment.ts';
import {
  type Entry,
  type Item,
  isCollection,
  outerStart,
  partsOf,
  type Span,
  type Stream,
} from '../tree/span-tree.ts';
import { templateRefusal } from './template-refusal.ts';
import { differs } from './tree-comparison.ts';

/** Throws TEMPLATE_ACTION. A stream without actions always passes. */
export function requireWholeActions(stream: Stream, edits: readonly Edit[], intent: Intent): void {
  const { actions = [] } = stream;
  if (actions.length === 0) return;
  const region = regionOf(stream, intent);
  for (const edit of edits) {
    const met = actionsIn(
      actions,
      edit.start === edit.end ? { start: edit.start, end: edit.start + 1 } : edit,
    );
    for (const action of met) {
      const isInside = action.start < edit.start || (action.start < edit.end && action.end > edit.end);
      if (isInside) throw refused(stream, action, 'it would change a part of an action of the template');
      if (action.end > edit.end) continue;
      const { block } = action;
      if (block !== undefined && (block.start < edit.start || block.end > edit.end))
        throw refused(
          stream,
          action,
          'it would take an action of the template away without the others of its block',
        );
      if (!isWithin(action, region) && !isInComment(stream, action))
        throw refused(stream, action, 'it would take an action of the template away that stands beside it');
    }
  }
}

/** Compares the actions with those of the result, which was read anew. Throws VERIFICATION_FAILED. */
export function requireSameActions(before: Stream, edits: readonly Edit[], after: Stream): void {
  const { actions: old = [], text } = before;
  const { actions: next = [] } = after;
  if (old.length === 0 && next.length === 0) return;
  const kept = old.filter((action) => !edits.some((edit) => isWithin(action, edit)));
  const inserts = withInserted(edits, text.length).map(({ inserted }) => inserted);
  const left = next.filter((action) => {
    const insert = inserts.find((one) => action.start < one.end && action.end > one.start);
    if (insert === undefined) return true;
    const whole: Span = action.block ?? action;
    if (!isWithin(action, insert) || !isWithin(whole, insert))
      throw differs('an action of the value would not end where the value ends', QUOTE_ACTIONS);
    return false;
  });
  const isSame =
    kept.length === left.length &&
    kept.every(({ start, end, kind }, i) => {
      const other = left[i];
      return (
        other !== undefined &&
        kind === other.kind &&
        text.slice(start, end) === after.text.slice(other.start, other.end)
      );
    });
  if (!isSame) throw differs('an action of the template would change', QUOTE_ACTIONS);
}

/** Throws TEMPLATE_ACTION for a new action with a variable that is not set where it comes to be. */
export function requireKnownVariables(before: Stream, edits: readonly Edit[], after: Stream): void {
  const { text, lines, actions } = after;
  if (actions === undefined) return;
  const spans = withInserted(edits, before.text.length).map(({ inserted }) => inserted);
  const unknown = firstOutOfScope({ text, lines, actions }, spans);
  if (unknown === undefined) return;
  throw templateRefusal(
    `${unknown.name} is not set at that place (line ${unknown.line} of the result)`,
    unknown.line,
    ['Edit the lines with op "replace_text" and no path, within the block that sets it'],
  );
}

const QUOTE_ACTIONS = {
  advice: [
    'Send whole actions in "value", each block with its end; or edit the lines with replace_text and no path',
  ],
};

/** Runs a proof. In a template its failure becomes TEMPLATE_ACTION, because nobody can tell how actions and new lines would be read together. */
export function besideActions<Result>(
  { actions = [], lines }: Stream,
  edits: readonly Edit[],
  prove: () => Result,
): Result {
  try {
    return prove();
  } catch (error) {
    if (actions.length === 0 || !(error instanceof Refusal) || error.code !== 'VERIFICATION_FAILED')
      throw error;
    const line = lines.at(Math.min(...edits.map(({ start }) => start)));
    const reason = error.message.replace(/^Cannot make this edit: /, '');
    throw templateRefusal(`beside the actions of the template, ${reason} (line ${line})`, line, [
      'Read the lines there, and edit them with op "replace_text" and no path',
      ...(edits.some(({ insert }) => insert.trim() !== '') ? (error.clues.advice ?? []) : []),
    ]);
  }
}

function isWithin(inner: Span, outer: Span | undefined): boolean {
  return outer !== undefined && inner.start >= outer.start && inner.end <= outer.end;
}

function isInComment({ comments }: Stream, action: Action): boolean {
  return comments.some((comment) => isWithin(action, comment));
}

/** Returns the span that the edit may remove together with its subject; undefined if nothing may go. */
function regionOf(stream: Stream, intent: Intent): Span | undefined {
  const { documents } = stream;
  switch (intent.kind) {
    case 'nothing':
    case 'insert':
    case 'add document':
      return undefined;
    case 'remove document':
      return documents[intent.index];
    case 'replace': {
      const node = nodeAtPosition(stream, intent.at);
      if (node === undefined) return undefined;
      const start = Math.min(outerStart(node), node.around?.start ?? node.start);
      return { start, end: Math.max(node.end, node.around?.end ?? 0) };
    }
    case 'remove':
    case 'rename': {
      const node = nodeAtPosition(stream, intent.at);
      const part: Entry | Item | undefined =
        node !== undefined && isCollection(node) ? partsOf(node)[intent.index] : undefined;
      if (part === undefined) return undefined;
      return intent.kind === 'rename' ? keyOf(part) : extentOf(stream, part);
    }
  }
}

function keyOf(part: Entry | Item): Span | undefined {
  return 'key' in part ? part.key : undefined;
}

function extentOf(stream: Stream, part: Entry | Item): Span {
  return { start: titleStart(stream, part.start), end: tailEnd(stream, part) };
}

function refused({ lines }: Stream, action: Action, reason: string): Refusal {
  const line = lines.at(action.start);
  const { block } = action;
  const last = block === undefined ? line : lines.at(block.lastStart);
  const first = block === undefined ? line : lines.at(block.start);
  const where = first === last ? `line ${line}` : `line ${line}, of a block on lines ${first} to ${last}`;
  return templateRefusal(`${reason} (${where})`, line, [
    'Edit what holds the whole action: set its value with "value", or delete what the block stands around',
    'Or edit the lines with op "replace_text" and no path: then all actions must still be closed',
  ]);
}

// Templates: edits go where no action can change how they are read, directly next to a part of the same branch, or are refused.
import { type Edit, withInserted } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { firstOutOfScope, usedBehind } from '../tree/action-scope.ts';
import {
  actionsIn,
  type Block,
  branchAt,
  definitionOf,
  depthOf,
  endOfBranches,
  tailOfActions,
} from '../tree/actions.ts';
import { headStart } from '../tree/comments.ts';
import { firstFrom, isBlank, isBlankOrComments, lineStart } from '../tree/lines.ts';
import {
  type Collection,
  isNull,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import type { Part } from './neighbours.ts';

/** Returns the end of a part including the lines of actions that write its content; `end` is after its own lines. */
export function tailWithActions({ text, actions }: Stream, part: Part, end: number): number {
  return actions === undefined ? end : tailOfActions(text, actions, part, end);
}

/**
 * Returns the offset after the part, whose lines end at `tail`, and after the branches that the collection is not in. If the call
 * names this neighbour (`isNamed`), only branches in which it is alone are left: its condition is not meant for the new part.
 */
export function endBeyondBranches(
  { text, actions }: Stream,
  node: Collection,
  part: Part,
  tail: number,
  isNamed: boolean,
): number {
  if (actions === undefined) return tail;
  const mayLeave = (block: Block) => !isNamed || isAlone(text, node, part, block);
  // Deeper text after a branch still belongs to the part before it.
  for (let end = tail; ; ) {
    const left = endOfBranches(text, actions, end, node.around?.branch, mayLeave);
    const next = tailOfActions(text, actions, part, left, isNull(part.value));
    if (next === end) return end;
    end = next;
  }
}

/** Returns the offset before the part, its comments, and the branches in which it is alone. */
export function startBeyondBranches(stream: Stream, node: Collection, part: Part): number {
  const { text, actions } = stream;
  let start = headStart(stream, part.start);
  for (let inner = actions && branchAt(actions, start); actions !== undefined && inner !== undefined; ) {
    const { around, block } = inner;
    const opening = actions[firstFrom(actions, start) - 1];
    const isFirst = inner.start === block.start && opening?.start === block.start && opening.isHidden;
    const isLeft = inner !== node.around?.branch && isFirst && isAlone(text, node, part, block);
    if (!isLeft || !isBlankOrComments(text.slice(opening.end, start), true)) return start;
    start = headStart(stream, opening.start);
    inner = around;
  }
  return start;
}

/** Returns the last part with the same key in a block that has no other parts; otherwise the part itself. */
export function lastOfKey({ text, actions }: Stream, node: Collection, index: number): number {
  const parts: readonly Part[] = partsOf(node);
  const part = parts[index];
  const block = part && actions && branchAt(actions, part.start)?.block;
  if (part === undefined || block === undefined || !isAlone(text, node, part, block)) return index;
  return parts.findLastIndex(({ start }) => start >= block.start && start < block.end);
}

/** True if the part is alone in an `if` or `with`. Loops and definitions do not count: their parts belong there. */
function isAlone(text: string, node: Collection, part: Part, { start, end }: Block): boolean {
  if (!/^\{[{%]-?\s*(?:if|with)\b/.test(text.slice(start, start + MOST_OPENING))) return false;
  const parts: readonly Part[] = partsOf(node);
  return parts.every(
    (one) =>
      one === part ||
      one.start < start ||
      one.start >= end ||
      ('key' in one && 'key' in part && one.name === part.name),
  );
}

/** The most characters of an action up to its first word. */
const MOST_OPENING = 40;

/**
 * Returns the column of a new part below the actions that write all of a value, which no literal text shows. `least` is the first
 * column that belongs to the value. Throws TEMPLATE_ACTION if the actions do not show it either.
 */
export function columnBelowActions(stream: Stream, value: SpanNode, least: number): number {
  const { text, actions = [] } = stream;
  const writers = actionsIn(actions, value).filter(({ kind }) => kind === 'output');
  const [column, other] = new Set(writers.map((action) => depthOf(text, action)));
  const isBelow = isBlank(text, lineStart(text, value.start), value.start);
  const isIndented = writers.every(({ start, end }) => /\bn?indent\b/.test(text.slice(start, end)));
  const isKnown = column !== undefined && other === undefined && (isBelow || isIndented);
  if (isKnown && column >= least) return column;
  throw refused(stream, value.start, 'an action writes what stands there, and nothing says how deep');
}

/** Throws TEMPLATE_ACTION if the root is replaced and an action that stays writes parts of it. */
export function requireUnwrittenRoot(stream: Stream, doc: number, edits: readonly Edit[]): void {
  const { text, actions = [], documents } = stream;
  // What actions write above a document's first literal text belongs to the document.
  const start = documents[doc - 1]?.contentEnd ?? 0;
  const end = documents[doc]?.contentEnd ?? start;
  const definition = definitionOf(text, actions, Math.min(...edits.map((edit) => edit.start)));
  const left = actionsIn(actions, { start, end }).find(
    (action) =>
      action.kind === 'output' &&
      action.isHidden &&
      definitionOf(text, actions, action.start) === definition &&
      !edits.some((edit) => edit.start <= action.start && action.end <= edit.end),
  );
  if (left !== undefined) throw refused(stream, left.start, 'an action that stays writes what stands there');
}

/** Throws TEMPLATE_ACTION if an edit cuts an action or a block, or removes what sets a variable that is used elsewhere. */
export function requireWhole(stream: Stream, edits: readonly Edit[]): void {
  const { text, lines, actions = [] } = stream;
  if (actions.length === 0) return;
  for (const { start, end } of edits) {
    for (const action of actionsIn(actions, { start, end: Math.max(end, start + 1) })) {
      if (action.start >= end) continue;
      const { block = action } = action;
      if (Math.min(action.start, block.start) < start || Math.max(action.end, block.end) > end)
        throw refused(stream, action.start, 'an action or a block would be cut');
    }
    const used = end > start ? usedBehind({ text, lines, actions }, { start, end }) : undefined;
    if (used !== undefined)
      throw refused(stream, start, `it takes away what sets ${used.name}, which line ${used.line} uses`);
  }
}

/** Throws unless each action outside of the edits is unchanged, and new ones are whole blocks. */
export function requireSameActions(before: Stream, edits: readonly Edit[], after: Stream): void {
  if (before.actions === undefined && after.actions === undefined) return;
  const inserts = withInserted(edits, before.text.length).map(({ inserted }) => inserted);
  const textsOf = ({ text, actions = [] }: Stream, without: readonly Span[]) =>
    actions
      .filter((action) => !without.some((one) => isIn(action, one)))
      .map(({ start, end, kind }) => kind + text.slice(start, end))
      .join('\n');
  if (textsOf(before, edits) !== textsOf(after, inserts))
    throw refused(before, edits[0]?.start ?? 0, 'another action would change');
  const isTorn = (after.actions ?? []).some(({ start, end, block }) => {
    const insert = inserts.find((one) => start < one.end && end > one.start);
    return insert !== undefined && !isIn(block ?? { start, end }, insert);
  });
  if (isTorn)
    throw refused(before, edits[0]?.start ?? 0, 'an action of the value would not end where the value ends');
}

function isIn(inner: Span, outer: Span): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

/** Throws TEMPLATE_ACTION for a new action that uses a variable which is not set there. */
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

/** Runs a proof. Its failure in a template becomes TEMPLATE_ACTION: the likely cause is an action near the edit. */
export function blameActions<Result>(stream: Stream, edits: readonly Edit[], prove: () => Result): Result {
  try {
    return prove();
  } catch (error) {
    const isOfTemplate = (stream.actions ?? []).length > 0;
    if (!isOfTemplate || !(error instanceof Refusal) || error.code !== 'VERIFICATION_FAILED') throw error;
    const line = stream.lines.at(Math.min(...edits.map(({ start }) => start)));
    const reason = error.message.replace(/^Cannot make this edit: /, '');
    const isWriting = edits.some(({ insert }) => insert.trim() !== '');
    throw templateRefusal(`beside the actions of the template, ${reason} (line ${line})`, line, [
      ...AS_TEXT,
      ...(isWriting ? (error.clues.advice ?? []) : []),
    ]);
  }
}

export function refused({ lines }: Stream, at: number, reason: string): Refusal {
  const line = lines.at(at);
  return templateRefusal(`${reason} (line ${line})`, line, AS_TEXT);
}

function templateRefusal(reason: string, line: number, advice: readonly string[]): Refusal {
  return new Refusal('TEMPLATE_ACTION', `Cannot make this edit: ${reason}`, { line }, { advice });
}

const AS_TEXT = ['Read the lines there, and edit them with op "replace_text" and no path'];

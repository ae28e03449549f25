// Checks the line breaks that `{{-` and `-}}` remove beside them, which shows only once a template is filled in. No edit may
// join two lines, or bring text into a comment. Trimming is done on the text: no action is carried out.

import { type Edit, type Refusal, withInserted } from '../../security/index.ts';
import { type Action, isDefined } from '../tree/actions.ts';
import { firstFrom } from '../tree/first-from.ts';
import { type ScalarNode, type Span, type Stream, walk } from '../tree/span-tree.ts';
import { templateRefusal } from './template-refusal.ts';

/** Checks the result, which was read anew. Throws TEMPLATE_ACTION. */
export function requireLineBreaks(before: Stream, edits: readonly Edit[], after: Stream): void {
  if ((after.actions ?? []).length === 0) return;
  const all = withInserted(edits, before.text.length);
  for (const [i, { edit, inserted: piece }] of all.entries()) {
    const { start, end } = edit;
    const shift = piece.end - end;
    requireSpaceBefore(after, piece.start);
    // A part that shared its line with something else may stay there.
    const own = firstWritten(after, piece.start);
    const isNew = start === end || beginsLine(before, firstWritten(before, start), true);
    if (own < piece.end && isNew) requireOwnLine(after, own);
    const next = firstWritten(after, piece.end);
    // The text after the next edit belongs to that one.
    const stop = (all[i + 1]?.edit.start ?? before.text.length) + shift;
    if (next < stop && beginsLine(before, next - shift, true)) requireOwnLine(after, next);
    for (let at = firstFrom(after.comments, piece.start); ; at++) {
      const comment = after.comments[at];
      if (comment === undefined || comment.start >= piece.end) break;
      requireClearComment(after, comment);
    }
  }
  for (const node of textsIn(after))
    if (all.some(({ inserted }) => node.start < inserted.end && isAbove(after, node, inserted.start)))
      requireLastBreaks(after, node);
}

/** True if the node goes on at this place, or only blanks are between them: what follows it is another than before. */
function isAbove({ text }: Stream, { end }: Span, place: number): boolean {
  return end > place || text.slice(end, place).trim() === '';
}

/** The texts of several lines. */
function textsIn({ documents }: Stream): readonly ScalarNode[] {
  return documents
    .flatMap(({ root }) => [...walk(root)])
    .filter((node) => node.kind === 'scalar')
    .filter(({ block }) => block !== undefined);
}

/** A text of several lines ends as it is written: with the line breaks that its header says. */
function requireLastBreaks(stream: Stream, { block, end }: ScalarNode): void {
  const next = actionBehind(stream, end);
  if (block === undefined || block.chomp === 'strip' || next === undefined) return;
  if (stream.text.slice(end, next.start).trim() !== '') return;
  // An action on a line of its own leaves a line break, or takes some.
  if (block.chomp === 'keep')
    throw refused(stream, next, 'changes how many line breaks this text ends with', TEXT_ADVICE);
  if (!endsLine(stream, end, false))
    throw refused(stream, next, 'takes the line break away that this text ends with', TEXT_ADVICE);
}

const TEXT_ADVICE = ['Send the text in double quotes in "value", with \\n for each of its line breaks'];

function requireOwnLine(stream: Stream, at: number): void {
  if (!beginsLine(stream, at, false) || beginsLine(stream, at, true)) return;
  throw refused(
    stream,
    actionBefore(stream, at),
    'takes the line break away that keeps this line apart from the one above',
  );
}

/** A comment has a blank before it, and nothing behind it that is meant to be read. */
function requireClearComment(stream: Stream, { start, end }: Span): void {
  const last = actionBefore(stream, start);
  const isBeside = last !== undefined && stream.text.slice(last.end, start).trim() === '';
  if (isBeside && trims(stream, last, 'right') && !beginsLine(stream, start, true))
    throw refused(stream, last, 'takes the blank away that a comment needs before it');
  if (isBeside && last.kind === 'output' && beginsWithBreak(stream, last) && isOnLineOf(stream, last, start))
    throw refused(
      stream,
      last,
      'writes lines of its own, and this comment would stand behind the last of them',
    );
  if (endsLine(stream, end)) return;
  throw refused(stream, actionBehind(stream, end), 'would write behind this comment, on the same line');
}

function isOnLineOf({ text }: Stream, { end }: Action, at: number): boolean {
  return !text.slice(end, at).includes('\n');
}

/** Throws where a blank would be lost: `key: {{- .x }}` is written as `key:x`. */
function requireSpaceBefore(stream: Stream, at: number): void {
  const { text } = stream;
  const action = actionBehind(stream, at);
  if (action?.kind !== 'output' || text.slice(at, action.start).trim() !== '') return;
  if (!trims(stream, action, 'left') || beginsWithBreak(stream, action)) return;
  const gap = /[:-]\s+$/.test(text.slice(Math.max(action.start - 100, 0), action.start));
  if (gap) throw refused(stream, action, 'takes the blank away that the value needs before it');
}

function actionBefore({ actions = [] }: Stream, at: number): Action | undefined {
  return actions[firstFrom(actions, at) - 1];
}

function actionBehind({ actions = [] }: Stream, at: number): Action | undefined {
  return actions[firstFrom(actions, at)];
}

function trims({ text }: Stream, { start, end }: Action, side: 'left' | 'right'): boolean {
  const isGo = text.startsWith('{{', start);
  if (side === 'left') return text[start + 2] === '-' && (!isGo || /\s/.test(text[start + 3] ?? ''));
  return text[end - 3] === '-' && (!isGo || /\s/.test(text[end - 4] ?? ''));
}

/** The first thing at `at` or behind it that is written: no blank, and no action that writes nothing itself. */
function firstWritten(stream: Stream, at: number): number {
  const { text } = stream;
  for (let from = at; ; ) {
    const action = actionBehind(stream, from);
    const literal = text.slice(from, action?.start).search(/\S/);
    if (literal !== -1) return from + literal;
    if (action === undefined) return text.length;
    if (action.kind === 'output') return action.start;
    from = action.end;
  }
}

/** True if only blanks are written before it on its line: as the file is, or with `isTrimmed` once it is filled in. */
function beginsLine(stream: Stream, at: number, isTrimmed: boolean): boolean {
  const { text } = stream;
  const first = actionBehind(stream, at);
  let isCut = isTrimmed && first?.start === at && trims(stream, first, 'left');
  for (let from = at; ; ) {
    const action = actionBefore(stream, from);
    let literal = text.slice(action?.end ?? 0, from);
    if (isCut) literal = literal.trimEnd();
    if (isTrimmed && action !== undefined && trims(stream, action, 'right')) literal = literal.trimStart();
    if (/\n[ \t]*$/.test(literal)) return true;
    if (literal.trim() !== '') return false;
    if (action === undefined) return true;
    if (action.kind === 'output') return false;
    // A branch goes on where its block begins; what is defined begins anew, and is written elsewhere.
    const { kind, block } = action;
    const isDefinition = isDefined(stream.text, block);
    if (isDefinition && kind === 'open') return true;
    from = block !== undefined && (kind === 'middle' || isDefinition) ? block.start : action.start;
    const opening = actionBehind(stream, from);
    isCut = isTrimmed && opening !== undefined && trims(stream, opening, 'left');
  }
}

/** True if only blanks are written after it on its line. `atEnd` is the answer where the text ends there without a line break. */
function endsLine(stream: Stream, at: number, atEnd = true): boolean {
  const { text } = stream;
  let isCut = false;
  for (let from = at; ; ) {
    const action = actionBehind(stream, from);
    let literal = text.slice(from, action?.start);
    if (isCut) literal = literal.trimStart();
    if (action !== undefined && trims(stream, action, 'left')) literal = literal.trimEnd();
    if (/^[ \t]*\r?\n/.test(literal)) return true;
    if (literal.trim() !== '') return false;
    if (action === undefined) return atEnd;
    if (action.kind === 'output') return beginsWithBreak(stream, action);
    const { kind, block } = action;
    const isPassed = kind === 'middle' || (kind === 'open' && isDefined(stream.text, block));
    const last = isPassed && block !== undefined ? actionBehind(stream, block.lastStart) : action;
    from = last?.end ?? action.end;
    isCut = last !== undefined && trims(stream, last, 'right');
  }
}

function beginsWithBreak({ text }: Stream, { start, end }: Action): boolean {
  return /\bnindent\b/.test(text.slice(start, end));
}

function refused(
  { lines }: Stream,
  action: Action | undefined,
  reason: string,
  advice: readonly string[] = [],
): Refusal {
  const line = lines.at(action?.start ?? 0);
  return templateRefusal(`once the template is filled in, the action on line ${line} ${reason}`, line, [
    ...advice,
    'First take its - away ({{ for {{-, }} for -}}) with op "replace_text" and no path, in the same call before this edit',
    'Or choose another place: "before" or "after" another key, or for a comment "place": "before"',
  ]);
}

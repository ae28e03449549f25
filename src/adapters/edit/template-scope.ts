// What the actions of a moved or copied part of a template need in order to mean the same, and to write at the right depth.
import type { Edit } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { deepened } from '../prove/expected.ts';
import { firstChanged, type Need, needsOf, usedBehind } from '../tree/action-scope.ts';
import { actionsIn, depthOf, nextActions, saidDepth } from '../tree/actions.ts';
import { headStart } from '../tree/comments.ts';
import { columnOf, lineEnd, lineStart } from '../tree/lines.ts';
import { type Entry, type Item, isBlockCollection, type Span, type Stream, walk } from '../tree/span-tree.ts';
import { tailEnd } from './extent.ts';

/** A part of a template in its old place, to be compared with its new place. */
export interface TemplatePart {
  /** What its actions need around them in order to mean the same. */
  readonly needs: readonly Need[];
  readonly isOtherFile: boolean;
  /** The column of the part. */
  readonly column: number;
  /**
   * Throws TEMPLATE_ACTION if an action in it would write something else in rewritten text: it names a depth (`indent 4`), or
   * is in a text on lines, whose line breaks it may take away.
   */
  readonly requireRewritable: (edits: readonly Edit[]) => void;
}

/** Returns the span of the part with the comments above it and with its lines of actions. */
export function wholeOf(stream: Stream, part: Entry | Item): Span {
  return { start: headStart(stream, part.start), end: tailEnd(stream, part) };
}

/** Returns undefined for a part without actions. `isLeaving`: it is removed before it is inserted. Throws TEMPLATE_ACTION if its variables are used elsewhere. */
export function templatePartOf(
  stream: Stream,
  part: Entry | Item,
  isLeaving: boolean,
  isOtherFile: boolean,
): TemplatePart | undefined {
  const { text, lines, actions } = stream;
  const whole = wholeOf(stream, part);
  requireOwnItems(stream, part, whole);
  if (actions === undefined || actionsIn(actions, whole).length === 0) return undefined;
  const template = { text, lines, actions };
  const used = usedBehind(template, whole);
  if (used !== undefined && isLeaving)
    throw new Refusal(
      'TEMPLATE_ACTION',
      `Cannot move this: it sets ${used.name}, which the action on line ${used.line} uses`,
      { line: used.line },
      {
        advice: ['Move what uses it first, or set the variable elsewhere with op "replace_text" and no path'],
      },
    );
  return {
    needs: needsOf(template, whole),
    isOtherFile,
    column: columnOf(text, part.start),
    requireRewritable: (edits) => requireRewritable(stream, part, whole, edits),
  };
}

/** Throws TEMPLATE_ACTION if an action below may write more items of a list that is in the column of its key. */
function requireOwnItems(
  { text, lines, actions = [] }: Stream,
  { start, value }: Entry | Item,
  whole: Span,
): void {
  const column = columnOf(text, start);
  if (value.kind !== 'sequence' || !isBlockCollection(value) || columnOf(text, value.start) !== column)
    return;
  for (const action of nextActions(text, actions, whole.end))
    if (action.kind === 'output' && depthOf(text, action) === column)
      throw new Refusal(
        'TEMPLATE_ACTION',
        `Cannot move or copy this: the action on line ${lines.at(action.start)} may write more items of it`,
        { line: lines.at(action.start) },
        { advice: ['Edit the lines as text, with op "replace_text" and no path'] },
      );
}

/** Throws TEMPLATE_ACTION if an action could mean something else where the edits put it. */
export function requireSameScope(
  stream: Stream,
  scope: TemplatePart | undefined,
  edits: readonly Edit[],
): void {
  if (scope === undefined) return;
  const { text, lines, actions = [] } = stream;
  const offset = Math.min(...edits.filter(({ insert }) => insert.trim() !== '').map(({ start }) => start));
  const changed = firstChanged({ text, lines, actions }, scope.needs, offset, scope.isOtherFile);
  if (changed === undefined) return;
  const { name, line } = changed;
  throw new Refusal(
    'TEMPLATE_ACTION',
    `Cannot move or copy this: ${name} in its action on line ${line} could mean something else there (line ${lines.at(offset)})`,
    { line },
    {
      advice: [
        'Write it there with "value", in the words that hold there; then delete it here',
        'A dot and a variable mean the same within the same range, with and define',
      ],
    },
  );
}

/** Returns the edits that add columns to each depth that an action names (`indent 4`). Throws TEMPLATE_ACTION. */
export function deepenedBy(stream: Stream, part: Span, columns: number): readonly Edit[] {
  const { text, actions, lines } = stream;
  if (actions === undefined || columns === 0) return [];
  return actionsIn(actions, part).flatMap((action) => {
    const source = text.slice(action.start, action.end);
    if (action.kind !== 'output' || !/\bn?indent\b/.test(source)) return [];
    const depth = saidDepth(text, action);
    const isRepeated = (source.match(/\bn?indent\b/g) ?? []).length > 1;
    // An action that does not begin its line would be indented twice, or put other blanks into the line.
    const isBehindText = text.slice(lineStart(text, action.start), action.start).trim() !== '';
    const isBehindBlanks = !/^\{\{-/.test(source) && text[action.start - 1] === ' ';
    const isInLine = /\bindent\b/.test(source) && (isBehindText || isBehindBlanks);
    if (depth === undefined || isRepeated || isInLine || depth + columns < 0)
      throw unknownDepth(lines.at(action.start));
    return [
      {
        start: action.start,
        end: action.end,
        insert: deepened(source, columns),
      },
    ];
  });
}

function requireRewritable(
  { text, actions = [], lines }: Stream,
  { value }: Entry | Item,
  whole: Span,
  edits: readonly Edit[],
): void {
  for (const action of actionsIn(actions, whole))
    if (/\bn?indent\b/.test(text.slice(action.start, action.end))) throw unknownDepth(lines.at(action.start));
  const written = new Set(edits.flatMap(({ insert }) => insert.split('\n').map((line) => line.trim())));
  for (const node of walk(value)) {
    const own = node.kind === 'scalar' && node.block !== undefined ? actionsIn(actions, node) : [];
    for (const { start } of own)
      if (!written.has(text.slice(lineStart(text, start), lineEnd(text, start)).trim()))
        throw withinText(lines.at(start));
  }
}

function withinText(line: number): Refusal {
  return new Refusal(
    'TEMPLATE_ACTION',
    `Cannot move or copy this: the action on line ${line} is in a text on lines, which would be written on one line there`,
    { line },
    { advice: ['Move it to a place that has lines of its own, or write it there with "value"'] },
  );
}

function unknownDepth(line: number): Refusal {
  return new Refusal(
    'TEMPLATE_ACTION',
    `Cannot move or copy this: the action on line ${line} writes lines whose depth at the new place is not known`,
    { line },
    {
      advice: ['Write it there with "value", with the depth that its lines have there; then delete it here'],
    },
  );
}

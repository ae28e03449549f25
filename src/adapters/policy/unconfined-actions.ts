// Finds actions within values of a template that may write more than their value: a text with a line break, lines without
// indentation, a variable that is used elsewhere, a break that `-}}` removes. What they fill in from elsewhere (values, named
// templates) counts as the value of their node.
import { type Action, actionsIn, saidDepth } from '../tree/actions.ts';
import { columnOf } from '../tree/lines.ts';
import {
  isCollection,
  partsOf,
  type ScalarNode,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { unmatched } from '../tree/unmatched.ts';
import { differingLines } from '../verify/changed-lines.ts';

/** True where such an action is new, or one is removed that had set a variable. */
export function bringsUnconfined(before: Stream, after: Stream): boolean {
  if ((before.actions ?? []).length + (after.actions ?? []).length === 0) return false;
  const lines = differingLines(before.text, after.text);
  const [old, next] = [unconfinedIn(before, lines.old), unconfinedIn(after, lines.next)];
  const gone = old.filter((source) => SETS.test(source));
  const isMissing = (some: readonly string[], others: readonly string[]) =>
    unmatched(some, others, (source) => source).length > 0;
  return isMissing(next, old) || isMissing(gone, next);
}

/** Answers these actions in the values that have one of these lines. */
function unconfinedIn({ text, documents, actions = [] }: Stream, { start, end }: Span): readonly string[] {
  const found: string[] = [];
  const isJinja = text.includes('{%');
  const visit = (node: SpanNode, column: number): void => {
    if (node.kind === 'scalar')
      for (const action of actionsIn(actions, node)) {
        const source = text.slice(action.start, action.end);
        if (!action.isHidden && !isConfined(text, action, node, column, isJinja)) found.push(source);
      }
    else if (isCollection(node))
      for (const part of partsOf(node))
        if (part.start <= end && part.end >= start) visit(part.value, columnOf(text, part.start));
  };
  if (actions.length > 0) for (const { root } of documents) visit(root, -1);
  return found;
}

const SETS = /\$\w*\s*(?:,\s*\$\w*\s*)?:?=(?!=)|^\{%-?\s*set\b/;

/** True where the action stays within its value. `column` is that of the value's key or dash; below 0 for the value of a document. */
function isConfined(
  text: string,
  action: Action,
  node: ScalarNode,
  column: number,
  isJinja: boolean,
): boolean {
  const { start, end, kind } = action;
  const source = text.slice(start, end);
  const isLast = text.slice(end, node.end).trim() === '';
  if (isLast && /-[%}#]\}$/.test(source)) return false;
  if (/^\{\{-?\s*\/\*|^\{#/.test(source)) return true;
  if (SETS.test(source)) return false;
  if (kind !== 'output') return true;
  // In place of a whole document it may write anything.
  if (column < 0) return false;
  return (saidDepth(text, action) ?? -1) > column || isOneLine(source, isJinja);
}

const TOKEN = /\s+|[|(),[\]]|"[^"\\]*"|'[^'\\]*'|[-+]?\d+(?:\.\d+)?|[$.]?[\w.]*\w|[$.]/y;
const ONE_LINE = new Set(
  (
    'quote squote default int int64 float64 float toString string lower upper title capitalize trim trunc trimSuffix trimPrefix trimAll ' +
    'replace nospace b64enc b64encode sha256sum toJson tojson len length add add1 sub mul div mod max min floor ceil round ' +
    'eq ne lt le gt ge and or not ternary coalesce required empty hasKey get dig index include printf ' +
    'kebabcase camelcase snakecase true false nil none if else in is defined'
  ).split(' '),
);

/** True for names, numbers, texts without escapes, and functions that make one line of one line. */
function isOneLine(source: string, isJinja: boolean): boolean {
  const words = source.replace(/^\{[{%]-?|-?[%}]\}$/g, '');
  if (/\.Files\b|%[^sdvtq%\s"]/.test(words)) return false;
  let before = '';
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < words.length; ) {
    const token = TOKEN.exec(words)?.[0];
    if (token === undefined) return false;
    if (token.trim() === '') continue;
    const isName = /^[A-Za-z_]/.test(token) && !ONE_LINE.has(token);
    const isVariable = isJinja && before !== '|' && !/^\s*\(/.test(words.slice(TOKEN.lastIndex));
    if (isName && !isVariable) return false;
    before = token;
  }
  return true;
}

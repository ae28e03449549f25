// Finds actions within values of a template that may write more than their value: other nodes, or the branch of other nodes. Only
// a short list of forms is known to stay within its value; all else may write anything. What values files and named templates
// hold is judged where it stands.

import { differingLines } from '../compare/changed-lines.ts';
import { isPlainScalar } from '../prove/expected.ts';
import { type Action, actionsIn } from '../tree/actions.ts';
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

/** True if such an action is new, or one is removed that did more than to write a value from elsewhere. */
export function bringsUnconfined(before: Stream, after: Stream): boolean {
  if ((before.actions ?? []).length + (after.actions ?? []).length === 0) return false;
  const lines = differingLines(before.text, after.text);
  const [old, next] = [unconfinedIn(before, lines.old), unconfinedIn(after, lines.next)];
  const gone = old.filter((source) => ACTS.test(source));
  const isMissing = (some: readonly string[], others: readonly string[]) =>
    unmatched(some, others, (source) => source).length > 0;
  return isMissing(next, old) || isMissing(gone, next);
}

/** The place of a scalar: the column of its key or dash, below 0 for the value of a document, and whether brackets are around it. */
interface Place {
  readonly column: number;
  readonly isFlow: boolean;
}

/** Returns these actions in the values that have one of these lines, each with the style of its value. */
function unconfinedIn({ text, documents, actions = [] }: Stream, { start, end }: Span): readonly string[] {
  const found: string[] = [];
  const isJinja = text.includes('{%');
  const visit = (node: SpanNode, place: Place): void => {
    if (node.kind === 'scalar') {
      const own = actionsIn(actions, node).filter(({ isHidden }) => !isHidden);
      const isBeside = !isPlainScalar(node) || PLAIN.test(textBeside(text, own, node));
      for (const action of own)
        if (!isBeside || !isConfined(text, action, node, place, isJinja))
          found.push(`${node.style} ${text.slice(action.start, action.end)}`);
    } else if (isCollection(node))
      for (const part of partsOf(node))
        if (part.start <= end && part.end >= start)
          visit(part.value, { column: columnOf(text, part.start), isFlow: node.style === 'flow' });
  };
  if (actions.length > 0) for (const { root } of documents) visit(root, { column: -1, isFlow: false });
  return found;
}

/** Text that is no syntax of YAML wherever it stands in a plain value, behind an action that writes nothing too. */
const PLAIN = /^[\w./-]*$/;

function textBeside(text: string, actions: readonly Action[], node: Span): string {
  let beside = '';
  let at = node.start;
  for (const { start, end } of actions) {
    beside += text.slice(at, start);
    at = end;
  }
  return beside + text.slice(at, node.end).trimEnd();
}

/** What does more than to write a value from elsewhere. Each begins with the style of its value. */
const ACTS =
  /\\|`|\$\w*\s*(?:,\s*\$\w*\s*)?:?=(?!=)|^\w+ \{[{%][-+]?\s*(?:if|else|elif|end\w*|with|range|for|set|do|break|continue|define|block|template)\b|\b(?:set|unset|merge\w*|mustMerge\w*|tpl|print\w*|nindent|indent)\b/;

const COMMENT = /^(?:\{\{-?\s*\/\*|\{#)/;
/** A text that is no syntax of YAML, in quotes. */
const SAFE = /^(["'])(?:\w[\w./-]*)?\1$/;
/** Any text without escapes, for what quotes it. */
const LITERAL = /^["']/;
const NINDENT = /\|\s*nindent\s+(\d{1,4})$/;
const QUOTED = /(?:^|\|\s*)(?:quote|toJson)$|^(?:quote|toJson)\s[^|]*$/;

/** True if the action stays within its value. */
function isConfined(
  text: string,
  { start, end, kind, block }: Action,
  node: ScalarNode,
  { column, isFlow }: Place,
  isJinja: boolean,
): boolean {
  const source = text.slice(start, end);
  const words = source.replace(/^\{[{%#][-+]?|[-+]?[#%}]\}$/g, '').trim();
  const isFirst = isEmptyText(text, node.block?.bodyStart ?? node.start, start);
  const isLast = isEmptyText(text, end, node.end);
  const isAll = start === node.start && isLast;
  const depth = NINDENT.exec(words)?.[1];
  // Blanks are taken away beyond the value.
  if (isLast && /-[%}#]\}$/.test(source)) return false;
  if (isFirst && /^\{[{%#]-/.test(source) && depth === undefined) return false;
  if (node.style === 'double' && text[start - 1] === '\\') return false;
  if (COMMENT.test(source)) return true;
  // In place of a whole document it may write anything.
  if (column < 0) return false;
  const isPure = (given: string, literal: RegExp) => isOf(given, literal, isJinja);
  if (block !== undefined) {
    const isWithin = block.start >= node.start && block.end <= node.end;
    return isWithin && /^(?:if|else|elif|with|range|for|end)/.test(words) && isPure(words, SAFE);
  }
  if (kind !== 'output') return false;
  if (SAFE.test(words) || /^\d+$/.test(words)) return true;
  if (node.style === 'double' || node.style === 'single') return isPath(words);
  const isPlain = isPlainScalar(node);
  if (depth !== undefined && Number(depth) > column && !isFlow && (isAll || !isPlain))
    return isPure(words, words.startsWith('toYaml ') ? LITERAL : SAFE);
  return QUOTED.test(words) && !isJinja && (isAll || !isPlain) && isPure(words, LITERAL);
}

/** True for blanks and line breaks only. */
function isEmptyText(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (text.charAt(at).trim() !== '') return false;
  return true;
}

const PATH = /^(?:\$?\.[\w.]*|[A-Za-z_][\w.]*)$/;
const FILTER =
  /^(?:lower|upper|trim|int|int64|toString|b64enc|trunc -?\d+|(?:default|trimSuffix|trimPrefix)[ (](["'])(?:\w[\w./-]*)?\1\)?)$/;

/** True for a path, and filters that add nothing which could end the quotes around it. */
function isPath(words: string): boolean {
  const [path = '', ...filters] = words.split('|').map((part) => part.trim());
  return PATH.test(path) && filters.every((filter) => FILTER.test(filter));
}

const TOKEN = /\s+|[|(),[\]]|"[^"\\]*"|'[^'\\]*'|[-+]?\d+(?:\.\d+)?|[$.]?[\w.]*\w|[$.]/y;
const CALL = /\s*\(/y;
const FUNCTIONS = new Set(
  (
    'quote squote default int int64 float64 float toString string lower upper title capitalize trim trunc trimSuffix trimPrefix trimAll ' +
    'replace nospace b64enc b64encode sha256sum toJson tojson toYaml nindent len length add add1 sub mul div mod max min floor ceil ' +
    'round eq ne lt le gt ge and or not ternary coalesce required empty hasKey get dig index include printf ' +
    'kebabcase camelcase snakecase true false nil none if elif else end endif endfor with range for in is defined'
  ).split(' '),
);

/** True for paths, numbers, such texts, and functions that change nothing. A variable may hold any text, as a file may. */
function isOf(words: string, literal: RegExp, isJinja: boolean): boolean {
  let before = '';
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < words.length; ) {
    const token = TOKEN.exec(words)?.[0];
    if (token === undefined) return false;
    if (token.trim() === '') continue;
    if (/^["']/.test(token) && !literal.test(token)) return false;
    if (literal === SAFE && /^\$\w|^\.Files\b/.test(token)) return false;
    const isName = /^[A-Za-z_]/.test(token) && !FUNCTIONS.has(token);
    CALL.lastIndex = TOKEN.lastIndex;
    const isVariable = isJinja && before !== '|' && !CALL.test(words);
    if (isName && !isVariable) return false;
    before = token;
  }
  return true;
}

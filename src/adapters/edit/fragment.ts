// Reads a fragment from a request: exactly one node, at any indentation. It is parsed alone first, so that it cannot end the
// replaced node and begin another.
import { type Limits, Refusal, splice, unlessRefused } from '../../security/index.ts';
import { commentLines } from '../tree/comment-lines.ts';
import type { Format } from '../tree/format.ts';
import type { Json } from '../tree/json.ts';
import { findDuplicateKey } from '../tree/keys.ts';
import { indentOf, withoutEnd } from '../tree/lines.ts';
import {
  type DocumentSpans,
  isBlockCollection,
  isEmpty,
  isSectional,
  outerStart,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { strictly } from './strict-flow.ts';

export interface Fragment {
  /** The text with LF line breaks, at least one of them at the end, and without indentation of its own. */
  readonly text: string;
  readonly node: SpanNode;
  readonly comments: Stream['comments'];
  /** The comment (`# …`) on the line where a scalar, alias or flow collection ends; '' where there is none. */
  readonly trailingComment: string;
  /** The lines of its comments, which the result must hold. */
  readonly given: readonly string[];
  /** The data that were asked for, where the text was written for a typed value: what the proof holds the result to. */
  readonly asked?: Json;
}

/** The format, the limits and the document of the file that the fragment is for. */
export interface FragmentContext {
  readonly format: Format;
  readonly limits: Limits;
  readonly document: Pick<DocumentSpans, 'tagHandles'>;
}

/**
 * The limit for a fragment that only the slower parser can read: about 100 kB of real configuration. The file is then read by
 * the same parser, while the fragment is still in memory.
 */
const USUAL_TOKENS = 50_000;

/** Throws VALUE_INVALID for anything but exactly one node. An empty or blank source is the empty node. */
export function parseFragment(source: string, context: FragmentContext): Fragment {
  if (!source.isWellFormed()) throw invalid('it holds half of a surrogate pair');
  if (source.startsWith('\uFEFF')) throw invalid('it starts with a byte order mark');
  // Some readers take these characters for line ends, others for text: what follows could become a key of its
  // own.
  if (/\r(?!\n)|[\u0085\u2028\u2029]/.test(source)) {
    throw invalid('it holds a character that some readers take for the end of a line (CR, NEL, LS or PS)');
  }
  const unbroken = source.replaceAll('\r\n', '\n').replace(/^(?:[ \t]*\n)+/, '');
  const whole = unbroken.endsWith('\n') ? unbroken : `${unbroken}\n`;
  if (context.format.layout === 'sections') return readFragment(whole, context);
  const text = dedent(whole);
  if (/^(?:---|\.\.\.)(?:\s|$)/m.test(text))
    throw invalid('it holds a document marker (--- or ...), so it is more than one node');
  try {
    return readFragment(text, context);
  } catch (error) {
    // The first line of a block that was cut from behind a dash stands left of the others.
    const indented = dedent(indentFirstLine(text));
    if (indented === text || !(error instanceof Refusal) || error.code === 'LIMIT_EXCEEDED') throw error;
    try {
      return readFragment(indented, context);
    } catch {
      throw error;
    }
  }
}

function readFragment(source: string, context: FragmentContext): Fragment {
  if (source.trim() === '' && !context.format.hasEmptyValues)
    throw invalid(`it is empty; ${context.format.name} has no empty value, use null`);
  const { text, node, comments } = readStrictly(source, context);
  const before = text.slice(0, outerStart(node)).trim();
  const after = text.slice(node.end).trim();
  const isBlock = isBlockCollection(node) || isSectional(node);
  if (isEmpty(node) && before + after !== '')
    throw invalid('it holds only a comment; quote the text if "#" belongs to it');
  if (!isBlock && (before !== '' || after.includes('\n') || (after !== '' && text[node.end] === '\n'))) {
    throw invalid('a comment on a line of its own has no place beside a single value');
  }
  const trailingComment = isBlock ? '' : after;
  return { text, node, comments, trailingComment, given: commentLines(text, comments) };
}

/** Reads a fragment, and rewrites YAML in brackets so that readers of YAML 1.1 and 1.2 agree on it. */
function readStrictly(source: string, context: FragmentContext): Omit<Fragment, 'trailingComment' | 'given'> {
  const { node, comments } = parseAlone(source, context);
  const mayBeLoose = context.format.layout === 'block' && /[[{]/.test(source) && /[?:]/.test(source);
  const edits = mayBeLoose ? strictly(source, node) : [];
  if (edits.length === 0) return { text: source, node, comments };
  const text = splice(source, edits);
  return { text, ...parseAlone(text, context) };
}

function readAlone(text: string, { format, document }: FragmentContext, limits: Limits): Stream {
  if (format.readFragment !== undefined) return format.readFragment(text, limits);
  return format.parse(text, limits, document.tagHandles);
}

/** The only document of a value, where it brings no comments of its own. Throws the refusals of parsing. */
export function withoutComments(source: string, context: FragmentContext) {
  const text = source.endsWith('\n') ? source : `${source}\n`;
  const stream = readAlone(text, context, context.limits);
  const [document, second] = stream.documents;
  const isPlain = second === undefined && stream.comments.length === 0;
  return document !== undefined && isPlain ? { stream, document } : undefined;
}

function parseAlone(text: string, context: FragmentContext): Pick<Fragment, 'node' | 'comments'> {
  const { format, limits } = context;
  // A quarter of what a file may have of them.
  const referenceTokens = Math.min(
    limits.referenceTokens ?? Number.POSITIVE_INFINITY,
    Math.max(USUAL_TOKENS, limits.tokens / 40),
  );
  try {
    const stream = readAlone(text, context, { ...limits, referenceTokens });
    const [document, second] = stream.documents;
    if (document === undefined || second !== undefined) throw invalid('it is more than one document');
    requireDistinctKeys(stream);
    return { node: document.root, comments: stream.comments };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code === 'LIMIT_EXCEEDED' && error.clues.limit?.allowed === referenceTokens)
      throw tooUnusual(error.where.line ?? 1, referenceTokens);
    if (error.code !== 'SYNTAX_INVALID') throw error;
    const first = error.clues.problems?.[0];
    const place =
      first === undefined
        ? ''
        : ` (line ${first.line}, column ${first.column} of the value: ${first.message})`;
    const reason = `it is not one complete ${format.name} value${place}`;
    throw /\{[{%]/.test(text) && format.requireData !== undefined
      ? notWholeWithActions(reason, text, context)
      : invalid(reason, quoted(format.name)).hinting({ wantedFormat: format.name });
  }
}

/** The refusal for a fragment with actions that are not whole: it advises quotes where the whole text is one value. */
function notWholeWithActions(reason: string, text: string, { format, limits }: FragmentContext): Refusal {
  const source = format.writeScalar(withoutEnd(text, '\n'), {
    style: 'double',
    isFlow: false,
    quotes: () => 'double',
    unit: () => 2,
  });
  if (!isOneText(source, format, limits))
    return new Refusal(
      'TEMPLATE_ACTION',
      `Cannot use this value: the actions of the template in it are not whole: ${reason}`,
      {},
      { advice: WHOLE_ACTIONS },
    );
  const advice = ['Put the text in quotes, its actions included: "a: {{ … }}"', ...WHOLE_ACTIONS.slice(1)];
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice, asText: source });
}

function isOneText(source: string, format: Format, limits: Limits): boolean {
  const { documents = [] } = unlessRefused(() => format.parse(`${source}\n`, limits)) ?? {};
  return documents.length === 1 && documents[0]?.root.kind === 'scalar';
}

/** Throws VALUE_INVALID for a repeated key: some readers take the first entry, some the last, and some refuse the file. */
function requireDistinctKeys(stream: Stream): void {
  const repeated = findDuplicateKey(stream);
  if (repeated === undefined) return;
  throw invalid(
    `its key ${(repeated.path ?? '').replace(/\[#\d+\]$/, '')} stands twice in one mapping (again in line ${repeated.line} of the value)`,
  );
}

/** The refusal for a fragment with too many tokens for the slower parser. `line` is a line of the value, not of the file. */
function tooUnusual(line: number, allowed: number): Refusal {
  const name = 'number of tokens of a value that only the slower parser reads';
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot use this value: it is invalid, unusual or too long about its line ${line}, and so its number of tokens exceeds the limit of ${allowed}, which holds for such a value`,
    {},
    {
      limit: { name, allowed, unit: 'tokens' },
      advice: [
        'Send plain data in "json" instead of "value": it is written the usual way',
        'Or set it part by part',
      ],
    },
  );
}

/** The block scalar that the node ends in, if it ends in one. */
export function lastBlockScalar(node: SpanNode) {
  let last: SpanNode | undefined = node;
  while (last !== undefined && isBlockCollection(last)) last = partsOf(last).at(-1)?.value;
  return last?.kind === 'scalar' ? last.block : undefined;
}

/** Removes the indentation that all lines that are not blank share with the first. */
function dedent(text: string): string {
  const lines = text.split('\n');
  const shared = sharedIndent(lines);
  if (!Number.isFinite(shared) || shared === 0) return text;
  return lines.map((line) => line.slice(Math.min(shared, indentOf(line)))).join('\n');
}

/** Indents the first line like the others, where it stands left of all of them. */
function indentFirstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  const shared = sharedIndent(rest);
  return Number.isFinite(shared) && indentOf(first) < shared
    ? [' '.repeat(shared - indentOf(first)) + first, ...rest].join('\n')
    : text;
}

/** Returns the least indentation of the lines that are not blank, or infinity. It reduces, because a million arguments would overflow the stack. */
function sharedIndent(lines: readonly string[]): number {
  return lines.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, indentOf(line))),
    Number.POSITIVE_INFINITY,
  );
}

const AS_DATA = 'Send plain data in "json" instead of "value": it is quoted as needed';

/** Advises how to quote text. `format` is the name of the file's format. */
function quoted(format: string): readonly string[] {
  return [AS_DATA, `Quote text that is no value of ${format} by itself, or would be read as structure`];
}

const WHOLE_ACTIONS = [
  'Send whole actions: each is closed, and each if, range, with or define has its end in the value',
  'To change only one of them, use op "replace_text" and no path',
];

function invalid(
  reason: string,
  advice: readonly string[] = [AS_DATA, 'Quote text that would be read as structure'],
): Refusal {
  return new Refusal('VALUE_INVALID', `Cannot use this value: ${reason}`, {}, { advice });
}

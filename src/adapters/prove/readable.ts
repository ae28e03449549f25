// The strictest readers (PyYAML, libyaml, Go's yaml) must accept a result and read it alike: no tabs or characters that they refuse,
// flow collections that YAML 1.1 reads as 1.2 does, the same byte order mark, directives, markers and line breaks around the data.
// What was there before is not checked, so that such a file stays editable.

import { type Edit, withInserted } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import { strictly } from '../edit/flow-text.ts';
import { type ConfigFile, findProblems } from '../formats/registry.ts';
import { withoutActions } from '../tree/actions.ts';
import type { Format } from '../tree/format.ts';
import { lineEnd, withoutEnd } from '../tree/lines.ts';
import { type ScalarNode, type Span, type Stream, walk } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';
import { differs } from './expected.ts';

/** Throws VERIFICATION_FAILED if the result has more of what some readers refuse or read differently. */
export function requireReadable(before: Stream, after: Stream, { layout }: Pick<Format, 'layout'>): void {
  if (layout !== 'block') return;
  for (const { may, count, says } of REFUSED)
    if (may.test(after.text) && count(after) > count(before))
      throw differs(says, {
        advice: ['Write blanks for tabs, and such characters as escapes in double quotes'],
      });
}

interface Refused {
  /** Matches every text with any: a cheap test before counting. */
  readonly may: RegExp;
  readonly count: (stream: Stream) => number;
  readonly says: string;
}

const CONTROL = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;
/** libyaml and Go allow a byte order mark at the start of a line, where it takes up a column. */
const MARKED_LINE = /\n\uFEFF/;
/** Letters at which libyaml ends the name of an anchor. Placeholders for secrets are judged elsewhere. */
const ODD_ANCHOR = /&[\w-]*(?!<secret:)[^\s\w,[\]{}-]/;
/** A `...` before any document. */
const NO_DOCUMENT = /^\uFEFF?(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*\.\.\.(?:\s|$)/;

const REFUSED: readonly Refused[] = [
  {
    may: /\t/,
    count: (stream) => looseTabs(stream),
    says: 'a tab would stand where some readers of YAML take none',
  },
  {
    may: CONTROL,
    count: inText(CONTROL),
    says: 'a character would come in that some readers of YAML refuse',
  },
  {
    may: MARKED_LINE,
    count: inText(MARKED_LINE),
    says: 'a line would begin with a byte order mark, which some readers of YAML pass over',
  },
  {
    may: ODD_ANCHOR,
    count: oddAnchors,
    says: 'some readers of YAML end the name of an anchor at letters other than A to Z, digits, - and _',
  },
  {
    may: NO_DOCUMENT,
    count: inText(NO_DOCUMENT),
    says: 'some readers of YAML refuse "..." before a document',
  },
];

function inText(pattern: RegExp): Refused['count'] {
  const all = new RegExp(pattern.source, 'g');
  return ({ text }) => text.match(all)?.length ?? 0;
}

function oddAnchors({ text, documents }: Stream): number {
  return documents
    .flatMap(({ root }) => [...walk(root)])
    .filter(({ properties }) => {
      const anchor = properties?.anchor;
      return anchor !== undefined && ODD_ANCHOR.test(text.slice(anchor.start, anchor.end));
    }).length;
}

/** Counts the tabs outside of scalars that may have them, comments and actions. */
function looseTabs({ text, documents, comments, actions = [], hasStructure }: Stream): number {
  if (hasStructure === false) return 0;
  const places: Span[] = [...comments, ...actions];
  for (const { root } of documents)
    for (const node of walk(root)) if (node.kind === 'scalar') places.push(...takingTabs(text, node));
  places.sort((a, b) => a.start - b.start);
  let [loose, next] = [0, 0];
  for (let at = text.indexOf('\t'); at !== -1; at = text.indexOf('\t', at + 1)) {
    while ((places[next]?.end ?? text.length) <= at) next += 1;
    if ((places[next]?.start ?? text.length) > at) loose += 1;
  }
  return loose;
}

/** Returns the spans of a scalar in which a tab is content. */
function takingTabs(text: string, { style, start, end, block }: ScalarNode): readonly Span[] {
  if (style === 'single' || style === 'double') return [{ start, end }];
  if (block === undefined) return [];
  const [first = ''] = text.slice(block.bodyStart, end).match(/^ *(?=[^ \r\n])/m) ?? [];
  const lines: Span[] = [];
  for (let from = block.bodyStart; from < block.bodyEnd; ) {
    const lineFeed = text.indexOf('\n', from);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    if (text.startsWith(first, from)) lines.push({ start: from, end: next });
    from = next;
  }
  return lines;
}

/** Throws VERIFICATION_FAILED for new flow text that readers differ about. The tree is searched only if the new text has such a sign. */
export function requireStrict(
  before: Stream,
  edits: readonly Edit[],
  after: Stream,
  { layout }: Format,
): void {
  if (layout !== 'block') return;
  requireIndented(before, edits, after);
  const written = withInserted(edits, before.text.length)
    .map(({ inserted }) => inserted)
    .filter(({ start, end }) => LOOSE.test(after.text.slice(Math.max(start - 1, 0), end + 1)));
  if (written.length === 0) return;
  for (const { root } of after.documents)
    for (const { start, end } of strictly(after.text, root)) {
      const isWritten = written.some((span) =>
        start === end ? span.start <= start && end <= span.end : span.start < end && start < span.end,
      );
      // Text that was moved unchanged was there before.
      if (isWritten && !before.text.includes(after.text.slice(Math.max(start - CONTEXT, 0), end + 1)))
        throw differs('some readers of YAML would end a word within the brackets elsewhere', {
          advice: ['Put the words in quotes that hold a question mark, and a blank behind each colon'],
        });
    }
}

/** Throws for new unindented lines within quotes; old ones may stay, and move unchanged. */
function requireIndented(before: Stream, edits: readonly Edit[], after: Stream): void {
  const { unindented = [], text } = after;
  if (unindented.length === 0) return;
  const old = new Set((before.unindented ?? []).map((offset) => lineAt(before.text, offset)));
  const written = withInserted(edits, before.text.length).map(({ inserted }) => inserted);
  const isNew = unindented.some(
    (offset) =>
      written.some(({ start, end }) => start <= offset && offset < end) && !old.has(lineAt(text, offset)),
  );
  if (isNew)
    throw differs('a line within quotes would be indented no further than what the quotes belong to', {
      advice: ['Send the text with \\n for its line breaks in double quotes, or in "json"'],
    });
}

function lineAt(text: string, start: number): string {
  return text.slice(start, lineEnd(text, start)).trim();
}

const LOOSE = /\?|[[{,]\s*:|:[,[\]{}]|: *:/;
/** The number of preceding characters by which moved text is recognised. */
const CONTEXT = 8;

/** Throws VERIFICATION_FAILED if `after` has more problems than `before`. */
export function requireNoWorse(before: ConfigFile, after: ConfigFile): void {
  const [old, next] = [problemsOf(before), problemsOf(after)];
  const isBroken = after.unreadable !== undefined && before.unreadable === undefined;
  if (next.length <= old.length && !isBroken) return;
  const [first] = next;
  const { line, column } = first ?? {};
  const place = first === undefined ? '' : `: line ${line}, column ${column}: ${first.message}`;
  const what =
    isBroken && first === undefined
      ? `of the file only the text could be read: ${after.unreadable?.message}`
      : old.length === 0
        ? `the file would no longer be valid ${after.format.name}`
        : `the file has ${counted(old.length, 'problem')}, and would have ${next.length}`;
  throw differs(`${what}${place}`, {
    advice: [
      'Replace the rest in the same call: texts that are replaced one after the other are proven together',
    ],
  }).at({ line, column });
}

/** Throws VALUE_INVALID for invalid content of a new file. */
export function requireValid(file: ConfigFile): void {
  const [first] = problemsOf(file);
  if (first === undefined) return;
  throw new Refusal(
    'VALUE_INVALID',
    `Cannot use this value as content: it is not valid ${file.format.name}: line ${first.line}, column ${first.column}: ${first.message}`,
    {},
    { advice: ['Correct it; config_validate with "text" finds every problem of a YAML text'] },
  );
}

function problemsOf(file: ConfigFile) {
  if (file.unreadable !== undefined) return file.unreadable.clues.problems ?? [];
  return file.stream.hasStructure === false ? [] : findProblems(file);
}

/** The value is not at fault, so the general advice of the code applies. */
const NO_CLUES = {};

/**
 * Throws VERIFICATION_FAILED if a marker, directive, byte order mark or kind of line break would change. `origins` has for each
 * document of the result the old index, undefined for a new one.
 */
export function requireSameFrame(
  before: Stream,
  after: Stream,
  origins: readonly (number | undefined)[],
): void {
  const [old, next] = [markersOf(before), markersOf(after)];
  const isAsBefore =
    old.length === next.length
      ? old.every((lines, at) => isSame(lines, next[at] ?? ''))
      : origins.every((origin, at) => isSamePreamble(origin === undefined ? '' : old[origin], next[at])) &&
        before.text.startsWith('\uFEFF') === after.text.startsWith('\uFEFF');
  if (!isAsBefore)
    throw differs('a byte order mark, a directive or a document marker would change', NO_CLUES);
  const breaks = breaksOf(before.text);
  if (breaks.size > 0 && [...breaksOf(after.text)].some((kind) => !breaks.has(kind)))
    throw differs('another kind of line break would come in', NO_CLUES);
}

/** Throws if a text with a lone CR would be removed: what follows it is a comment for some readers and a line for others. */
export function requireClearLines(text: string, edits: readonly Edit[]): void {
  const isUnclear = edits.some(({ start, end }) =>
    /\r(?!\n)/.test(text.slice(start, text[end] === '\n' ? end + 1 : end)),
  );
  if (!isUnclear) return;
  throw differs('what would go holds a lone carriage return, which some readers take for the end of a line', {
    advice: ['Have a person replace the carriage return by a line break first'],
  });
}

/** Returns the text before each document and after the last one, without template actions, which are checked elsewhere. */
function markersOf({ text, documents, actions = [] }: Stream): string[] {
  const between: string[] = [];
  let from = 0;
  const slice = (to: number): string => withoutActions(text, actions, { start: from, end: to });
  for (const { contentStart, contentEnd } of documents) {
    between.push(slice(contentStart));
    from = contentEnd;
  }
  return [...between, slice(text.length)];
}

/** True if a document has the same directives as before; a new one must have none. */
function isSamePreamble(old = '', next = ''): boolean {
  const directives = (lines: string) =>
    linesOf(lines).filter((line) => !/^(?:\uFEFF*|---|\.\.\.)$/.test(line));
  return JSON.stringify(directives(old)) === JSON.stringify(directives(next));
}

function isSame(markers: string, next: string): boolean {
  return markers === next || JSON.stringify(linesOf(markers)) === JSON.stringify(linesOf(next));
}

/** Returns the lines except for blank ones and comments; a byte order mark counts as a line. */
function linesOf(markers: string): string[] {
  return markers
    .replace(/^\uFEFF+/, '$&\n')
    .split('\n')
    .map((line) => withoutEnd(line.replace(/(^\uFEFF*|[ \t])#.*/, '$1'), ' \t\r'))
    .filter((line) => line !== '');
}

function breaksOf(text: string): ReadonlySet<string> {
  const kinds = new Set<string>();
  if (text.includes('\r\n')) kinds.add('CRLF');
  if (/(?:^|[^\r])\n/.test(text)) kinds.add('LF');
  return kinds;
}

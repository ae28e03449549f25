// Finds keys, values and texts in one file, with the value as it is written there.

import { Refusal } from '../../security/errors/refusal.ts';
import { keyOf, type NodePath } from '../../security/node-paths/node-path.ts';
import type { Sought } from '../../security/sandbox/snapshot.ts';
import { outsidePlaceholders } from '../../security/text/placeholders.ts';
import { visibleLine } from '../../security/text/visible.ts';
import { shownOnOneLine } from '../shown/shown.ts';
import { documentLabels } from '../tree/document.ts';
import { ItemNames, namedPath } from '../tree/item-names.ts';
import { visitNodes } from '../tree/keys.ts';
import { LineIndex, lineEnd, nextLine } from '../tree/lines.ts';
import { targetOf } from '../tree/resolved.ts';
import { type DocumentSpans, outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { compilePart, compileWildcard, hasWildcard, ignoringCase } from '../tree/wildcard.ts';
import { compileCondition, compileValue, soughtBy, soughtByText } from './condition.ts';
import { compileKeyPattern } from './key-pattern.ts';
import { bringerOf, findMissing, hasOnlyDeeper } from './missing.ts';
import type { SearchTerms } from './terms.ts';
import { type Unfolded, unfold } from './unfold.ts';

export interface Match {
  readonly line: number;
  /** The document as `Kind/name` or `doc 1`, where there are several or it has a name. */
  readonly doc: string | undefined;
  /** The path; undefined for a line of text. */
  readonly path: string | undefined;
  /** The value on one line. */
  readonly shown: string;
  /** The value alone, by which equal ones are counted. */
  readonly value: string;
}

export interface Searched {
  /** The nodes that match all terms, in source order. */
  readonly matches: readonly Match[];
  /** The values that could not be compared. */
  readonly notCompared: readonly string[];
  /** Texts that were compared as numbers, but would compare the other way round as versions; and ranges. */
  readonly by: Readonly<Record<'number' | 'lowest', readonly string[]>>;
  /** The number of nodes or lines that would match in another case of letters. */
  readonly otherCase: number;
  /** True if a document has the missing key, but not at its root. */
  readonly isDeeper: boolean;
  /** The number of matches whose value is the pattern itself, with its wildcards. */
  readonly exact: number;
  /** The number of nodes for each other reading of the terms. */
  readonly near: Readonly<Record<keyof Near, number>>;
}

/** Other readings of a single term: the key as a value or as a part of a key, the value as a part of one or as a key. */
export interface Near {
  readonly otherPlace: (node: SpanNode, path: NodePath) => boolean;
  readonly part: (node: SpanNode, path: NodePath) => boolean;
}

export const NOT_NEAR: Searched['near'] = { otherPlace: 0, part: 0 };

export interface Search {
  /** Tests that each text with a match passes. */
  readonly sought: Sought;
  /** Searches a file; with `wantsNear` other readings are counted as well. */
  readonly find: (stream: Stream, wantsNear: boolean) => Searched;
}

/** Compiles a search. Throws ARGUMENT_INVALID. */
export function compileSearch(terms: SearchTerms): Search {
  const { key, value, where } = terms;
  const isKey = key === undefined ? undefined : compileKeyPattern(key);
  const isValue = value === undefined ? undefined : compileValue(value);
  const condition = where === undefined ? undefined : compileCondition(where);
  const sought = soughtBy(terms);
  if (condition === 'missing') {
    if (key !== undefined && value === undefined) return { sought, find: (stream) => missingIn(stream, key) };
    throw new Refusal('ARGUMENT_INVALID', 'Cannot search: "missing" goes with "key", and not with "value"');
  }
  const near = nearOf(terms);
  const isExact = (text: string) => value !== undefined && hasWildcard(value) && text === value;
  const compiled = { isKey, isValue, condition, inAnyCase: inAnyCase(terms), isExact };
  return {
    sought,
    find: (stream, wantsNear) => find(stream, { ...compiled, near: wantsNear ? near : undefined }),
  };
}

interface Compiled {
  readonly isKey: ReturnType<typeof compileKeyPattern> | undefined;
  readonly isValue: ((node: SpanNode) => boolean) | undefined;
  readonly condition: Exclude<ReturnType<typeof compileCondition>, 'missing'> | undefined;
  readonly inAnyCase: Pick<Compiled, 'isKey' | 'isValue'>;
  readonly isExact: (text: string) => boolean;
  readonly near: Near | undefined;
}

/** Returns the same tests for any case of letters. */
function inAnyCase({ key, value }: SearchTerms): Compiled['inAnyCase'] {
  return {
    isKey: key === undefined ? undefined : compileKeyPattern(ignoringCase(key)),
    isValue: value === undefined ? undefined : compileValue(ignoringCase(value)),
  };
}

function find(stream: Stream, { condition, near, isExact, ...tests }: Compiled): Searched {
  const labels = documentLabels(stream);
  const names = new ItemNames(stream);
  const [matches, notCompared, number, lowest]: [Match[], string[], string[], string[]] = [[], [], [], []];
  const by = { number, lowest };
  const counts = { ...NOT_NEAR };
  let [otherCase, exact] = [0, 0];
  for (const [doc, document] of stream.documents.entries()) {
    // A value alone is found where it is written, and not again at each alias.
    const isUnfolded = tests.isKey !== undefined && document.aliasTargets.size > 0;
    const { root, borrowed, aliases } = (isUnfolded ? unfold(document) : undefined) ?? asWritten(document);
    const meets = testIn(stream.text, root, tests);
    const meetsInAnyCase = testIn(stream.text, root, tests.inAnyCase);
    visitNodes(stream.text, root, (visited, path, keyNode) => {
      const node = aliases.get(visited) ?? visited;
      const place = borrowed.get(node);
      const meant = (tests.isKey && targetOf(document, node)) ?? node;
      if (place === undefined && near?.otherPlace(node, path) === true) counts.otherPlace += 1;
      if (place === undefined && near?.part(node, path) === true) counts.part += 1;
      const isFound = meets(visited, path, meant);
      if (!isFound && !meetsInAnyCase(visited, path, meant)) return;
      const answer = condition?.(meant) ?? true;
      if (!isFound) {
        if (answer === true && place === undefined) otherCase += 1;
        return;
      }
      if (answer === 'no number') notCompared.push(shownOnOneLine(stream, node));
      else if (typeof answer === 'object') by[answer.by].push(shownOnOneLine(stream, node));
      const isMatch = typeof answer === 'object' ? answer.is : answer === true;
      if (!isMatch) return;
      if (meant.kind === 'scalar' && isExact(meant.value)) exact += 1;
      const means = node === meant || meant.kind !== 'scalar' ? '' : ` (${shownOnOneLine(stream, meant)})`;
      matches.push({
        ...placeOf(stream, place ?? node, place === undefined ? keyNode : undefined, labels[doc]),
        path: namedPath(names, doc, path),
        shown: `= ${shownOnOneLine(stream, node)}${means}${place === undefined ? '' : ' (by alias)'}`,
        value: meant.kind === 'scalar' ? visibleLine(meant.value) : shownOnOneLine(stream, meant),
      });
    });
  }
  return { matches, notCompared, by, otherCase, exact, isDeeper: false, near: counts };
}

/** A document as it is written. */
function asWritten({ root }: DocumentSpans): Unfolded {
  return { root, borrowed: new Map(), aliases: new Map() };
}

/** Returns a test of the nodes of a document, with what each of them means. */
function testIn(text: string, root: SpanNode, { isKey, isValue }: Compiled['inAnyCase']) {
  const isNamed = isKey?.(text, root);
  return (node: SpanNode, path: NodePath, meant: SpanNode): boolean =>
    isNamed?.(node, path) !== false && (isValue === undefined || isValue(meant));
}

const NOTHING = {
  notCompared: [],
  by: { number: [], lowest: [] },
  otherCase: 0,
  exact: 0,
  near: NOT_NEAR,
} as const;

function missingIn(stream: Stream, key: string): Searched {
  const labels = documentLabels(stream);
  const names = new ItemNames(stream);
  const matches = stream.documents.flatMap((document, doc) =>
    findMissing(stream.text, document, key).map(({ node, path }) => {
      const bringer = bringerOf(stream, node);
      return {
        ...placeOf(stream, node, undefined, labels[doc]),
        path: namedPath(names, doc, path),
        shown: `lacks ${visibleLine(key)}${bringer === undefined ? '' : ` (${bringer})`}`,
        value: `lacks ${visibleLine(key)}`,
      };
    }),
  );
  const isDeeper = stream.documents.some((document) => hasOnlyDeeper(stream.text, document, key));
  return { ...NOTHING, matches, isDeeper };
}

/** Returns other readings; undefined with several terms, of which any could have been meant differently. */
function nearOf({ key, value, where }: SearchTerms): Near | undefined {
  const term = key ?? value;
  if (term === undefined || where !== undefined || (key !== undefined && value !== undefined))
    return undefined;
  const isTerm = compileWildcard(term);
  const isPart = /[*?.[]/.test(term) && key !== undefined ? () => false : compilePart(term);
  const isInKey = (path: NodePath, is: (text: string) => boolean) => {
    const key = keyOf(path.at(-1));
    return key !== undefined && is(key);
  };
  const isInValue = (node: SpanNode, is: (text: string) => boolean) =>
    node.kind === 'scalar' && is(outsidePlaceholders(node.value));
  return key === undefined
    ? { otherPlace: (_node, path) => isInKey(path, isTerm), part: (node) => isInValue(node, isPart) }
    : { otherPlace: (node) => isInValue(node, isTerm), part: (_node, path) => isInKey(path, isPart) };
}

function placeOf({ lines }: Stream, node: SpanNode, key: SpanNode | undefined, doc: string | undefined) {
  return { line: lines.at(outerStart(key ?? node)), doc };
}

function lineAlone(line: string): Pick<Match, 'shown' | 'value'> {
  const shown = visibleLine(line);
  return { shown, value: shown };
}

export interface TextSearch {
  readonly sought: Sought;
  readonly findText: (text: string) => Pick<Searched, 'matches' | 'otherCase'>;
}

/** Compiles a search for lines with a text, comments included, in any text, whether or not it can be parsed. Throws ARGUMENT_INVALID. */
export function compileTextSearch(wanted: string): TextSearch {
  const [isWanted, isInAnyCase] = [compilePart(wanted), compilePart(ignoringCase(wanted))];
  const findText: TextSearch['findText'] = (text) => {
    const found: Match[] = [];
    let otherCase = 0;
    const lines = new LineIndex(text);
    for (let at = 0; at < text.length; at = nextLine(text, at)) {
      const line = text.slice(at, lineEnd(text, at));
      const searched = outsidePlaceholders(line);
      if (isWanted(searched))
        found.push({ line: lines.at(at), doc: undefined, path: undefined, ...lineAlone(line.trim()) });
      else if (isInAnyCase(searched)) otherCase += 1;
    }
    return { matches: found, otherCase };
  };
  return { sought: soughtByText(wanted), findText };
}

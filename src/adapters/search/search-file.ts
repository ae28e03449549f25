// Finds keys, values and texts in one file, with the value as it is written there.
import {
  type NodePath,
  outsidePlaceholders,
  Refusal,
  type Sought,
  visibleLine,
} from '../../security/index.ts';
import { shownOnOneLine } from '../shown/shown.ts';
import { documentLabels } from '../tree/document.ts';
import { ItemNames, namedPath } from '../tree/item-names.ts';
import { visitNodes } from '../tree/keys.ts';
import { LineIndex, lineEnd, nextLine } from '../tree/lines.ts';
import { targetOf } from '../tree/resolved.ts';
import { isCollection, outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { compilePart, ignoringCase } from '../tree/wildcard.ts';
import { compileCondition, compileValue, type SearchTerms, soughtBy, soughtByText } from './condition.ts';
import { compileKeyPattern } from './key-pattern.ts';
import { bringerOf, findMissing } from './missing.ts';

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
  /** The values that could not be compared for sure. */
  readonly notCompared: readonly string[];
  /** The number of nodes or lines that would match in another case of letters. */
  readonly otherCase: number;
  /** True if keys were searched, and aliases or merges bring some that are not found where they bring them. */
  readonly hasAliases: boolean;
}

export interface Search {
  /** Tests that each text with a match passes. */
  readonly sought: Sought;
  readonly find: (stream: Stream) => Searched;
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
  const compiled = { isKey, isValue, condition, inAnyCase: inAnyCase(terms) };
  return { sought, find: (stream) => find(stream, compiled) };
}

interface Compiled {
  readonly isKey: ReturnType<typeof compileKeyPattern> | undefined;
  readonly isValue: ((node: SpanNode) => boolean) | undefined;
  readonly condition: Exclude<ReturnType<typeof compileCondition>, 'missing'> | undefined;
  readonly inAnyCase: Pick<Compiled, 'isKey' | 'isValue'>;
}

/** Returns the same tests for any case of letters. */
function inAnyCase({ key, value }: SearchTerms): Compiled['inAnyCase'] {
  return {
    isKey: key === undefined ? undefined : compileKeyPattern(ignoringCase(key)),
    isValue: value === undefined ? undefined : compileValue(ignoringCase(value)),
  };
}

function find(stream: Stream, { condition, ...tests }: Compiled): Searched {
  const labels = documentLabels(stream);
  const names = new ItemNames(stream);
  const [matches, notCompared]: [Match[], string[]] = [[], []];
  let otherCase = 0;
  for (const [doc, document] of stream.documents.entries()) {
    const { root } = document;
    const meets = testIn(stream.text, root, tests);
    const meetsInAnyCase = testIn(stream.text, root, tests.inAnyCase);
    visitNodes(stream.text, root, (node, path, keyNode) => {
      // A value alone is found where it is written, and not again at each alias.
      const meant = (tests.isKey && targetOf(document, node)) ?? node;
      const isFound = meets(node, path, meant);
      if (!isFound && !meetsInAnyCase(node, path, meant)) return;
      const answer = condition?.(meant) ?? true;
      if (!isFound) {
        if (answer === true) otherCase += 1;
        return;
      }
      if (answer === 'unsure') notCompared.push(shownOnOneLine(stream, node));
      if (answer !== true) return;
      const means = node === meant || meant.kind !== 'scalar' ? '' : ` (${shownOnOneLine(stream, meant)})`;
      matches.push({
        ...placeOf(stream, node, keyNode, labels[doc]),
        path: namedPath(names, doc, path),
        shown: `= ${shownOnOneLine(stream, node)}${means}`,
        value: meant.kind === 'scalar' ? visibleLine(meant.value) : shownOnOneLine(stream, meant),
      });
    });
  }
  const targets = stream.documents.flatMap(({ aliasTargets }) => [...aliasTargets.values()]);
  const hasAliases = tests.isKey !== undefined && targets.some(isCollection);
  return { matches, notCompared, otherCase, hasAliases };
}

/** Returns a test of the nodes of a document, with what each of them means. */
function testIn(text: string, root: SpanNode, { isKey, isValue }: Compiled['inAnyCase']) {
  const isNamed = isKey?.(text, root);
  return (node: SpanNode, path: NodePath, meant: SpanNode): boolean =>
    isNamed?.(node, path) !== false && (isValue === undefined || isValue(meant));
}

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
  return { matches, notCompared: [], otherCase: 0, hasAliases: false };
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

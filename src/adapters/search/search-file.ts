// Where keys, values and texts stand in one file, with the value as it is written there.
import { Refusal } from '../../security/index.ts';
import { shownLine, shownOnOneLine } from '../shown/shown.ts';
import { documentLabels } from '../tree/document.ts';
import { ItemNames, namedPath } from '../tree/item-names.ts';
import { visitNodes } from '../tree/keys.ts';
import { LineIndex, nextLine } from '../tree/lines.ts';
import { outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { compilePart, compileWildcard } from '../tree/wildcard.ts';
import { compileCondition } from './condition.ts';
import { compileKeyPattern } from './key-pattern.ts';
import { findMissing } from './missing.ts';

export interface Match {
  readonly line: number;
  /** `Kind/name` or `doc 1`, where the file has several documents or it has a name. */
  readonly doc: string | undefined;
  /** Undefined for a line of text. */
  readonly path: string | undefined;
  /** On one line. */
  readonly shown: string;
}

export interface SearchTerms {
  /** Matches a key, or a node path where it holds `.` or `[`. */
  readonly key?: string | undefined;
  /** Matches a scalar's decoded value. */
  readonly value?: string | undefined;
  /** A comparison with the value, or `missing`. */
  readonly where?: string | undefined;
}

/** All matches in source order, of nodes that match all terms. Throws ARGUMENT_INVALID. */
export function searchFile(stream: Stream, { key, value, where }: SearchTerms): Match[] {
  const isKey = key === undefined ? undefined : compileKeyPattern(key);
  const isValue = value === undefined ? undefined : compileWildcard(value);
  const condition = where === undefined ? undefined : compileCondition(where);
  const labels = documentLabels(stream);
  const names = new ItemNames(stream);
  if (condition === 'missing') {
    if (key === undefined || value !== undefined)
      throw new Refusal('ARGUMENT_INVALID', 'Cannot search: "missing" goes with "key", and not with "value"');
    return stream.documents.flatMap((document, doc) =>
      findMissing(stream.text, document, key).map(({ node, path }) => ({
        ...placeOf(stream, node, undefined, labels[doc]),
        path: namedPath(names, doc, path),
        shown: `lacks ${key}`,
      })),
    );
  }
  const found: Match[] = [];
  for (const [doc, { root }] of stream.documents.entries())
    visitNodes(stream.text, root, (node, path, keyNode) => {
      const named = () => namedPath(names, doc, path);
      if (isKey?.(path, named) === false || condition?.(node) === false) return;
      if (isValue !== undefined && !(node.kind === 'scalar' && isValue(node.value))) return;
      const place = placeOf(stream, node, keyNode, labels[doc]);
      found.push({ ...place, path: named(), shown: `= ${shownOnOneLine(stream, node)}` });
    });
  return found;
}

function placeOf({ lines }: Stream, node: SpanNode, key: SpanNode | undefined, doc: string | undefined) {
  return { line: lines.at(outerStart(key ?? node)), doc };
}

/** Lines that hold the text, comments included; of any text, whether or not it can be parsed. Throws ARGUMENT_INVALID. */
export function searchText(text: string, wanted: string): Match[] {
  const isWanted = compilePart(wanted);
  const lines = new LineIndex(text);
  const found: Match[] = [];
  for (let at = 0; at < text.length; at = nextLine(text, at)) {
    const line = shownLine(text, at);
    if (isWanted(line))
      found.push({ line: lines.at(at), doc: undefined, path: undefined, shown: line.trim() });
  }
  return found;
}

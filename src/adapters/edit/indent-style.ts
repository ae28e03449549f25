// Reads how a document is indented: the spaces of one level, and whether lists are indented below their key.
import { columnOf } from '../tree/lines.ts';
import {
  type Collection,
  type DocumentSpans,
  isBlockCollection,
  isCollection,
  type MappingNode,
  partsOf,
  type Span,
  type SpanNode,
} from '../tree/span-tree.ts';

export interface IndentStyle {
  readonly unit: number;
  /** Whether the `- ` of a list stands to the right of the key that holds the list. */
  readonly indentSequences: boolean;
}

const DEFAULT_UNIT = 2;
/** The number of collections that are enough to tell the indentation of a file. */
const ENOUGH = 300;
/** The beginning of the text that is enough to tell how its other documents are indented. */
const MAX_CHARS = 20_000;
/** The number of neighbours that are enough to tell the indentation of a list. */
const FEW = 20;

/** Returns the style of the majority at the beginning of the document. A tie gives the smaller unit and indented lists. */
export function indentStyleOf(text: string, document: DocumentSpans): IndentStyle {
  const units = new Map<number, number>();
  let beside = 0;
  let right = 0;
  let looked = 0;
  for (const { key, value } of blockValues(document.root)) {
    looked += 1;
    if (looked > ENOUGH) break;
    const offset = columnOf(text, value.start) - key;
    if (value.kind === 'sequence' && offset > 0) right += 1;
    if (value.kind === 'sequence' && offset <= 0) beside += 1;
    // A dash may stand one space in; nothing else does.
    if (offset > 1 || (offset > 0 && value.kind === 'mapping'))
      units.set(offset, (units.get(offset) ?? 0) + (value.kind === 'mapping' ? 2 : 1));
  }
  if (beside + right === 0 && document.contentEnd - document.contentStart < text.length)
    [beside, right] = [count(/^( *)[^\s#-].*:\r?\n\1- /gm), count(/^( *)[^\s#-].*:\r?\n\1 +- /gm)];
  const [best] = [...units].sort(([unitA, a], [unitB, b]) => b - a || unitA - unitB);
  return { unit: best?.[0] ?? DEFAULT_UNIT, indentSequences: beside <= right || beside === 0 };

  function count(lists: RegExp): number {
    return text.slice(0, MAX_CHARS).match(lists)?.length ?? 0;
  }

  function* blockValues(root: SpanNode) {
    for (const node of collectionsOf(text, root)) {
      if (node.kind !== 'mapping' || node.style !== 'block') continue;
      for (const entry of onLines(text, node.entries)) {
        const value = entry.value;
        if (isBlockCollection(value) && text.slice(entry.start, value.start).includes('\n'))
          yield { key: columnOf(text, entry.start), value };
      }
    }
  }
}

/** Yields the collections over several lines, in source order: only these can have a block below a key. */
function* collectionsOf(text: string, root: SpanNode): Generator<Collection> {
  const ahead = [root];
  for (let node = ahead.pop(); node !== undefined; node = ahead.pop()) {
    if (!isCollection(node)) continue;
    yield node;
    const parts = [...onLines(text, partsOf(node))];
    for (const part of parts.reverse()) {
      ahead.push(part.value);
      if ('key' in part) ahead.push(part.key);
    }
  }
}

/** The parts over several lines. */
function* onLines<Part extends Span>(text: string, parts: readonly Part[]): Generator<Part> {
  let lineBreak = -1;
  for (const part of parts) {
    if (lineBreak < part.start) lineBreak = text.indexOf('\n', part.start);
    if (lineBreak === -1) return;
    if (lineBreak < part.end) yield part;
  }
}

/** The step below `mapping` that its own surroundings use; undefined if they show none. */
export function localUnit(
  text: string,
  mapping: MappingNode,
  parentColumn: number | undefined,
): number | undefined {
  const column = columnOf(text, mapping.start);
  if (parentColumn !== undefined && parentColumn >= 0 && column > parentColumn) return column - parentColumn;
  return stepBelow(text, mapping, 'mapping');
}

/** The step that a new part of `node` sees its neighbours use: a mapping of itself, a list of what is in its items. */
export function unitWithin(text: string, node: Collection): number | undefined {
  if (node.kind === 'mapping') return stepBelow(text, node, 'mapping');
  for (const { value } of node.items.slice(0, FEW)) {
    if (value.kind !== 'mapping' || !isBlockCollection(value)) continue;
    const step = stepBelow(text, value, 'mapping') ?? stepBelow(text, value, 'sequence');
    if (step !== undefined) return step;
  }
  return undefined;
}

function stepBelow(text: string, mapping: MappingNode, kind: SpanNode['kind']): number | undefined {
  const column = columnOf(text, mapping.start);
  for (const { value } of onLines(text, mapping.entries)) {
    const step = columnOf(text, value.start) - column;
    if (value.kind === kind && isBlockCollection(value) && step > 0) return step;
  }
  return undefined;
}

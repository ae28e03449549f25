// How a document indents: how many spaces a level has, and whether lists stand below their key or beside it.
import { columnOf } from '../tree/lines.ts';
import { type DocumentSpans, type MappingNode, type SpanNode, walk } from '../tree/span-tree.ts';

export interface IndentStyle {
  readonly unit: number;
  /** Whether `- ` stands right of the key that owns the list. */
  readonly indentSequences: boolean;
}

const DEFAULT_UNIT = 2;
/** So many collections tell how a file is kept. */
const ENOUGH = 300;

/** Majorities over the beginning of the document; ties go to the smaller unit and to indented lists. */
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
    if (offset > 0) units.set(offset, (units.get(offset) ?? 0) + (value.kind === 'mapping' ? 2 : 1));
  }
  const [best] = [...units].sort(([unitA, a], [unitB, b]) => b - a || unitA - unitB);
  return { unit: best?.[0] ?? DEFAULT_UNIT, indentSequences: beside <= right || beside === 0 };

  function* blockValues(root: SpanNode) {
    for (const node of walk(root)) {
      if (node.kind !== 'mapping' || node.style !== 'block') continue;
      for (const entry of node.entries) {
        const value = entry.value;
        if (isBlockCollection(value) && text.slice(entry.start, value.start).includes('\n'))
          yield { key: columnOf(text, entry.start), value };
      }
    }
  }
}

/** The step below `mapping` that its own surroundings use; undefined where they show none. */
export function localUnit(
  text: string,
  mapping: MappingNode,
  parentColumn: number | undefined,
): number | undefined {
  const column = columnOf(text, mapping.start);
  if (parentColumn !== undefined && parentColumn >= 0 && column > parentColumn) return column - parentColumn;
  const below = mapping.entries.find(
    (entry) =>
      entry.value.kind === 'mapping' &&
      isBlockCollection(entry.value) &&
      columnOf(text, entry.value.start) > column,
  );
  return below === undefined ? undefined : columnOf(text, below.value.start) - column;
}

export function isBlockCollection(node: SpanNode): boolean {
  return (node.kind === 'mapping' || node.kind === 'sequence') && node.style === 'block';
}

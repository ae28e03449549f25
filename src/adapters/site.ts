// The place of a node: which indicator it stands behind, and what may stand there instead.
import { indentStyleOf, isBlockCollection, localUnit } from './indent-style.ts';
import type { Place } from './lay-out.ts';
import { columnOf, indentOf, isBlank, lineEnd, lineStart, skipBlanks } from './lines.ts';
import type { Located, Step } from './locate.ts';
import { type DocumentSpans, isEmpty, type SpanNode, walk } from './span-tree.ts';
import { contentIndent } from './yaml/block-scalar.ts';

export interface Site extends Place {
  /** After the `:`, the dash or the `---`; where the node's line of its own begins. */
  readonly indicatorEnd: number;
  /** What must be written before the first value of a bare key: `{a}`, or `? a` without its `:` line. */
  readonly missingColon: string;
  readonly indentSequences: boolean;
}

export function siteOf(text: string, document: DocumentSpans, located: Located): Site {
  const step = located.steps.at(-1);
  const node = located.node;
  const style = indentStyleOf(text, document);
  const isFlow = located.steps.some(({ container }) => container.style !== 'block');
  const bodyColumn =
    node.kind === 'scalar' && node.block !== undefined ? contentIndent(text, node.block) : undefined;
  const missingColon = step === undefined ? '' : missingColonOf(text, step, isFlow);
  const base = { isFlow, bodyColumn, missingColon, indentSequences: style.indentSequences };
  if (step === undefined) {
    const blockColumn = { mapping: 0, sequence: 0 };
    return {
      ...base,
      indicatorEnd: document.contentStart,
      parentColumn: -1,
      blockColumn,
      compactColumn: undefined,
      unit: style.unit,
    };
  }
  if (isFlow) {
    const line = lineStart(text, step.container.start);
    const parentColumn = indentOf(text.slice(line, lineEnd(text, line)));
    const blockColumn = { mapping: parentColumn, sequence: parentColumn };
    return {
      ...base,
      indicatorEnd: indicatorEndOf(text, step, isFlow),
      parentColumn,
      blockColumn,
      compactColumn: undefined,
      unit: style.unit,
    };
  }
  const parentColumn = columnOf(text, step.kind === 'item' ? step.item.start : step.entry.start);
  const unit =
    step.kind === 'entry'
      ? (localUnit(text, step.container, grandparentColumn(text, located)) ?? style.unit)
      : style.unit;
  const indicatorEnd = indicatorEndOf(text, step, isFlow);
  return {
    ...base,
    indicatorEnd,
    parentColumn,
    unit,
    blockColumn: blockColumnOf(text, node, step, parentColumn, unit, style.indentSequences),
    compactColumn: compactColumnOf(text, node, step, indicatorEnd),
  };
}

function indicatorEndOf(text: string, step: Step, isFlow: boolean): number {
  if (step.kind === 'item') return isFlow ? step.item.start : step.item.start + 1;
  const { colon, key } = step.entry;
  if (colon !== undefined) return colon + 1;
  return isFlow ? key.end : lineEnd(text, key.end);
}

function missingColonOf(text: string, step: Step, isFlow: boolean): string {
  if (step.kind === 'item' || step.entry.colon !== undefined) return '';
  return isFlow ? ':' : `\n${' '.repeat(columnOf(text, step.entry.start))}:`;
}

function grandparentColumn(text: string, located: Located): number | undefined {
  const step = located.steps.at(-2);
  return step === undefined
    ? undefined
    : columnOf(text, step.kind === 'item' ? step.item.start : step.entry.start);
}

/** A block that replaces a block stays in its column; a mapping can never stand beside its key. */
function blockColumnOf(
  text: string,
  node: SpanNode,
  step: Step,
  parent: number,
  unit: number,
  indentSequences: boolean,
): Place['blockColumn'] {
  const old = isBlockCollection(node) ? columnOf(text, node.start) : undefined;
  if (step.kind === 'item') {
    const column = old ?? parent + unit;
    return { mapping: column, sequence: column };
  }
  const fresh = parent + unit;
  return {
    mapping: old !== undefined && old > parent ? old : fresh,
    sequence: old ?? (indentSequences || step.entry.explicitKey !== undefined ? fresh : parent),
  };
}

/** Behind a dash, and behind the indicators of an explicit key, a block may begin on the same line. */
function compactColumnOf(text: string, node: SpanNode, step: Step, indicatorEnd: number): number | undefined {
  if (step.kind === 'entry' && step.entry.explicitKey === undefined) return undefined;
  if (node.properties !== undefined) return undefined;
  const next = skipBlanks(text, indicatorEnd);
  if (!isEmpty(node) && !isBlank(text, indicatorEnd, node.start)) return undefined;
  return isEmpty(node) || next === lineEnd(text, indicatorEnd)
    ? columnOf(text, indicatorEnd) + 1
    : columnOf(text, node.start);
}

/** Whether the document has any node at all. */
export function isEmptyDocument(document: DocumentSpans): boolean {
  for (const node of walk(document.root)) return isEmpty(node) && node.properties === undefined;
  return true;
}

// Describes the place of a node: the indicator before it, and the forms that are allowed there.
import { Refusal } from '../../security/index.ts';
import { columnOf, lineEnd } from '../tree/lines.ts';
import type { Located, Step } from '../tree/locate.ts';
import {
  contentIndent,
  type DocumentSpans,
  isBlockCollection,
  isCollection,
  isEmpty,
  outerStart,
  partsOf,
  type SpanNode,
} from '../tree/span-tree.ts';
import { type DocumentStyle, styleOf } from './document-style.ts';
import { localUnit, unitWithin } from './indent-style.ts';
import type { LayoutContext } from './lay-out.ts';
import { isMultiline, lineIndent, multilineUnit, tabsAt } from './neighbour-style.ts';

export interface WriteContext extends LayoutContext {
  readonly isRoot: boolean;
  /** The offset after the `:`, the dash or the `---`, or where the node's own line begins. */
  readonly indicatorEnd: number;
  /** The text to write before the first value of a key without a colon: `{a}`, or `? a` without its `:` line. */
  readonly missingColon: string;
  /** Whether a flow collection that is written here has its parts on lines of their own. */
  readonly isMultiline: boolean;
  /** Returns how the whole document is written. Most values do not need to know it. */
  readonly documentStyle: () => DocumentStyle;
}

export function writeContextOf(text: string, document: DocumentSpans, located: Located): WriteContext {
  const { node, steps } = located;
  const step = steps.at(-1);
  const documentStyle = () => styleOf(text, document);
  const isFlow = steps.some(({ container }) => container.style !== 'block');
  const root = {
    isRoot: true,
    isFlow,
    indicatorEnd: document.contentStart,
    parentColumn: -1,
    blockColumn: () => ({ mapping: 0, sequence: 0 }),
    compactColumn: undefined,
    bodyColumn:
      node.kind === 'scalar' && node.block !== undefined ? contentIndent(text, node.block) : undefined,
    missingColon: '',
    isMultiline:
      isMultiline(text, node) ?? (step === undefined || isMultiline(text, step.container) === true),
    unit: () => documentStyle().unit,
    documentStyle,
  };
  if (step === undefined) return root;
  const indicatorEnd = indicatorEndOf(text, step, isFlow);
  const missingColon = missingColonOf(text, step, isFlow);
  const below = { ...root, isRoot: false, indicatorEnd, missingColon };
  if (isFlow) {
    const around = steps.findLast(({ container }) => container.style === 'block');
    const blockColumn = around === undefined ? -1 : columnOf(text, around.part.start);
    return {
      ...below,
      parentColumn: flowColumn(text, outerStart(node), blockColumn, root.unit()),
      unit: () => multilineUnit(text, step.container) ?? root.unit(),
      tabs: tabsAt(text, outerStart(node)),
    };
  }
  const parentColumn = columnOf(text, step.part.start);
  const outer = steps.at(-2);
  const outerColumn = outer === undefined ? undefined : columnOf(text, outer.part.start);
  const unit = () =>
    (step.kind === 'entry' ? localUnit(text, step.container, outerColumn) : undefined) ?? root.unit();
  return {
    ...below,
    parentColumn,
    compactColumn: compactColumnOf(text, node, step, indicatorEnd),
    unit,
    blockColumn: () => blockColumnOf(text, node, step, parentColumn, unit(), documentStyle()),
  };
}

/** Returns the context for a new part of `node`, where `where` is the context of `node` itself. */
export function writeContextWithin(text: string, where: WriteContext, node: SpanNode): WriteContext {
  if (!isCollection(node)) return where;
  const first = partsOf(node)[0];
  // An empty collection between lines gets lines of its own, and so does a mapping that is all of a file with a line break.
  const isSpread = where.isMultiline && (!where.isRoot || (node.kind === 'mapping' && text.includes('\n')));
  if (first === undefined && isSpread) {
    const [indent, tabs] = [lineIndent(text, node.start), tabsAt(text, node.start)];
    const within = { isFlow: true, parentColumn: indent + where.unit(), tabs: tabs && `${tabs}\t` };
    return { ...where, ...within };
  }
  if (node.style === 'block' || first === undefined) {
    const isFlow = where.isFlow || node.style !== 'block';
    const unit = () => unitWithin(text, node) ?? where.unit();
    return { ...where, isFlow, isMultiline: false, unit, tabs: '' };
  }
  const unit = multilineUnit(text, node) ?? where.unit();
  const parentColumn = where.isFlow
    ? Math.max(lineIndent(text, first.start), where.parentColumn)
    : flowColumn(text, first.start, where.parentColumn, unit);
  const tabs = tabsAt(text, first.start);
  const here = { isFlow: true, isMultiline: isMultiline(text, node) === true, parentColumn, tabs };
  return { ...where, ...here, unit: () => unit };
}

/** A collection in JSON has its parts on lines of their own, or not, as the one beside it. */
export function writeContextBeside(text: string, where: WriteContext, model?: SpanNode): WriteContext {
  const isModelMultiline = model === undefined ? undefined : isMultiline(text, model);
  return isModelMultiline === undefined || !where.isFlow
    ? where
    : { ...where, isMultiline: isModelMultiline };
}

/** Returns the column of further lines in flow style: where the line of the part begins, but to the right of the block around it. */
function flowColumn(text: string, start: number, blockColumn: number, unit: number): number {
  const indent = lineIndent(text, start);
  return indent > blockColumn ? indent : blockColumn + unit;
}

function indicatorEndOf(text: string, step: Step, isFlow: boolean): number {
  if (step.kind === 'item') return isFlow ? step.part.start : step.part.start + 1;
  const { colon, key } = step.part;
  if (colon !== undefined) return colon + 1;
  return isFlow ? key.end : lineEnd(text, key.end);
}

function missingColonOf(text: string, step: Step, isFlow: boolean): string {
  if (step.kind === 'item' || step.part.colon !== undefined) return '';
  // YAML 1.1 does not allow a key over several lines without a `?`: other readers could not read the file at
  // all.
  if (
    isFlow &&
    step.part.explicitKey === undefined &&
    text.slice(step.part.start, step.part.key.end).includes('\n')
  ) {
    throw new Refusal(
      'TYPE_MISMATCH',
      'Cannot give this key a value: it stands on several lines without a colon',
      {},
      { advice: ['Rename the key first: its new name stands on one line'] },
    );
  }
  // A lone `?` in flow style would take the colon for part of itself.
  const isLone = step.part.explicitKey !== undefined && isEmpty(step.part.key);
  return isFlow ? (isLone ? ' :' : ':') : `\n${' '.repeat(columnOf(text, step.part.start))}:`;
}

/** A block that replaces a block stays in its column; a mapping can never stand beside its key. */
function blockColumnOf(
  text: string,
  node: SpanNode,
  step: Step,
  parent: number,
  unit: number,
  { indentSequences }: DocumentStyle,
): ReturnType<LayoutContext['blockColumn']> {
  const old = isBlockCollection(node) ? columnOf(text, node.start) : undefined;
  if (step.kind === 'item') {
    const column = old ?? parent + unit;
    return { mapping: column, sequence: column };
  }
  const fresh = parent + unit;
  return {
    mapping: old !== undefined && old > parent ? old : fresh,
    sequence: old ?? (indentSequences || step.part.explicitKey !== undefined ? fresh : parent),
  };
}

/** Returns the column where a block may begin on the indicator's own line: behind a dash or an indicator of an explicit key; else undefined. */
function compactColumnOf(text: string, node: SpanNode, step: Step, indicatorEnd: number): number | undefined {
  if (step.kind === 'entry' && step.part.explicitKey === undefined) return undefined;
  if (node.properties !== undefined) return undefined;
  if (step.kind === 'entry' && step.part.colon === undefined) return columnOf(text, step.part.start) + 2;
  if (isEmpty(node)) return columnOf(text, indicatorEnd) + 1;
  // Behind a tab the column is not certain, so no block may begin there.
  return /^ +$/.test(text.slice(indicatorEnd, node.start)) ? columnOf(text, node.start) : undefined;
}

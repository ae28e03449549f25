// Plans a new part of a collection: an item, or an entry with the missing keys down to its value. An implicit null becomes a
// collection.
import type { Edit } from '../../security/index.ts';
import { linesOfComment } from '../tree/comment-lines.ts';
import { columnOf } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import {
  type Collection,
  isCollection,
  isEmpty,
  isSectional,
  isWritten,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { besideActions } from './beside-actions.ts';
import { commentOfValue } from './comment-behind.ts';
import { newValueOf } from './copied-part.ts';
import { padFor } from './document-style.ts';
import { insertDotted, isDotted } from './dotted-keys.ts';
import { insertIntoFlow } from './insert-into-flow.ts';
import { insertIntoBlock, planFirstNode } from './insert-part.ts';
import { type NewData, type Plan, type PlanContext, positionOf } from './intent.ts';
import { collectionBeside, modelBeside } from './model.ts';
import {
  blanksBeforeColon,
  gapToColumn,
  indicatorGap,
  keyQuotesOf,
  keySource,
  padWithin,
  stepBelowDash,
} from './neighbour-style.ts';
import type { NewPart } from './part.ts';
import {
  blockLines,
  bracketedPiece,
  flowPiece,
  linesAsTheyAre,
  type PartText,
  writtenPath,
} from './part-text.ts';
import { type NewValue, readValue, requireFlowItem } from './read-value.ts';
import { growNull } from './replace-node.ts';
import { planSectionPart } from './section-plan.ts';
import { requireSameScope } from './template-part.ts';
import {
  type WriteContext,
  writeContextBeside,
  writeContextOf,
  writeContextWithin,
} from './write-context.ts';

/**
 * Plans a part of the collection to which `located` leads: with this index, or behind all others where none is given. Null, and
 * what actions write, become a collection of it. For `isClose` see `insertIntoBlock`.
 */
export function planPart(
  context: PlanContext,
  located: Located,
  given: NewPart,
  place?: number,
  isClose = false,
): Plan {
  const { node } = located;
  if (!isCollection(node)) return planFirstPart(context, located, given);
  const index = place ?? partsOf(node).length;
  if (isSectional(node)) return planSectionPart(context, located, node, index, given, isClose);
  const newPart = withNewList(given);
  const { keys, isItem, value } = newPart;
  const { text } = context.stream;
  const around = writeContextOf(text, context.document, located);
  if (growsInBlock(context, located, node, around)) return planFirstPart(context, located, newPart);
  const isDirect = 'json' in value && keys.length + Number(isItem) < 2;
  const model = isDirect ? modelBeside(node, index, value.json, context.format) : undefined;
  const beside = writeContextBeside(text, writeContextWithin(text, around, node), model);
  // TOML 1.0 allows braces on one line only.
  const isInLine = context.format.layout === 'sections' && node.kind === 'mapping';
  const writeContext = isInLine ? { ...beside, isMultiline: false } : beside;
  const part = inColumn(text, node, index, partText(context, node, newPart, writeContext, model));
  const [key = 'item', ...inner] = writtenPath(part);
  const at = positionOf(context.documentIndex, located.steps);
  const isBehind = isDotted(context, node);
  const inserted = isBehind
    ? insertDotted(context, located, flowPiece(part))
    : partEdits(context, node, index, part, isClose);
  const { trailingComment } = part.copied === undefined ? part.fragment : NO_COMMENT;
  const isWritten = node.style === 'block' || inserted.some(({ insert }) => insert.includes(trailingComment));
  const edits = isWritten ? inserted : [...inserted, ...commentOfValue(context, located, trailingComment)];
  const newData = {
    around: inner,
    fragment: fragmentOf(context.stream, part, columnOf(text, node.start), edits),
  };
  const found = isBehind ? node.entries.length : index;
  return { edits, intent: { kind: 'insert', at, index: found, key, value: newData } };
}

const NO_COMMENT = { trailingComment: '' };

/** A list of one item that a key gets is written as any other value of a key. */
function withNewList(newPart: NewPart): NewPart {
  const { keys, isItem, value } = newPart;
  if (!isItem || keys.length !== 1 || !('json' in value)) return newPart;
  return { keys, isItem: false, value: { json: [value.json] } };
}

/** Returns the part with its value in the column of the values beside it. */
function inColumn(text: string, node: Collection, index: number, part: PartText): PartText {
  const [key, second] = part.keys;
  if (node.kind !== 'mapping' || key === undefined || second !== undefined || part.isItem) return part;
  const width = keySource(part.format, key, false, part.quotes).length;
  const before = blanksBeforeColon(text, node, index, width);
  const gap = gapToColumn(text, node, index, width + before.length + 1) ?? part.gap;
  return { ...part, gap, beforeColon: before };
}

/** Whether empty brackets become lines of a block. They do not where their neighbours are in brackets too. */
function growsInBlock(
  { stream, format }: PlanContext,
  { steps }: Located,
  node: Collection,
  { isFlow }: WriteContext,
): boolean {
  if (isFlow || format.layout !== 'block' || node.style !== 'flow' || partsOf(node).length > 0) return false;
  if (stream.text.slice(node.start, node.end).includes('\n')) return false;
  const step = steps.at(-1);
  const beside = step && collectionBeside(step.container, step.index, node.kind);
  return beside === undefined || beside.style === 'block';
}

/** The null or the empty brackets to which `located` leads become a collection of this part. */
function planFirstPart(context: PlanContext, located: Located, newPart: NewPart): Plan {
  const { stream, document, documentIndex } = context;
  const { node, steps } = located;
  const writeContext = writeContextOf(stream.text, document, located);
  const part = partText(context, node, newPart, writeContext);
  if (isWritten(node)) {
    const at = positionOf(documentIndex, steps);
    const { edits, column } = besideActions(context, located, part);
    const value = { around: writtenPath(part), fragment: fragmentOf(stream, part, column, edits) };
    return { edits, intent: { kind: 'replace', at, value, keeps: 'properties' } };
  }
  part.copied?.template?.requireNoDepth();
  const isInBrackets = writeContext.isFlow || context.format.layout === 'flow';
  const lines = isInBrackets ? [bracketedPiece(part)] : blockLines(part, 0);
  const isBareRoot = steps.length === 0 && isEmpty(node) && node.properties === undefined;
  const { edits, keeps } = isBareRoot
    ? ({ edits: planFirstNode(stream.text, document, lines, part.fragment), keeps: 'properties' } as const)
    : growNull(context, node, writeContext, `${lines.join('\n')}\n`);
  requireSameScope(stream, part.copied?.template, edits);
  const value = { around: writtenPath(part), fragment: part.copied ?? part.fragment };
  return {
    edits,
    intent: { kind: 'replace', at: positionOf(documentIndex, steps), value, keeps },
  };
}

/** Returns the fragment that the part must give in this column. Throws TEMPLATE_ACTION where its actions could mean something else there. */
function fragmentOf(
  stream: Stream,
  part: PartText,
  column: number,
  edits: readonly Edit[],
): NewData['fragment'] {
  const { copied } = part;
  if (copied?.template === undefined) return copied ?? part.fragment;
  requireSameScope(stream, copied.template, edits);
  if (linesAsTheyAre(part) !== undefined) return { ...copied, deeperBy: column - copied.template.column };
  copied.template.requireNoDepth();
  return copied;
}

function partText(
  context: PlanContext,
  node: SpanNode,
  { keys, isItem, value }: NewPart,
  writeContext: WriteContext,
  model?: SpanNode,
): PartText {
  const { stream, format } = context;
  const copied = 'copied' in value ? value.copied : undefined;
  const given = 'copied' in value ? newValueOf(value.copied) : value;
  const isOnLines = isItem && keys.length === 0 && format.layout === 'block' && !writeContext.isFlow;
  const { above, rest } =
    copied === undefined && isOnLines ? commentsAbove(given) : { above: [], rest: given };
  const read = readValue(context, rest, writeContext, model);
  const fragment = { ...read, given: [...linesOfComment(above.join('\n')), ...read.given] };
  if (isItem && writeContext.isFlow) requireFlowItem(fragment);
  const quotes = keyQuotesOf(format, stream.text, node);
  const isFlowFormat = format.layout === 'flow';
  const isFirst = isFlowFormat && (!isCollection(node) || partsOf(node).length === 0);
  const whole = writeContext.documentStyle();
  const gap = isFirst ? whole.gap : indicatorGap(stream.text, node, isFlowFormat || quotes.isAlways);
  const pad = (kind: Collection['kind']) =>
    node.kind === kind && node.style !== 'pair' ? padWithin(stream.text, node) : padFor(whole, kind, format);
  const belowDash = keys.length === 0 ? stepBelowDash(stream.text, node) : undefined;
  const style = { quotes, gap, beforeColon: whole.beforeColon, belowDash, pad };
  return { keys, isItem, fragment, copied, above, ...style, writeContext, format };
}

/** Splits off the comments that a value begins with: they go above the dash of its item, as people write them. */
function commentsAbove(given: NewValue): { readonly above: readonly string[]; readonly rest: NewValue } {
  const [head = ''] =
    ('source' in given && /^(?:[ \t]*#(?!.*\{\{).*\r?\n)+(?=.*\S)/.exec(given.source)) || [];
  if (head === '' || !('source' in given)) return { above: [], rest: given };
  const above = head.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return { above, rest: { source: given.source.slice(head.length) } };
}

function partEdits(
  { stream }: PlanContext,
  node: Collection,
  index: number,
  part: PartText,
  isClose: boolean,
): readonly Edit[] {
  if (node.style === 'block') {
    const lines = blockLines(part, columnOf(stream.text, node.start));
    return insertIntoBlock(stream, node, index, lines, part.fragment, isClose);
  }
  if (node.style !== 'pair') {
    const { comments: above = [], behind = [part.fragment.trailingComment].filter((one) => one !== '') } =
      part.copied ?? {};
    const pad =
      part.format.layout === 'sections'
        ? padFor(part.writeContext.documentStyle(), node.kind, part.format)
        : '';
    const piece = { text: flowPiece(part), above, behind, pad };
    return insertIntoFlow(stream, node, index, piece, part.writeContext, isClose);
  }
  // A lone `a: b` within `[ ]` can be no more than one entry: with two it needs braces.
  const piece = flowPiece(part);
  const { start, end } = node;
  const [before, behind] = index === 0 ? [`{${piece}, `, '}'] : ['{', `, ${piece}}`];
  return [
    { start, end: start, insert: before },
    { start: end, end, insert: behind },
  ];
}

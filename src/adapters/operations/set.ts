// `set` replaces the node at a path, or creates the mapping keys that lead to it.

import { type Edit, type NodePath, Refusal } from '../../security/index.ts';
import { commentOfValue } from '../edit/comment-behind.ts';
import { keepingCommentColumn } from '../edit/comment-column.ts';
import { isDotted, replaceDotted } from '../edit/dotted-keys.ts';
import { isUnmarkedNothing } from '../edit/file-header.ts';
import type { Fragment } from '../edit/fragment.ts';
import { planFirstNode } from '../edit/insert-part.ts';
import { NO_EDITS, type Plan, type PlanContext, positionOf } from '../edit/intent.ts';
import { layOut, wholeLines } from '../edit/lay-out.ts';
import { isAlike, modelBeside } from '../edit/model.ts';
import { planPart } from '../edit/new-part.ts';
import { tailEnd } from '../edit/part-extent.ts';
import { type NewValue, readValue, requireFlowItem, typedIfCompact } from '../edit/read-value.ts';
import { replaceNode } from '../edit/replace-node.ts';
import { planSectionValue } from '../edit/section-plan.ts';
import { writeContextOf } from '../edit/write-context.ts';
import { firstFrom } from '../tree/first-from.ts';
import type { Json } from '../tree/json.ts';
import { columnOf, isBlank, lineEnd } from '../tree/lines.ts';
import { type Located, locate } from '../tree/locate.ts';
import {
  isBlockCollection,
  isCollection,
  isEmpty,
  isFlowCollection,
  isMarked,
  isSectional,
  outerStart,
  type Span,
  type SpanNode,
  sliceOf,
} from '../tree/span-tree.ts';
import { holdsActions } from '../tree/word-ends.ts';
import { likelyPair } from './likely-pair.ts';
import { missingKeys, newLevels, pathExists, usualIndex } from './missing.ts';
import { A_VALUE, type Given, newValue, type OperationKind } from './operation.ts';
import { stepsToData } from './set-parts.ts';

export const set = {
  name: 'set',
  needs: [A_VALUE],
  may: ['create', 'if_missing'],
  plan: (context, path, given) =>
    isKept(context, path, given) || stepsToData(context, path, given)?.length === 0
      ? NO_EDITS
      : planSet(context, path, newValue(given), given.create ?? true),
  steps: (context, path, given) =>
    isKept(context, path, given) ? [] : (stepsToData(context, path, given) ?? []),
  notes: (context, path, given) => [
    ...newLevels(context, path, given),
    ...likelyPair(context, path, given, false),
  ],
} as const satisfies OperationKind;

function isKept(context: PlanContext, path: NodePath, { if_missing: isOnlyMissing }: Given): boolean {
  return isOnlyMissing === true && pathExists(context, path);
}

/** Plans it. Throws NODE_NOT_FOUND, TYPE_MISMATCH, DUPLICATE_KEY, ALIAS_CROSSED, VALUE_INVALID. */
function planSet(context: PlanContext, path: NodePath, given: NewValue, create: boolean): Plan {
  const { text } = context.stream;
  const located = locate(context.document, path);
  const asked =
    path.length === 0 && 'source' in given ? { source: withoutSurroundings(context, given.source) } : given;
  // A slice that `config_get` has returned is put back as it is, whatever its indentation.
  const isThere = located.missing.length === 0;
  if (isThere && 'source' in asked && asked.source === sliceOf(text, located.node)) return NO_EDITS;
  if (isThere && 'json' in asked && isSameText(located.node, asked.json)) return NO_EDITS;
  // Without a `---` nothing is written for null, and the file would get an empty line.
  if (
    path.length === 0 &&
    'json' in asked &&
    asked.json === null &&
    isUnmarkedNothing(text, context.document)
  )
    return NO_EDITS;
  const isNewRoot = path.length === 0 && !isCollection(located.node);
  const value = isNewRoot ? asked : typedIfCompact(context, asked);
  if (isThere) return planOld(context, located, value);
  const keys = missingKeys(located, path, 'set', create ? 'all' : 'none');
  const { node } = located;
  const index = node.kind === 'mapping' ? usualIndex(context, node, keys[0] ?? '') : undefined;
  return planPart(context, located, { keys, isItem: false, value }, index);
}

/** True for the same text, unless it is plain: some readers could take that for another value, which quotes would mend. */
function isSameText(node: SpanNode, json: Json): boolean {
  if (node.kind !== 'scalar' || node.properties?.tag !== undefined) return false;
  return (
    node.typedValue === json && typeof json === 'string' && (node.style !== 'plain' || holdsActions(node))
  );
}

/** A whole file that `config_get` returned begins with the header and ends with the comments that stay where they are. */
function withoutSurroundings({ stream, document: { root } }: PlanContext, source: string): string {
  const { text, documents } = stream;
  const head = text.slice(text.startsWith('\uFEFF') ? 1 : 0, outerStart(root));
  const tail = text.slice(root.end);
  if (documents.length > 1 || !source.startsWith(head) || !source.endsWith(tail)) return source;
  const isWhole = (head + tail).trim() !== '' && source.length >= head.length + tail.length;
  return isWhole ? source.slice(head.length, source.length - tail.length) : source;
}

function planOld(context: PlanContext, located: Located, value: NewValue): Plan {
  const { text } = context.stream;
  const { node, steps } = located;
  if (isSectional(node) || steps.at(-1)?.container.style === 'sections')
    return planSectionValue(context, located, value);
  const writeContext = writeContextOf(text, context.document, located);
  if (isDotted(context, node)) {
    const fragment = readValue(context, value, writeContext, modelFor(context, located, value));
    const edits = replaceDotted(context, located, layOut(fragment, writeContext).head);
    const at = positionOf(context.documentIndex, steps);
    return { edits, intent: { kind: 'replace', at, value: { around: [], fragment }, keeps: 'nothing' } };
  }
  const place = {
    ...writeContext,
    isFlow: writeContext.isFlow || wouldTakeComments(context, located, value),
  };
  const fragment = readValue(context, value, place, modelFor(context, located, value));
  if (writeContext.isFlow && located.steps.at(-1)?.kind === 'item') requireFlowItem(fragment);
  const keepAnchor = keepsAnchor(node, fragment);
  // An alias can have no anchor.
  if (keepAnchor && fragment.node.kind === 'alias') throw aliasUnderAnchor(node);
  if (writeContext.isRoot) requireDocument(context, fragment, keepAnchor);
  const old = oldComment(context, node, writeContext.isFlow, fragment);
  const edits =
    node === context.document.root && isUnmarkedNothing(text, context.document)
      ? planFirstNode(text, context.document, wholeLines(fragment, writeContext), fragment)
      : replaceNode(
          text,
          withActions(node),
          writeContext,
          old === undefined ? fragment : { ...fragment, trailingComment: '' },
          keepAnchor ? anchorText(text, node) : '',
        );
  const at = positionOf(context.documentIndex, located.steps);
  const keeps = keepAnchor ? 'anchor' : 'nothing';
  const intent = { kind: 'replace', at, value: { around: [], fragment }, keeps } as const;
  const comment = writeContext.isFlow ? commentOfValue(context, located, fragment.trailingComment) : [];
  const inColumn = keepingCommentColumn(context.stream, [...edits, ...comment]);
  if (old === undefined) return { edits: inColumn, intent };
  return { edits: asOne(text, [...inColumn, { ...old, insert: fragment.trailingComment }]), intent };
}

/** Joins edits on one line to one, so that many of them can be recognised as equal. */
function asOne(text: string, edits: readonly Edit[]): readonly Edit[] {
  const [first] = edits;
  const last = edits.at(-1);
  if (first === undefined || last === undefined || /\n/.test(text.slice(first.start, last.end))) return edits;
  const between = edits.map(({ end, insert }, at) => insert + text.slice(end, edits[at + 1]?.start ?? end));
  return [{ start: first.start, end: last.end, insert: between.join('') }];
}

/** The comment behind the old value on its line, where the new value brings one that takes its place. */
function oldComment(
  { stream: { text, comments } }: PlanContext,
  node: SpanNode,
  isFlow: boolean,
  { trailingComment }: Fragment,
): Span | undefined {
  const comment = comments[firstFrom(comments, node.end)];
  if (trailingComment === '' || isFlow || comment === undefined || isBlockCollection(node)) return undefined;
  return isBlank(text, node.end, comment.start) && !text.slice(node.end, comment.start).includes('\n')
    ? comment
    : undefined;
}

/** Adds the lines of actions that belong to the node, because they are removed with it. */
function withActions(node: SpanNode): SpanNode {
  const { around } = node;
  return around === undefined
    ? node
    : { ...node, start: Math.min(node.start, around.start), end: Math.max(node.end, around.end) };
}

/** True if the new lines of text would swallow the comments below, which have the same indentation; they are then written in quotes. */
function wouldTakeComments({ stream }: PlanContext, { node, steps }: Located, value: NewValue): boolean {
  const { text, comments } = stream;
  const part = steps.at(-1)?.part;
  const isOfLines =
    'json' in value
      ? typeof value.json === 'string' && value.json.includes('\n')
      : /^\s*[|>]/.test(value.source);
  if (!isOfLines) return false;
  if (part !== undefined) return tailEnd(stream, part) > lineEnd(text, part.end);
  const end = lineEnd(text, node.end);
  const next = comments[firstFrom(comments, end)];
  return next !== undefined && text.slice(end, next.start).trim() === '' && columnOf(text, next.start) > 0;
}

/** Returns the model for the new value's style: what it replaces, or where that is of another kind, its neighbour. */
function modelFor({ format }: PlanContext, { node, steps }: Located, value: NewValue): SpanNode | undefined {
  if (!('json' in value) || typeof value.json !== 'object' || isAlike(value.json, node)) return node;
  const step = steps.at(-1);
  const beside = step && modelBeside(step.container, step.index, value.json, format);
  return beside ?? (isFlowCollection(node) ? undefined : node);
}

/** Throws for an empty document without a `---`, which exists by its content only: nothing would end it, or a bare `...` would be left. */
function requireDocument({ stream, document }: PlanContext, { node }: Fragment, keepAnchor: boolean): void {
  const isLast = document.contentEnd === stream.text.length;
  if (
    !isEmpty(node) ||
    node.properties !== undefined ||
    keepAnchor ||
    isMarked(stream.text, document) ||
    isLast
  )
    return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot set nothing here: the document would be gone',
    {},
    { advice: ['Write null instead'] },
  );
}

function anchorText(text: string, node: SpanNode): string {
  const anchor = node.properties?.anchor;
  return anchor === undefined ? '' : text.slice(anchor.start, anchor.end);
}

function keepsAnchor(node: SpanNode, fragment: Fragment): boolean {
  return node.properties?.anchor !== undefined && fragment.node.properties?.anchor === undefined;
}

function aliasUnderAnchor(node: SpanNode): Refusal {
  const name = node.properties?.anchor?.name ?? '';
  return new Refusal(
    'ANCHOR_IN_USE',
    `Cannot put an alias here: the node carries the anchor &${name}, and an alias can have none`,
    {},
    {
      advice: [
        `Set a copy of the value instead of an alias, or give the anchor &${name} to another node first`,
      ],
    },
  );
}

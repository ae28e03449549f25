// Which of the texts that a template may become are looked at to prove an edit.
import type { Edit } from '../../security/index.ts';
import type { Part } from '../edit/neighbours.ts';
import {
  type Action,
  actionsIn,
  branchAt,
  definitionOf,
  depthOf,
  saidDepth,
  withAround,
} from '../tree/actions.ts';
import { columnOf, firstFrom, isBlank, lineStart, nextLine } from '../tree/lines.ts';
import {
  isBlockCollection,
  isWritten,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import type { Choice, Expander, Way } from './expansion.ts';

interface Beginning {
  readonly before: Stream;
  readonly after: Stream;
  readonly edits: readonly Edit[];
  /** Where the edit begins in the result. */
  readonly at: number;
}

/** The most blocks that take another branch, each by itself. */
const MOST_BLOCKS = 6;
/** The actions before and after an edit in which those blocks are looked for. */
const MOST_ACTIONS = 12;
/** The most of those actions that write keys or items, each by itself. */
const MOST_UNCLEAR = 4;

export interface Choices {
  /** The branches that all blocks take, the first that can be read. */
  readonly usual: readonly ((way: Way) => Choice)[];
  /** Those with a block that takes another. */
  readonly others: readonly ((way: Way) => Choice)[];
}

/** Returns the texts to try: blocks around the edit, which begins at `at` in the result, take the branches in which it is, and those near it each of theirs. */
export function choicesFor({ before, after, edits, at }: Beginning, old: Expander, now: Expander): Choices {
  const { actions = [], text } = after;
  const fixed = new Map(
    withAround(branchAt(actions, at)).flatMap((branch) => {
      const block = branch && now.alternativesOf(branch.block);
      return branch === undefined || block === undefined
        ? []
        : [[block.opening, block.branches.indexOf(branch)] as const];
    }),
  );
  const defined = definitionOf(text, actions, at);
  const definition = defined && now.alternativesOf(defined)?.opening;
  const index = firstFrom(actions, at);
  const near = actions
    .slice(Math.max(index - MOST_ACTIONS, 0), index + MOST_ACTIONS)
    .sort((a, b) => Math.abs(a.start - at) - Math.abs(b.start - at));
  const removed = edits.flatMap((edit) => actionsIn(before.actions ?? [], edit));
  const flips = new Map<string, Set<number>>();
  const blocks = [
    ...removed.flatMap(({ block }) => (block && old.alternativesOf(block)) ?? []),
    ...near.flatMap(({ block }) => (block && now.alternativesOf(block)) ?? []),
  ];
  for (const { opening, branches, isOptional } of blocks) {
    if (fixed.has(opening) || (flips.size === MOST_BLOCKS && !flips.has(opening))) continue;
    const others = flips.get(opening) ?? new Set();
    flips.set(opening, others);
    for (const other of branches.keys()) if (other > 0) others.add(other);
    if (isOptional) others.add(-1);
  }
  const known = knownWays([before, after]);
  const make =
    (taken: (opening: string) => number | undefined, own?: Written) =>
    (way: Way): Choice => ({
      definition,
      branchOf: (opening) => fixed.get(opening) ?? taken(opening) ?? 0,
      wayOf: (source) =>
        own?.source === source ? own.way : way === 'nothing' ? way : (known.get(source) ?? way),
    });
  const lastOf = (opening: string) => [...(flips.get(opening) ?? [])].at(-1);
  const single = [...flips].flatMap(([opening, others]) =>
    [...others].map((other) => make((one) => (one === opening ? other : undefined))),
  );
  // Of actions that may write either, one may write items although another writes keys.
  const unclear = near.flatMap((action) => {
    const source = text.slice(action.start, action.end);
    return writesLines(after, action) && !known.has(source) ? [source] : [];
  });
  const written = [...new Set(unclear)]
    .slice(0, MOST_UNCLEAR)
    .flatMap((source) => (['key', 'item'] as const).map((way) => make(() => undefined, { source, way })));
  return {
    usual: [make(() => undefined), make(lastOf), make(() => -1)],
    others: [make(lastOf), ...single, ...written],
  };
}

/** What an action writes, whatever the others do. */
interface Written {
  readonly source: string;
  readonly way: Way;
}

/** True for an action that writes lines of its own, if any. */
function writesLines({ text }: Stream, action: Action): boolean {
  return action.kind === 'output' && (action.isHidden || saidDepth(text, action) !== undefined);
}

/**
 * Returns the part of both texts that has to be expanded: the parts of the root around the edit, with the whole of each block that
 * begins or ends among them; all of them if they cannot be cut.
 */
export function windowsOf(
  before: Stream,
  after: Stream,
  edits: readonly Edit[],
  { doc, index }: { readonly doc: number; readonly index: number | undefined },
): readonly [Span, Span] {
  const whole = [before, after].map(({ text }) => ({ start: 0, end: text.length }));
  const [all = NOTHING, now = NOTHING] = whole;
  const root = before.documents[doc]?.root;
  if (index === undefined || root === undefined || !isBlockCollection(root)) return [all, now];
  const parts: readonly Part[] = partsOf(root);
  const lineOf = (part: Part | undefined, usual: number) =>
    part === undefined ? usual : lineStart(before.text, part.start);
  const near = { start: lineOf(parts[index - 2], 0), end: lineOf(parts[index + 2], before.text.length) };
  const own = withBlocks(before, near);
  const shift = now.end - all.end;
  const isWithin = edits.every(({ start, end }) => start > own.start && end < own.end);
  const next = { start: own.start, end: own.end + shift };
  const isCut = withBlocks(after, next);
  return isWithin && isCut.start === next.start && isCut.end === next.end ? [own, next] : [all, now];
}

const NOTHING = { start: 0, end: 0 };

/** Returns the window with the whole of each block that is partly in it. */
function withBlocks({ text, actions = [] }: Stream, window: Span): Span {
  let { start, end } = window;
  for (let [from, to] = [-1, -1]; from !== start || to !== end; ) {
    [from, to] = [start, end];
    for (const { block } of actionsIn(actions, { start, end })) {
      if (block === undefined) continue;
      start = Math.min(start, lineStart(text, block.start));
      end = Math.max(end, nextLine(text, block.end));
    }
  }
  return { start, end };
}

/** What actions write that stand in the column of a collection's parts, by their source. */
function knownWays(streams: readonly Stream[]): ReadonlyMap<string, Way> {
  const known = new Map<string, Way>();
  const unclear = new Set<string>();
  for (const stream of streams)
    for (const action of stream.actions ?? []) {
      if (!writesLines(stream, action)) continue;
      const way = wayIn(stream, action);
      const source = stream.text.slice(action.start, action.end);
      const other = known.get(source) ?? way;
      if (way === 'unclear' || way !== (way && other)) unclear.add(source);
      else if (way !== undefined) known.set(source, way);
    }
  for (const source of unclear) known.delete(source);
  return known;
}

/** Returns undefined for all of a value; 'unclear' in the column of both a mapping and a list. */
function wayIn({ text, documents }: Stream, action: Action): Way | 'unclear' | undefined {
  const depth = depthOf(text, action);
  const document = documents[Math.max(firstFrom(documents, action.start + 1) - 1, 0)];
  let node = document?.root;
  while (node !== undefined && isBlockCollection(node)) {
    const parts: readonly Part[] = partsOf(node);
    const value: SpanNode | undefined = parts[firstFrom(parts, action.start + 1) - 1]?.value;
    const isIn = value !== undefined && action.start < value.end;
    const isBeside = columnOf(text, node.start) === depth;
    // What is written in the column of its key is read as a list.
    if (isIn && value.kind === 'scalar') return isBeside ? 'item' : undefined;
    if (isBeside) {
      // Items may be in the column of their key.
      const isList =
        value !== undefined &&
        (value.kind === 'sequence' ? isBlockCollection(value) : isWritten(value)) &&
        isBlank(text, lineStart(text, value.start), value.start);
      const mayGoOn = isList && (isWritten(value) || columnOf(text, value.start) === depth);
      if (mayGoOn) return isIn ? 'item' : 'unclear';
      return node.kind === 'mapping' ? 'key' : 'item';
    }
    node = value;
  }
  return undefined;
}

// Chooses the expansions of a template in which an edit is proven.
import type { Edit } from '../../security/edits/edit.ts';
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
  isEmpty,
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
  /** What actions write, as far as their place shows it. */
  readonly known: ReadonlyMap<string, Way>;
  /** What is expanded of the result. */
  readonly within: Span;
}

/** The most blocks of which other branches are tried, one block at a time. */
const MOST_BLOCKS = 6;
/** The number of actions before and after an edit among which those blocks are looked for. */
const MOST_ACTIONS = 12;
/** The most actions that are tried with keys or items, one at a time. */
const MOST_UNCLEAR = 4;

export interface Choices {
  /** Choices for all blocks, of which the first that gives readable YAML is used. */
  readonly usual: readonly ((way: Way) => Choice)[];
  /** Choices that differ in one block or action. */
  readonly others: readonly ((way: Way) => Choice)[];
}

/** Returns the choices to try: blocks around the edit (at `at` in the result) take its branches; nearby blocks take each of theirs in turn. */
export function choicesFor(
  { before, after, edits, at, known, within }: Beginning,
  old: Expander,
  now: Expander,
): Choices {
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
  const make =
    (branchOf: (opening: string) => number | undefined, own?: Written) =>
    (way: Way): Choice => ({
      definition,
      branchOf: (opening) => fixed.get(opening) ?? branchOf(opening) ?? 0,
      wayOf: (source) =>
        own?.source === source ? own.way : way === 'nothing' ? way : (known.get(source) ?? way),
    });
  const lastOf = (opening: string) => [...(flips.get(opening) ?? [])].at(-1);
  const single = [...flips].flatMap(([opening, others]) =>
    [...others].map((other) => make((one) => (one === opening ? other : undefined))),
  );
  // Of the actions that may write either, one may write items while another writes keys.
  const unclear = near.flatMap((action) => {
    const source = text.slice(action.start, action.end);
    const isExpanded = action.start >= within.start && action.end <= within.end;
    return isExpanded && writesLines(after, action) && !known.has(source) ? [source] : [];
  });
  const written = [...new Set(unclear)]
    .slice(0, MOST_UNCLEAR)
    .flatMap((source) => (['key', 'item'] as const).map((way) => make(() => undefined, { source, way })));
  return {
    usual: [make(() => undefined), make(lastOf), make(() => -1)],
    others: [make(lastOf), ...single, ...written],
  };
}

/** What one action writes, independently of the others. */
interface Written {
  readonly source: string;
  readonly way: Way;
}

/** True for an action that writes whole lines. */
function writesLines({ text }: Stream, action: Action): boolean {
  return action.kind === 'output' && (action.isHidden || saidDepth(text, action) !== undefined);
}

/** Maps offsets of a text to offsets after edits. */
export class Moved {
  readonly #edits: readonly Edit[];
  /** The shift of the text after each edit. */
  readonly #shifts: number[] = [0];

  constructor(edits: readonly Edit[]) {
    this.#edits = edits;
    let shift = 0;
    for (const { start, end, insert } of edits) {
      shift += insert.length - (end - start);
      this.#shifts.push(shift);
    }
  }

  /** Maps the start of a span. */
  startOf(offset: number): number {
    return offset + (this.#shifts[firstFrom(this.#edits, offset + 1)] ?? 0);
  }

  /** Maps the end of a span. */
  endOf(offset: number): number {
    return offset + (this.#shifts[firstFrom(this.#edits, offset)] ?? 0);
  }

  /** True if an edit replaces text on both sides of the offset. */
  isCut(offset: number): boolean {
    return (this.#edits[firstFrom(this.#edits, offset + 1) - 1]?.end ?? 0) > offset;
  }
}

/** The span of both texts that has to be expanded. */
export interface Window {
  readonly own: Span;
  readonly next: Span;
  /** The number of parts on the path to its contents. */
  readonly level: number;
}

export interface Level {
  readonly container: SpanNode | undefined;
  readonly index: number;
}

interface Place {
  readonly doc: number;
  readonly edits: readonly Edit[];
  /** The collections on the path to the edits. */
  readonly levels: readonly Level[];
}

/** Returns a window of parts around the edits, in the innermost collection that allows one, extended to whole blocks; everything if none does. */
export function windowOf(before: Stream, after: Stream, { doc, edits, levels }: Place, moved: Moved): Window {
  for (let level = levels.length - 1; level >= 0; level--) {
    const near = nearIn(before, doc, levels[level], level);
    if (near === undefined) continue;
    const own = withBlocks(before, near);
    const isWithin = edits.every(({ start, end }) => start > own.start && end < own.end);
    const container = levels[level]?.container;
    const isOutside = level > 0 && container !== undefined && !isIn(own, near, container);
    if (!isWithin || isOutside || moved.isCut(own.start) || moved.isCut(own.end)) continue;
    const next = { start: moved.startOf(own.start), end: moved.endOf(own.end) };
    const isCut = withBlocks(after, next);
    if (isCut.start === next.start && isCut.end === next.end) return { own, next, level };
  }
  const [own, next] = [before, after].map(({ text }) => ({ start: 0, end: text.length }));
  return { own: own ?? NOTHING, next: next ?? NOTHING, level: 0 };
}

const NOTHING = { start: 0, end: 0 };

/** True if the window is within the collection, but for the line of its first part. */
function isIn(own: Span, near: Span, container: Span): boolean {
  return own.start >= Math.min(near.start, container.start) && own.end <= container.end;
}

/** Returns the lines from two parts before to two parts after; in the root, to the ends of its document. */
function nearIn(
  { text, documents }: Stream,
  doc: number,
  level: Level | undefined,
  depth: number,
): Span | undefined {
  if (level?.container === undefined || !isBlockCollection(level.container)) return undefined;
  const parts: readonly Part[] = partsOf(level.container);
  const [first, last] = [parts[level.index - 2], parts[level.index + 2]];
  if (depth > 0 && [first, last].some((part) => part === undefined || !isOnOwnLine(text, part)))
    return undefined;
  const start = first === undefined ? (documents[doc - 1]?.contentEnd ?? 0) : lineStart(text, first.start);
  const next = documents[doc + 1] === undefined ? text.length : (documents[doc]?.contentEnd ?? text.length);
  return { start, end: last === undefined ? next : lineStart(text, last.start) };
}

function isOnOwnLine(text: string, { start }: Span): boolean {
  return isBlank(text, lineStart(text, start), start);
}

/** Extends the window to whole blocks. */
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

/** Returns what actions of both windows write that are in the column of a collection's parts, by their source. */
export function knownWays(before: Stream, own: Span, after: Stream, next: Span): ReadonlyMap<string, Way> {
  const known = new Map<string, Way>();
  const unclear = new Set<string>();
  for (const [stream, window] of [
    [before, own],
    [after, next],
  ] as const)
    for (const action of actionsIn(stream.actions ?? [], window)) {
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

/** Returns 'unclear' in the column of both a mapping and a list; undefined for an action that writes a whole value. */
function wayIn({ text, documents }: Stream, action: Action): Way | 'unclear' | undefined {
  const depth = depthOf(text, action);
  const document = documents[Math.max(firstFrom(documents, action.start + 1) - 1, 0)];
  let node = document?.root;
  while (node !== undefined && isBlockCollection(node)) {
    const parts: readonly Part[] = partsOf(node);
    const value: SpanNode | undefined = parts[firstFrom(parts, action.start + 1) - 1]?.value;
    const isIn = value !== undefined && action.start < value.end;
    const isBeside = columnOf(text, node.start) === depth;
    // What is written in the column of its key can only be a list.
    if (isIn && value.kind === 'scalar') return isBeside ? 'item' : undefined;
    if (isBeside) {
      // Items may be in the column of their key.
      const isList =
        value !== undefined &&
        (value.kind === 'sequence' ? isBlockCollection(value) : isWritten(value)) &&
        isBlank(text, lineStart(text, value.start), value.start);
      const mayGoOn = isList && (isWritten(value) || columnOf(text, value.start) === depth);
      if (mayGoOn) return isIn ? 'item' : 'unclear';
      // Below a key without a value it is read as its list.
      if (value !== undefined && isEmpty(value)) return 'item';
      return node.kind === 'mapping' ? 'key' : 'item';
    }
    node = value;
  }
  return undefined;
}

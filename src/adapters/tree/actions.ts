// The actions of a template, such as `{{ … }}`: their places, the blocks that they form, and the branch after each. Formats
// without templates have none.

import { visibleLine } from '../../security/text/visible.ts';
import { columnOf, firstFrom, isBlankOrComments, lineStart } from './lines.ts';

/** A span, as in the tree. */
interface Extent {
  readonly start: number;
  readonly end: number;
}

export interface Action extends Extent {
  /** `open`, `middle` and `end` belong to a block (`if`, `else`, `end`); `output` may write something, `silent` never does. */
  readonly kind: 'open' | 'middle' | 'end' | 'output' | 'silent';
  /** True if the tree does not see it: it is on lines of actions alone, or begins a block of lines. */
  readonly isHidden: boolean;
  /** The block of an `open`, a `middle` or an `end`. */
  readonly block: Block | undefined;
  /** The branch after it. */
  readonly after: Branch | undefined;
}

/** A block from an `open` to its `end`, both included. */
export interface Block extends Extent {
  /** The start of its last action. */
  readonly lastStart: number;
}

export interface Branch {
  /** The branch around it. */
  readonly around: Branch | undefined;
  readonly block: Block;
  /** The condition, as in `if .Values.enabled`; for an `else`, the words that name it as the other branch. */
  readonly condition: string;
  /** The start of the action that begins it. */
  readonly start: number;
}

/** The lines around the entries of a collection that belong to it: from the first of its actions to the last. */
export interface Surroundings extends Extent {
  /** The branch around the collection itself. */
  readonly branch: Branch | undefined;
}

/** Returns the actions that have a character in common with the span. */
export function actionsIn(actions: readonly Action[], { start, end }: Extent): readonly Action[] {
  const first = firstFrom(actions, start);
  const before = actions[first - 1];
  const found = before !== undefined && before.end > start ? [before] : [];
  for (let i = first; ; i++) {
    const action = actions[i];
    if (action === undefined || action.start >= end) return found;
    found.push(action);
  }
}

/** The branch in which what begins at `offset` stands. */
export function branchAt(actions: readonly Action[], offset: number): Branch | undefined {
  return actions[firstFrom(actions, offset) - 1]?.after;
}

/** The branch and all that it stands in; what stands in none is around all. */
export function withAround(branch: Branch | undefined): readonly (Branch | undefined)[] {
  return branch === undefined ? [undefined] : [branch, ...withAround(branch.around)];
}

/**
 * Returns how deep the lines are that an action writes: as its `indent` says, or as its own column. Blanks before an `indent`
 * that keeps them are added.
 */
export function depthOf(text: string, action: Extent): number {
  const { start, end } = action;
  const column = text.slice(lineStart(text, start), start).search(/[^ \t]|$/);
  const said = saidDepth(text, action);
  if (said === undefined) return column;
  const isBehindBlanks = text[start + 2] !== '-' && !/\bnindent\b/.test(text.slice(start, end));
  return isBehindBlanks ? column + said : said;
}

/** Returns the depth that its `indent` gives; undefined without one. */
export function saidDepth(text: string, { start, end }: Extent): number | undefined {
  const said = /\bn?indent\s+\(?\s*(?:int\s+)?(\d{1,4})\s*\)?\s*-?[%}]\}$/.exec(
    text.slice(Math.max(start, end - 60), end),
  );
  return said?.[1] === undefined ? undefined : Number(said[1]);
}

/** The most actions that are looked at after the end of a collection. */
const MAX_TAIL = 500;

/**
 * Returns where the lines of actions after `end` stop belonging to the part: they write something deeper, or end what begins in
 * it. Only blanks are between them. `mayHoldItems` is true for a key without a value.
 */
export function tailOfActions(
  text: string,
  actions: readonly Action[],
  part: Extent,
  end: number,
  mayHoldItems = false,
): number {
  // The items of a list may be in the column of its key.
  const column = columnOf(text, part.start) - (mayHoldItems ? 1 : 0);
  let taken = end;
  let at = end;
  let isWriting = false;
  const open = new Set<unknown>();
  const first = firstFrom(actions, end);
  for (let i = first; ; i++) {
    const action = i - first < MAX_TAIL ? actions[i] : undefined;
    if (action === undefined || !action.isHidden) return taken;
    const between = text.slice(at, action.start);
    // Empty brackets alone in another branch stand for the value without its parts.
    if (!isBlankOrComments(between) && !(actions[i - 1]?.kind === 'middle' && EMPTY_BRACKETS.test(between)))
      return taken;
    at = action.end;
    if (action.kind === 'open' && action.block !== undefined && isOnLine(text, action.block)) {
      // It has literal text in it, and is as deep as its line.
      if (depthOf(text, action) <= column) return taken;
      at = action.block.end;
      i = firstFrom(actions, at) - 1;
      if (open.size === 0) taken = at;
    } else if (action.kind === 'open') {
      // A block that goes on after other content is no part of it.
      const { block } = action;
      if (block === undefined) return taken;
      if (open.size === 0 && !isOnlyActions(text, actionsIn(actions, block), block)) return taken;
      open.add(action.block);
    } else if (action.kind === 'output') {
      if (depthOf(text, action) <= column) return taken;
      isWriting = true;
    } else if (action.block !== undefined && !open.has(action.block) && action.block.start < part.start)
      return taken;
    const isClosing = action.kind === 'end' && action.block !== undefined;
    const isOwn = isClosing && !open.has(action.block);
    if (isClosing) open.delete(action.block);
    if (open.size === 0 && (isOwn || (isWriting && (isClosing || action.kind === 'output')))) {
      taken = at;
      isWriting = false;
    }
  }
}

const EMPTY_BRACKETS = /^\s*(?:\{\}|\[\])\s*$/;

/** Returns the actions that may write entries of a collection: within it, and on lines below its end that write as deep as its entries are. */
export function writersIn(text: string, actions: readonly Action[], collection: Extent): readonly Action[] {
  const within = actionsIn(actions, collection).filter(({ kind, isHidden }) => kind === 'output' && isHidden);
  const depth = columnOf(text, collection.start);
  for (const action of nextActions(text, actions, collection.end))
    if (action.kind === 'output' && depthOf(text, action) >= depth) return [...within, action];
  return within;
}

/** The lines of actions right below `end`, with nothing between them. */
export function* nextActions(text: string, actions: readonly Action[], end: number): Generator<Action> {
  const first = firstFrom(actions, end);
  let at = end;
  for (const action of actions.slice(first, first + MAX_TAIL)) {
    // With its line break, a comment that begins there is one.
    const from = text[at - 1] === '\n' ? at - 1 : at;
    if (!action.isHidden || !isBlankOrComments(text.slice(from, action.start))) return;
    at = action.end;
    yield action;
  }
}

/** The block in which it is defined, to be written elsewhere; undefined for what the file writes itself. */
export function definitionOf(text: string, actions: readonly Action[], offset: number): Block | undefined {
  return withAround(branchAt(actions, offset)).find((branch) => isDefined(text, branch?.block))?.block;
}

/** True for a block whose contents are written elsewhere. */
export function isDefined(text: string, block: Block | undefined): boolean {
  return block !== undefined && DEFINITION.test(text.slice(block.start, block.start + MAX_OPENING));
}

const DEFINITION = /^\{(?:\{-?\s*define|%[-+]?\s*macro)\b/;
/** The characters of a block's beginning up to its first word. */
const MAX_OPENING = 40;

/** A block that is all of its line, with literal text in it. */
function isOnLine(text: string, { start, end }: Extent): boolean {
  const own = text.slice(start, end);
  if (own.includes('\n') || text.slice(lineStart(text, start), start).trim() !== '') return false;
  const literals = own.split('{').slice(0, -1);
  return literals.some((literal) => /[%}]\}/.test(literal) && /\S/.test(literal.replace(/^.*?[%}]\}/, '')));
}

/** The innermost branch that both stand in. */
export function commonBranch(one: Branch | undefined, other: Branch | undefined): Branch | undefined {
  const around = new Set(withAround(one));
  return withAround(other).find((branch) => around.has(branch));
}

/** Returns the text of the span without its actions. */
export function withoutActions(text: string, actions: readonly Action[], { start, end }: Extent): string {
  let [literal, at] = ['', start];
  for (const action of actionsIn(actions, { start, end })) {
    literal += text.slice(at, action.start);
    at = action.end;
  }
  return literal + text.slice(at, end);
}

/** True if the span holds only these actions. */
export function isOnlyActions(text: string, actions: readonly Action[], { start, end }: Extent): boolean {
  let at = start;
  for (const action of actions) {
    if (!isBlankOrComments(text.slice(at, action.start))) return false;
    at = action.end;
  }
  return actions.length > 0 && isBlankOrComments(text.slice(at, end));
}

/**
 * Returns the offset after the ends of all branches that a collection in `branch` is not in itself. `at` is after one of its
 * parts; `mayLeave` says of each such block whether to go on.
 */
export function endOfBranches(
  text: string,
  actions: readonly Action[],
  at: number,
  branch: Branch | undefined,
  mayLeave: (block: Block) => boolean,
): number {
  for (let end = at; ; ) {
    const inner = branchAt(actions, end);
    const next = actions[firstFrom(actions, end)];
    if (inner === undefined || inner === branch || next === undefined || !mayLeave(inner.block)) return end;
    const isNear = isBlankOrComments(text.slice(end, next.start), true);
    if (!next.isHidden || next.block !== inner.block || !isNear) return end;
    end = inner.block.end;
  }
}

/** Returns the conditions of a branch and those around it, from the inside out. */
export function conditionsOf(branch: Branch): string {
  const all = withAround(branch).flatMap((one) => one?.condition ?? []);
  return visibleLine(all.slice(0, MAX_CONDITIONS).join(', within '));
}

const MAX_CONDITIONS = 4;

/** True if a file holds actions, so that its values are known only once it is filled in. */
export function isTemplate({ actions = [] }: { readonly actions?: readonly Action[] | undefined }): boolean {
  return actions.length > 0;
}

// Limits what an edit of a template may do in branches. A new part must be in the branch of its container. A part whose lines
// go on after the `end` of its branch is neither removed nor replaced.
import type { Edit, Refusal } from '../../security/index.ts';
import type { Intent, NewKey } from '../edit/intent.ts';
import { type Block, type Branch, branchAt, isDefined, withAround } from '../tree/actions.ts';
import {
  type Collection,
  type Entry,
  type Item,
  isBlockCollection,
  isCollection,
  partsOf,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { holdsActions } from '../tree/word-ends.ts';
import {
  requireKnownColumns,
  requireOwnLines,
  requireSameColumn,
  requireSetVariables,
  requireUnwritten,
  requireUnwrittenRoot,
} from './require-unwritten.ts';
import { type PathStep, stepsTo, templateRefusal } from './template-refusal.ts';

/** Throws TEMPLATE_ACTION. A stream without actions always passes. */
export function requireOwnBranches(stream: Stream, edits: readonly Edit[], intent: Intent): void {
  const { actions = [], documents } = stream;
  if (actions.length === 0 || !('at' in intent)) return;
  const root = documents[intent.at.document]?.root;
  const path = stepsTo(root, intent.at.indexes);
  const last = path.at(-1);
  const node = last === undefined ? root : last.node;
  const around = path.map(({ container, index }) => partAt(container, index));
  const own = intent.kind === 'remove' || intent.kind === 'rename' ? partAt(node, intent.index) : undefined;
  requireTogether(stream, [...around, own]);
  if (intent.kind === 'insert' || intent.kind === 'rename') requireNoHiddenKey(stream, intent.key);
  if (intent.kind === 'rename') {
    requireKnownColumns(stream, [own]);
    requireOtherKeys(stream, node, own, intent.key);
    return;
  }
  // New lines below a part get their column from it, unless there are other lines already.
  const isBeside = intent.kind === 'insert' && node !== undefined && isBlockCollection(node);
  if (!isBeside && edits.some(({ insert }) => /\n\s*\S/.test(insert))) requireKnownColumns(stream, around);
  if (intent.kind === 'insert') {
    requirePlace(stream, edits, path, node, intent.index);
    return;
  }
  requireSetVariables(stream, edits);
  const holder = around.at(-1);
  if (intent.kind === 'replace' && holder !== undefined) requireUnwritten(stream, holder, edits);
  if (intent.kind === 'replace' && holder === undefined)
    requireUnwrittenRoot(stream, intent.at.document, edits);
  const isOnly = node !== undefined && isCollection(node) && partsOf(node).length === 1;
  if (intent.kind === 'remove' && node !== undefined) requireWholePart(stream, node, intent.index);
  // Without its last part, the containing part has no lines of its own.
  if (last !== undefined && (intent.kind === 'replace' || isOnly))
    requireWholePart(stream, last.container, last.index);
}

/** Throws if a loop would write the key into the collection `node` once for each element. */
function requireOtherKeys(
  { text, actions = [], lines }: Stream,
  node: SpanNode | undefined,
  part: Entry | Item | undefined,
  key: NewKey,
): void {
  if (part === undefined || !('key' in part) || !holdsActions(part.key) || /\{[{%]/.test(key.text)) return;
  const around = withAround(branchAt(actions, part.start));
  const own = around.slice(0, around.indexOf(node?.around?.branch));
  const loop = own.find(
    (branch) => branch !== undefined && LOOP.test(text.slice(branch.start, branch.start + 40)),
  );
  if (loop === undefined) return;
  const line = lines.at(loop.start);
  throw templateRefusal(`the loop on line ${line} would write the key once for each element`, line, [
    'Keep an action in the key, such as {{ $k }}, that gives each element its own',
    AS_TEXT,
  ]);
}

const LOOP = /^\{[{%][-+]?\s*(?:range|for)\b/;

/** Checks the place of a new part that the edits put into the node. */
function requirePlace(
  stream: Stream,
  edits: readonly Edit[],
  path: readonly PathStep[],
  node: SpanNode | undefined,
  index: number,
): void {
  const offset = Math.min(...edits.filter(({ insert }) => insert.trim() !== '').map(({ start }) => start));
  requireSameBranch(stream, path, offset);
  if (node === undefined) return;
  requireNoEmptyBranch(stream, node, offset);
  if (!isCollection(node)) return;
  requireSameColumn(stream, node, offset);
  const torn = index > 0 ? blockGoneOnBehind(stream, node, index - 1) : undefined;
  if (torn !== undefined && offset < torn.end) throw refused(stream, torn);
}

/** Throws where another branch holds empty brackets instead of parts, because no part can be beside them. */
function requireNoEmptyBranch(
  { text, unseen = [], actions = [], lines }: Stream,
  node: SpanNode,
  offset: number,
): void {
  for (const { start, end } of unseen) {
    const branch = branchAt(actions, start);
    if (branch === undefined || !/^(?:\{\}|\[\])$/.test(text.slice(start, end).trim())) continue;
    const isBeside = branch.block.start <= node.end && branch.block.end >= node.start;
    // Below a part that begins before the block, the brackets are the value of something else.
    const isDeeper = isCollection(node) && partsOf(node).some((part) => part.start < branch.block.start);
    const isInOther =
      branchAt(actions, offset) !== branch && offset > branch.block.start && offset < branch.block.end;
    if (!isBeside || isInOther || isDeeper) continue;
    const line = lines.at(start);
    throw templateRefusal(
      `a branch beside the new part holds empty brackets (line ${line}), which are all of the value there`,
      line,
      ['Say with "before" or "after" beside which part of another branch it goes', AS_TEXT],
    );
  }
}

/** A key may stand in a block that is all of one line, where no node shows it. */
function requireNoHiddenKey({ text, unseen = [], lines }: Stream, key: NewKey | 'item'): void {
  if (key === 'item') return;
  const there = unseen.find(({ start, end }) => {
    const source = text.slice(start, end);
    return source.startsWith(`${key.text}:`) || source.includes(` ${key.text}:`);
  });
  if (there === undefined || text[there.start] === '#') return;
  const line = lines.at(there.start);
  throw templateRefusal(`the key stands already in a block on one line (line ${line})`, line, [
    'Edit that line with op "replace_text" and no path',
  ]);
}

/** Throws TEMPLATE_ACTION for a part whose lines go on after the branch in which it begins. */
export function requireWholePart(stream: Stream, container: SpanNode, index: number): void {
  if (stream.actions === undefined || !isCollection(container)) return;
  requireOwnLines(stream, partAt(container, index));
  const torn = blockGoneOnBehind(stream, container, index);
  if (torn !== undefined) throw refused(stream, torn);
}

function partAt(container: SpanNode | undefined, index: number): Entry | Item | undefined {
  return container !== undefined && isCollection(container) ? partsOf(container)[index] : undefined;
}

/**
 * Throws TEMPLATE_ACTION where one of these parts, outermost first, is in another branch or definition than one around it. They
 * are never written together, so the path would be misleading.
 */
export function requireTogether(
  { text, actions = [], lines }: Stream,
  parts: readonly (Entry | Item | undefined)[],
): void {
  const around: (Branch | undefined)[] = [];
  for (const part of parts) {
    if (part === undefined) continue;
    const chain = withAround(branchAt(actions, part.start));
    const other = around.find((one) => {
      const isOther = chain.some((own) => own?.block === one?.block && own !== one);
      return isOther || (isDefined(text, one?.block) && !chain.includes(one));
    });
    if (other !== undefined) {
      const [line, first] = [lines.at(part.start), lines.at(other.start)];
      throw templateRefusal(
        `line ${line} stands in another branch than what it is indented below (line ${first}), so that they never come out together`,
        line,
        ['Edit the lines with op "replace_text" and no path'],
      );
    }
    around.push(...chain);
  }
}

/** Throws unless each part on the path to the new one begins in a branch that also holds the new one. */
function requireSameBranch(stream: Stream, path: readonly PathStep[], offset: number): void {
  const { actions = [], lines } = stream;
  const around = withAround(branchAt(actions, offset));
  for (const { container, index } of path) {
    const part = partAt(container, index);
    const branch = part && branchAt(actions, part.start);
    if (branch === undefined || around.includes(branch)) continue;
    const line = lines.at(branch.start);
    throw templateRefusal(
      `the new part would stand outside of the branch that its parent stands in (line ${line})`,
      line,
      ['Say with "before" or "after" beside which part of that branch it goes', AS_TEXT],
    );
  }
}

/** The block of an `if` in which the part begins, where this part or one of another branch goes on behind its `end`. */
function blockGoneOnBehind(
  { actions = [] }: Stream,
  container: Collection,
  index: number,
): Block | undefined {
  const parts = partsOf(container);
  const part = parts[index];
  if (part === undefined) return undefined;
  for (const branch of withAround(branchAt(actions, part.start))) {
    if (branch === undefined) continue;
    const { block } = branch;
    let last = part;
    for (let i = index + 1; i < parts.length; i++) {
      const next = parts[i];
      if (next === undefined || next.start >= block.end) break;
      // What goes on behind the end is the value of a later part of the same branch.
      if (branchAt(actions, next.start) === branch) break;
      last = next;
    }
    if (last.end > block.end) return block;
  }
  return undefined;
}

function refused({ lines }: Stream, { start, end }: Block): Refusal {
  const [first, last] = [lines.at(start), lines.at(end)];
  return templateRefusal(
    `the part begins in a branch and goes on behind its end (lines ${first} to ${last})`,
    first,
    ['Change the parts within it one by one', AS_TEXT],
  );
}

const AS_TEXT = 'Or edit the lines with op "replace_text" and no path';

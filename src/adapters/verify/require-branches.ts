// What an edit of a template may do to what stands in branches: a new part stands in the branch of what holds it, and a part
// whose lines go on behind the `end` of its branch neither goes nor is replaced.
import { type Edit, Refusal } from '../../security/index.ts';
import type { Intent, NewKey } from '../edit/intent.ts';
import { type Block, branchAt, withAround } from '../tree/actions.ts';
import { type Collection, isCollection, partsOf, type SpanNode, type Stream } from '../tree/span-tree.ts';

/** Throws TEMPLATE_ACTION. Of a stream without actions nothing is asked. */
export function requireOwnBranches(stream: Stream, edits: readonly Edit[], intent: Intent): void {
  const { actions = [], documents } = stream;
  if (actions.length === 0 || !('at' in intent)) return;
  if (intent.kind === 'insert' || intent.kind === 'rename') requireNoHiddenKey(stream, intent.key);
  if (intent.kind === 'rename') return;
  const path = stepsTo(documents[intent.at.document]?.root, intent.at.indexes);
  if (intent.kind === 'insert') {
    const offset = Math.min(...edits.filter(({ insert }) => insert.trim() !== '').map(({ start }) => start));
    requireSameBranch(stream, path, offset);
    const { node } = path.at(-1) ?? { node: documents[intent.at.document]?.root };
    if (node !== undefined) requireNoEmptyBranch(stream, node, offset);
    if (node !== undefined && isCollection(node) && intent.index > 0) {
      const torn = blockGoneOnBehind(stream, node, intent.index - 1);
      if (torn !== undefined && offset < torn.end) throw refused(stream, torn);
    }
    return;
  }
  const last = path.at(-1);
  const whole = intent.kind === 'remove' ? { container: last?.node, index: intent.index } : last;
  if (whole?.container !== undefined && isCollection(whole.container))
    requireWholePart(stream, whole.container, whole.index);
}

/** Beside a branch that holds empty brackets in place of the parts of the others, no part can stand. */
function requireNoEmptyBranch(
  { text, unseen = [], actions = [], lines }: Stream,
  node: SpanNode,
  offset: number,
): void {
  for (const { start, end } of unseen) {
    const branch = branchAt(actions, start);
    if (branch === undefined || !/^(?:\{\}|\[\])$/.test(text.slice(start, end).trim())) continue;
    const isBeside = branch.block.start <= node.end && branch.block.end >= node.start;
    // Below a part that begins before the block they are the value of something else.
    const isDeeper = isCollection(node) && partsOf(node).some((part) => part.start < branch.block.start);
    const isInOther =
      branchAt(actions, offset) !== branch && offset > branch.block.start && offset < branch.block.end;
    if (!isBeside || isInOther || isDeeper) continue;
    const line = lines.at(start);
    throw new Refusal(
      'TEMPLATE_ACTION',
      `Cannot make this edit: a branch beside the new part holds empty brackets (line ${line}), which are all of the value there`,
      { line },
      { advice: ['Say with "before" or "after" beside which part of another branch it goes', AS_TEXT] },
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
  throw new Refusal(
    'TEMPLATE_ACTION',
    `Cannot make this edit: the key stands already in a block on one line (line ${line})`,
    { line },
    { advice: ['Edit that line with op "replace_text" and no path'] },
  );
}

/** Throws TEMPLATE_ACTION for a part whose lines go on behind the branch that it begins in. */
export function requireWholePart(stream: Stream, container: Collection, index: number): void {
  if (stream.actions === undefined) return;
  const torn = blockGoneOnBehind(stream, container, index);
  if (torn !== undefined) throw refused(stream, torn);
}

interface PathStep {
  readonly container: SpanNode;
  readonly index: number;
  readonly node: SpanNode | undefined;
}

function stepsTo(root: SpanNode | undefined, indexes: readonly number[]): PathStep[] {
  const steps: PathStep[] = [];
  let container = root;
  for (const index of indexes) {
    if (container === undefined || !isCollection(container)) break;
    const node: SpanNode | undefined = partsOf(container)[index]?.value;
    steps.push({ container, index, node });
    container = node;
  }
  return steps;
}

/** Each part that leads to the new one begins in a branch that the new one stands in as well. */
function requireSameBranch(stream: Stream, path: readonly PathStep[], offset: number): void {
  const { actions = [], lines } = stream;
  const around = withAround(branchAt(actions, offset));
  for (const { container, index } of path) {
    const part = isCollection(container) ? partsOf(container)[index] : undefined;
    const branch = part && branchAt(actions, part.start);
    if (branch === undefined || around.includes(branch)) continue;
    const line = lines.at(branch.start);
    throw new Refusal(
      'TEMPLATE_ACTION',
      `Cannot make this edit: the new part would stand outside of the branch that its parent stands in (line ${line})`,
      { line },
      { advice: ['Say with "before" or "after" beside which part of that branch it goes', AS_TEXT] },
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
      last = next;
    }
    if (last.end > block.end) return block;
  }
  return undefined;
}

function refused({ lines }: Stream, { start, end }: Block): Refusal {
  const [first, last] = [lines.at(start), lines.at(end)];
  return new Refusal(
    'TEMPLATE_ACTION',
    `Cannot make this edit: the part begins in a branch and goes on behind its end (lines ${first} to ${last})`,
    { line: first },
    { advice: ['Change the parts within it one by one', AS_TEXT] },
  );
}

const AS_TEXT = 'Or edit the lines with op "replace_text" and no path';

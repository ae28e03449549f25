// Dotted keys in inline tables of TOML, as in `{ version.ref = "r" }`: a mapping without brackets of its own.
import type { Edit } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import type { Located } from '../tree/locate.ts';
import { isFlowCollection, type MappingNode, type SpanNode, type Stream, walk } from '../tree/span-tree.ts';
import type { Target } from './source.ts';
import type { Step } from './step.ts';

export function isDottedInBraces(
  { format }: Pick<Target, 'format'>,
  node: SpanNode,
): node is MappingNode & { readonly style: 'pair' } {
  return format.layout === 'sections' && node.kind === 'mapping' && node.style === 'pair';
}

/** Throws TYPE_MISMATCH where a step would change more than one run of such keys. */
export function requireOneRun(target: Target, at: Located, does: Step['do']): void {
  const { node, steps } = at;
  const container = steps.at(-1)?.container;
  const isWhole = (one: SpanNode) => !isDottedInBraces(target, one) || isTogether(one, steps);
  const isLeft = does !== 'remove' || container === undefined || isWhole(container);
  const isRenamed = does !== 'rename' || !isDottedInBraces(target, node) || isOne(node);
  if (isWhole(node) && isLeft && isRenamed) return;
  throw new Refusal(
    'TYPE_MISMATCH',
    'Cannot make this edit: it is made of dotted keys within braces',
    {},
    { advice: ['Set the whole value of the key that has the braces, or use replace_text'] },
  );
}

/** True if only one `a.b = 1` makes it. */
function isOne({ entries: [only, more] }: MappingNode): boolean {
  if (only === undefined || more !== undefined) return false;
  return only.value.kind !== 'mapping' || only.value.style !== 'pair' || isOne(only.value);
}

/** True if no other key of the braces is between its keys. */
function isTogether(node: MappingNode, steps: Located['steps']): boolean {
  const braces = steps.findLast(({ container }) => isFlowCollection(container))?.container;
  const countIn = (root: SpanNode): number =>
    [...walk(root)].filter(({ start }) => start > node.start && start < node.end).length;
  return braces !== undefined && countIn(braces) === countIn(node);
}

/** Replaces `a.b = 1` with `a = 2`. */
export function replaceDotted({ steps }: Located, value: string): Edit[] {
  const step = steps.at(-1);
  if (step?.kind !== 'entry') throw new Error('dotted keys lead to an entry');
  return [{ start: step.part.key.end, end: step.part.end, insert: ` = ${value}` }];
}

/** Removes one of several, such as `a.c = 2` next to `a.b = 1`. */
export function removeDotted({ entries }: MappingNode, index: number): Edit[] {
  const [before, own, next] = [entries[index - 1], entries[index], entries[index + 1]];
  if (own === undefined) throw new Error('the part exists');
  if (before !== undefined) return [{ start: before.end, end: own.end, insert: '' }];
  return [{ start: own.start, end: next?.start ?? own.end, insert: '' }];
}

/** Writes `a.c = 2` next to `a.b = 1`. */
export function insertDotted(
  { text }: Stream,
  node: MappingNode,
  steps: Located['steps'],
  index: number,
  line: string,
): Edit[] {
  const outer = steps.findLast(({ container }) => isFlowCollection(container));
  if (outer === undefined) throw new Error('dotted keys are in braces');
  const { start } = outer.part;
  const piece = text.slice(start, node.start) + line;
  const before = node.entries[index - 1];
  return before === undefined
    ? [{ start, end: start, insert: `${piece}, ` }]
    : [{ start: before.end, end: before.end, insert: `, ${piece}` }];
}

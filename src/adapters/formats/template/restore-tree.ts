// Turns the tree of a masked template into that of its source. A value with an action is its source text, and never a number or
// a word. Each entry knows its branch, and each block collection the lines of actions that belong to it.

import {
  actionsIn,
  branchAt,
  commonBranch,
  isOnlyActions,
  type Surroundings,
  tailOfActions,
} from '../../tree/actions.ts';
import { keyText } from '../../tree/keys.ts';
import { firstFrom, lineEnd } from '../../tree/lines.ts';
import {
  type BlockHeader,
  type Entry,
  type Item,
  isBlockCollection,
  partsOf,
  type ScalarNode,
  type SpanNode,
} from '../../tree/span-tree.ts';
import type { Masked } from './mask-text.ts';

export interface Template extends Masked {
  readonly text: string;
}

/** Restores the root. Nesting is within the limit, so recursion is safe. */
export function restoreRoot(template: Template, root: SpanNode, end: number): SpanNode {
  if (!isBlockCollection(root)) return restore(template, root);
  const parts = partsOf(root);
  const [first, last] = [parts[0], parts.at(-1)];
  const branches = [first, last].map((part) => part && branchAt(template.actions, part.start));
  const branch = commonBranch(branches[0], branches[1]);
  const tail = last === undefined ? end : tailOfActions(template.text, template.actions, last, last.end);
  const around = { start: root.start, end: Math.max(Math.min(root.end, end), tail), branch };
  return restore(template, root, around);
}

/** Restores a node. The parts of a collection are made when they are first asked for, because most never are. */
function restore(template: Template, node: SpanNode, around?: Surroundings): SpanNode {
  switch (node.kind) {
    case 'alias':
      return node;
    case 'scalar':
      return restoreScalar(template, node);
    case 'mapping': {
      const { kind, style, start, end, properties, trailingComma } = node;
      let entries: readonly Entry[] | undefined;
      return {
        kind,
        style,
        start,
        end,
        properties,
        trailingComma,
        around,
        get entries() {
          entries ??= node.entries.map((entry) => restoreEntry(template, entry));
          return entries;
        },
      };
    }
    case 'sequence': {
      const { kind, style, start, end, properties, trailingComma } = node;
      let items: readonly Item[] | undefined;
      return {
        kind,
        style,
        start,
        end,
        properties,
        trailingComma,
        around,
        get items() {
          items ??= node.items.map((item) => restoreItem(template, item));
          return items;
        },
      };
    }
  }
}

function restoreItem(template: Template, item: Item): Item {
  const { start, end } = item;
  const value = restoreValue(template, item, item.value, start + 1);
  return { start, end, value };
}

function restoreEntry(template: Template, entry: Entry): Entry {
  const { start, end, colon } = entry;
  const key = restore(template, entry.key);
  const headEnd = entry.value.properties?.end ?? (colon === undefined ? key.end : colon + 1);
  const value = restoreValue(template, entry, entry.value, headEnd);
  const branch = branchAt(template.actions, start);
  return { start, end, colon, key, value, name: keyText(key), branch };
}

/** Restores the value of a part, with the lines of actions that belong to a block collection or to a value of actions alone. */
function restoreValue(template: Template, part: Entry | Item, value: SpanNode, headEnd: number): SpanNode {
  if (isBlockCollection(value))
    return restore(template, value, surroundingsOf(template, part, value, headEnd));
  const restored = restore(template, value);
  return restored.kind === 'scalar' && restored.isWritten === true
    ? { ...restored, around: surroundingsOf(template, part, restored, headEnd) }
    : restored;
}

/** Returns the span from the first action after the head to the last one that belongs to the value. */
function surroundingsOf(
  { text, actions }: Template,
  part: Entry | Item,
  value: SpanNode,
  headEnd: number,
): Surroundings {
  const lead = actions[firstFrom(actions, headEnd)];
  const start = lead?.isHidden === true && lead.start < value.start ? lead.start : value.start;
  const end = Math.max(tailOfActions(text, actions, part, part.end), value.end);
  return { start, end, branch: branchAt(actions, part.start) };
}

function restoreScalar(template: Template, node: ScalarNode): ScalarNode {
  const { text, actions } = template;
  const { block } = node;
  if (block !== undefined) return restoreBlockScalar(template, node, block);
  const own = actionsIn(actions, node);
  if (own.length === 0) return node;
  const { kind, end, properties, style } = node;
  // An action may be left of what it writes.
  const start = Math.min(node.start, own[0]?.start ?? node.start);
  const value = sourceValue(template, node);
  const isWritten = isOnlyActions(text, own, { start, end });
  return { kind, start, end, properties, style, block, value, typedValue: value, isWritten };

  function sourceValue({ mask, fill }: Template, { value: decoded }: ScalarNode): string {
    const source = text.slice(start, end);
    // In another layout, its lines have another indentation.
    if (node.style === 'plain') return source.replaceAll(/[ \t]*\r?\n[ \t]*/g, '\n');
    const filled: string[] = [];
    for (let at = node.start; at < node.end; at++) if (mask[at] === fill) filled.push(text[at] ?? '');
    let taken = 0;
    let value = '';
    for (const character of decoded) value += character === fill ? (filled[taken++] ?? '') : character;
    const isWhole = taken === filled.length && actionsIn(actions, node).every(({ isHidden }) => !isHidden);
    return isWhole ? value : source;
  }
}

/** Restores a block scalar. An action after its header writes it, and is its text. */
function restoreBlockScalar(
  { text, mask, actions }: Template,
  node: ScalarNode,
  block: BlockHeader,
): ScalarNode {
  const behind = actionsIn(actions, { start: block.header.end, end: lineEnd(text, block.header.end) });
  const written = behind.at(-1);
  if (written?.isHidden === true && node.end <= block.bodyStart) {
    const value = text.slice(behind[0]?.start ?? written.start, written.end);
    return {
      ...plainly(node),
      end: written.end,
      block: { ...block, header: { start: block.header.start, end: written.end } },
      value,
      typedValue: value,
    };
  }
  if (actionsIn(actions, { start: block.bodyStart, end: node.end }).length === 0) return node;
  const body = text.slice(block.bodyStart, node.end);
  const column = /^( *)[^ \r\n]/m.exec(mask.slice(block.bodyStart, node.end))?.[1]?.length ?? 0;
  const lines = body.replaceAll('\r\n', '\n').split('\n');
  const value =
    lines.map((line) => line.slice(Math.min(column, line.search(/[^ ]|$/)))).join('\n') +
    (block.chomp === 'clip' ? '\n' : '');
  return { ...plainly(node), block: { ...block, column }, value, typedValue: value };
}

function plainly({ kind, start, end, properties, style, value, typedValue, block }: ScalarNode): ScalarNode {
  return { kind, start, end, properties, style, value, typedValue, block };
}

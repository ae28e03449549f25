// Writes a block fragment of YAML on one line within `[ ]` or `{ }`. TOML has other rules for texts: see `inlineText` of its tables.
import { Refusal } from '../../security/index.ts';
import { type Entry, isEmpty, propertiesText, type SpanNode } from '../tree/span-tree.ts';
import { endsInBrackets, endsInTag, holdsActions } from '../tree/word-ends.ts';

/** Leaves comments out, writes with `quoted` what needs quotes, and keeps tags, anchors and aliases as they are. Throws VALUE_INVALID where flow style cannot express the node. */
export function toFlowText(text: string, node: SpanNode, quoted: (value: string) => string): string {
  const properties = propertiesText(text, node).replaceAll(/\s+/g, ' ');
  if (endsInTag(node)) return `${properties} `;
  return [properties, contentOf(text, node, quoted)].filter((part) => part !== '').join(' ');
}

function contentOf(text: string, node: SpanNode, quoted: (value: string) => string): string {
  switch (node.kind) {
    case 'alias':
      return text.slice(node.start, node.end);
    case 'scalar': {
      const source = text.slice(node.start, node.end);
      const isOneLine = !source.includes('\n');
      if (isOneLine && (node.style === 'single' || node.style === 'double')) return source;
      if (holdsActions(node) && node.style === 'plain')
        throw noFlowForm('an action writes a part of it, which could end elsewhere there');
      const value = node.value;
      return node.style === 'plain' && !endsInBrackets(value)
        ? value
        : node.style === 'empty'
          ? ''
          : quoted(value);
    }
    case 'mapping': {
      if (node.style === 'flow') return text.slice(node.start, node.end);
      const pairs = node.entries.map((entry) => pairText(text, entry, quoted));
      return node.style === 'pair' ? pairs.join('') : `{${pairs.join(', ')}}`;
    }
    case 'sequence':
      if (node.style === 'flow') return text.slice(node.start, node.end);
      return `[${node.items.map((item) => itemText(text, item.value, quoted)).join(', ')}]`;
  }
}

function pairText(text: string, { key, value }: Entry, quoted: (value: string) => string): string {
  if (key.kind !== 'scalar' || isEmpty(key))
    throw noFlowForm('it has a key that is not a plain word or a string');
  const content = toFlowText(text, value, quoted);
  return `${toFlowText(text, key, quoted)}: ${content}`;
}

function itemText(text: string, value: SpanNode, quoted: (value: string) => string): string {
  const content = toFlowText(text, value, quoted);
  if (content === '') throw noFlowForm('it has an empty list item: write null');
  return content;
}

function noFlowForm(reason: string): Refusal {
  return new Refusal(
    'VALUE_INVALID',
    `Cannot write this value inside [ ] or { }: ${reason}`,
    {},
    {
      advice: ['Write the value in flow style yourself, such as {a: 1, b: [x, y]}'],
    },
  );
}

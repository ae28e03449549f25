// A block of YAML as text within brackets.
import { Refusal } from '../../security/index.ts';
import { type Entry, isEmpty, propertiesText, type ScalarNode, type SpanNode } from '../tree/span-tree.ts';
import { endsInBrackets, endsInTag, holdsActions } from '../tree/word-ends.ts';

/** Writes a text in quotes. */
type Quoted = (value: string) => string;

/** Returns the node on one line, without its comments. Throws VALUE_INVALID if it has no such form. */
export function flowText(text: string, node: SpanNode, quoted: Quoted): string {
  const properties = propertiesText(text, node).replaceAll(/\s+/g, ' ');
  if (endsInTag(node)) return `${properties} `;
  return [properties, contentText(text, node, quoted)].filter((part) => part !== '').join(' ');
}

function contentText(text: string, node: SpanNode, quoted: Quoted): string {
  const source = text.slice(node.start, node.end);
  switch (node.kind) {
    case 'alias':
      return source;
    case 'scalar':
      return scalarText(source, node, quoted);
    case 'mapping': {
      if (node.style === 'flow') return source;
      const pairs = node.entries.map((entry) => pairText(text, entry, quoted));
      return node.style === 'pair' ? pairs.join('') : `{${pairs.join(', ')}}`;
    }
    case 'sequence':
      if (node.style === 'flow') return source;
      return `[${node.items.map(({ value }) => itemText(text, value, quoted)).join(', ')}]`;
  }
}

function scalarText(source: string, node: ScalarNode, quoted: Quoted): string {
  const { style, value } = node;
  if ((style === 'single' || style === 'double') && !source.includes('\n')) return source;
  if (style === 'plain' && holdsActions(node))
    throw noForm('an action writes a part of it, which could end elsewhere there');
  if (style === 'plain' && !endsInBrackets(value)) return value;
  return style === 'empty' ? '' : quoted(value);
}

function pairText(text: string, { key, value }: Entry, quoted: Quoted): string {
  if (key.kind !== 'scalar' || isEmpty(key))
    throw noForm('it has a key that is not a plain word or a string');
  return `${flowText(text, key, quoted)}: ${flowText(text, value, quoted)}`;
}

function itemText(text: string, value: SpanNode, quoted: Quoted): string {
  const content = flowText(text, value, quoted);
  if (content === '') throw noForm('it has an empty list item: write null');
  return content;
}

function noForm(reason: string): Refusal {
  return new Refusal(
    'VALUE_INVALID',
    `Cannot write this value inside [ ] or { }: ${reason}`,
    {},
    { advice: ['Write the value in flow style yourself, such as {a: 1, b: [x, y]}'] },
  );
}

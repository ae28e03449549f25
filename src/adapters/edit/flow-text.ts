// A block of YAML as flow text, written so that YAML 1.1 readers (libyaml, PyYAML, yaml.v3) read it as all others do: they end a plain
// scalar at `?`, and read the colon of `{a:, b}` as a part of the key.
import type { Edit } from '../../security/edits/edit.ts';
import { Refusal } from '../../security/errors/refusal.ts';
import {
  type Entry,
  isCollection,
  isEmpty,
  isFlowCollection,
  partsOf,
  propertiesText,
  type ScalarNode,
  type SpanNode,
  walk,
} from '../tree/span-tree.ts';
import { endsInBrackets, endsInTag, holdsActions, isOpenKey } from '../tree/word-ends.ts';

/** Writes a text in quotes. */
type Quoted = (value: string) => string;

/** Returns the node on one line, without its comments. Throws VALUE_INVALID if that is impossible. */
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

/** Returns the edits after which all readers agree about the brackets in a node of YAML; none if they do already. */
export function strictly(text: string, root: SpanNode): readonly Edit[] {
  const edits: Edit[] = [];
  for (const node of walk(root)) {
    if (!isCollection(node) || !(isFlowCollection(node) || node.style === 'pair')) continue;
    for (const part of partsOf(node)) {
      if ('key' in part) edits.push(...quoted(part.key), ...withBlank(text, part));
      edits.push(...quoted(part.value));
    }
  }
  return edits.sort((a, b) => a.start - b.start);
}

function quoted(node: SpanNode): readonly Edit[] {
  // Quotes would turn whatever an action writes into text.
  if (node.kind !== 'scalar' || node.style !== 'plain' || holdsActions(node)) return [];
  if (!endsInBrackets(node.value)) return [];
  return [{ start: node.start, end: node.end, insert: JSON.stringify(node.value) }];
}

/** Returns an edit that puts a blank after the colon of a plain key that could be read as one word with what follows. */
function withBlank(text: string, { key, colon }: Entry): readonly Edit[] {
  if (colon === undefined || !isOpenKey(key) || !/[,[\]{}?]/.test(text[colon + 1] ?? ' ')) return [];
  return [{ start: colon + 1, end: colon + 1, insert: ' ' }];
}

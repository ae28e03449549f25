// Checks whether a second reader, which shares no code with the first, found the same data in the text.
import { TomlDate, type TomlTable, type TomlValue } from 'smol-toml';
import type { SpanNode } from '../../tree/span-tree.ts';
import { TomlScalar } from './toml-scalar.ts';

/** Returns the first node that the other reader read otherwise; undefined if both agree on everything. */
export function findDisagreement(node: SpanNode, other: TomlValue | undefined): SpanNode | undefined {
  if (other === undefined) return node;
  if (node.kind === 'sequence') {
    if (!Array.isArray(other) || other.length !== node.items.length) return node;
    return firstFound(node.items, ({ value }, i) => findDisagreement(value, other[i]));
  }
  if (node.kind === 'mapping') {
    if (!isTable(other) || Object.keys(other).length !== node.entries.length) return node;
    return firstFound(node.entries, ({ name = '', value }) =>
      Object.hasOwn(other, name) ? findDisagreement(value, other[name]) : value,
    );
  }
  return node instanceof TomlScalar && isSameScalar(node, other) ? undefined : node;
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof TomlDate);
}

function isSameScalar({ plain, parsed, value }: TomlScalar, other: TomlValue): boolean {
  // One of them reads every line break of a string as LF.
  if (plain === undefined) return typeof other === 'string' && withLf(other) === withLf(value);
  switch (plain) {
    case 'integer':
      return other === parsed;
    case 'float':
      return Object.is(other, parsed);
    case 'boolean':
      return other === parsed;
    default:
      return other instanceof TomlDate && kindOf(other) === plain;
  }
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

function kindOf(date: TomlDate): string {
  if (date.isDate()) return 'local-date';
  if (date.isTime()) return 'local-time';
  return date.isLocal() ? 'local-date-time' : 'offset-date-time';
}

function firstFound<Part>(
  parts: readonly Part[],
  find: (part: Part, index: number) => SpanNode | undefined,
): SpanNode | undefined {
  for (const [index, part] of parts.entries()) {
    const found = find(part, index);
    if (found !== undefined) return found;
  }
  return undefined;
}

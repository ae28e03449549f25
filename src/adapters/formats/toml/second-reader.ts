// The second reader of TOML, `smol-toml`, which shares no code with our own: what it reads must be the same data.
import { parse, TomlDate, TomlError, type TomlValue } from 'smol-toml';
import type { Limits } from '../../../security/index.ts';
import type { ScalarNode, SpanNode, Stream } from '../../tree/span-tree.ts';

/** True if the second reader reads the data of the stream in its text. */
export function isTomlReadAlike(text: string, { documents }: Stream, { depth }: Limits): boolean {
  const root = documents[0]?.root;
  try {
    const other = parse(text, { integersAsBigInt: true, maxDepth: depth, useLegacyDate: true });
    return root !== undefined && holds(root, other);
  } catch (error) {
    if (error instanceof TomlError) return false;
    throw error;
  }
}

function holds(node: SpanNode, other: TomlValue | undefined): boolean {
  if (node.kind === 'sequence')
    return (
      Array.isArray(other) &&
      other.length === node.items.length &&
      node.items.every(({ value }, at) => holds(value, other[at]))
    );
  if (node.kind === 'scalar') return holdsScalar(node, other);
  if (node.kind === 'alias' || typeof other !== 'object') return false;
  if (Array.isArray(other) || other instanceof TomlDate) return false;
  return (
    Object.keys(other).length === node.entries.length &&
    node.entries.every(({ name = '', value }) => Object.hasOwn(other, name) && holds(value, other[name]))
  );
}

function holdsScalar({ style, value, typedValue }: ScalarNode, other: TomlValue | undefined): boolean {
  // Readers differ in what a line break is within a text.
  if (style !== 'plain') return typeof other === 'string' && withLf(other) === withLf(value);
  switch (typeof other) {
    case 'bigint':
      return Number(other) === Number(value.replaceAll('_', ''));
    case 'number':
      return typeof typedValue === 'number' ? Object.is(other, typedValue) : !Number.isFinite(other);
    case 'boolean':
      return other === typedValue;
    default:
      return other instanceof TomlDate && typedValue === value && /^\d/.test(value);
  }
}

function withLf(text: string): string {
  return text.replaceAll('\r\n', '\n');
}

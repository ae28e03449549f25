// The second reader of TOML, `smol-toml`, which shares no code with our own: what it reads must be the same data.
import { parse, TomlDate, TomlError, type TomlValue } from 'smol-toml';
import type { Limits } from '../../../security/index.ts';
import { invalidSyntax } from '../../tree/format.ts';
import type { ScalarNode, SpanNode, Stream } from '../../tree/span-tree.ts';
import { parseToml } from './parse-toml.ts';

/** Parses as `parseToml` does. Throws SYNTAX_INVALID as well where the second reader refuses the text, or reads other data. */
export function parseTomlTwice(text: string, limits: Limits): Stream {
  const stream = parseToml(text, limits);
  const root = stream.documents[0]?.root;
  if (root === undefined || !holds(root, secondReading(text, limits)))
    throw invalid('a second reader of TOML reads it differently');
  return stream;
}

function secondReading(text: string, { depth }: Limits): TomlValue {
  try {
    return parse(text, { integersAsBigInt: true, maxDepth: depth, useLegacyDate: true });
  } catch (error) {
    throw error instanceof TomlError ? invalid('a second reader of TOML refuses it', error) : error;
  }
}

function invalid(message: string, { line, column } = { line: 1, column: 1 }) {
  return invalidSyntax('TOML', [{ code: 'SYNTAX_INVALID', message, line, column }]);
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

// TOML 1.0 and 1.1; what is written can be read as 1.0.

import { parse, TomlDate, TomlError, type TomlValue } from 'smol-toml';
import type { Limits } from '../../../security/policy/policy.ts';
import type { Format } from '../../tree/format.ts';
import type { ScalarNode, SpanNode, Stream } from '../../tree/span-tree.ts';
import { HASH_COMMENTS } from '../hash-comments.ts';
import { parseToml, readTomlFragment } from './parse-toml.ts';
import { isBareKey, writeKey, writeScalar } from './write-toml.ts';

export const TOML_FORMAT: Format = {
  name: 'TOML',
  parse: parseToml,
  reference: isTomlReadAlike,
  readFragment: readTomlFragment,
  layout: 'sections',
  comments: HASH_COMMENTS,
  hasEmptyValues: false,
  hasDialects: false,
  ownSchema,
  writeScalar,
  writeKey,
  isPlainKey: isBareKey,
};

const MAX_COMMENTS = 50;

/** The schema that a file names for itself: `#:schema …`. */
function ownSchema({ text, comments }: Stream): string | undefined {
  for (const { start, end } of comments.slice(0, MAX_COMMENTS)) {
    const named = /^#:schema\s+(\S+)/.exec(text.slice(start, Math.min(end, start + 1_024)))?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}

/** True if `smol-toml`, which shares no code with our own parser, reads the same data in the text. */
function isTomlReadAlike(text: string, { documents }: Stream, { depth }: Limits): boolean {
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

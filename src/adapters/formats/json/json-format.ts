// JSON by RFC 8259: one value, double quotes, no comments.
import { quotedText } from '../../../security/index.ts';
import type { Format } from '../../tree/format.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { parseJson } from './parse-json.ts';
import { isReadAlikeAs } from './read-json.ts';

export const JSON_FORMAT: Format = {
  name: 'JSON',
  parse: parseJson,
  reference: isReadAlikeAs('JSON'),
  layout: 'flow',
  hasEmptyValues: false,
  hasDialects: false,
  ownSchema,
  writeScalar: (value) => (typeof value === 'string' ? quotedText(value) : JSON.stringify(value)),
  writeKey: (key) => quotedText(key),
  isPlainKey: () => false,
};

/** Returns the schema that a file names for itself, as "$schema" at its top. */
function ownSchema({ documents }: Stream): string | undefined {
  const root = documents[0]?.root;
  if (root?.kind !== 'mapping') return undefined;
  const value = root.entries.find(({ name }) => name === '$schema')?.value;
  return value?.kind === 'scalar' && value.style === 'double' ? value.value : undefined;
}

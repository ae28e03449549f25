// JSON as RFC 8259 has it: one value, double quotes, no comments.
import type { Format } from '../../tree/format.ts';
import { quotedText } from '../../tree/quoted-text.ts';
import { ownSchema } from './own-schema.ts';
import { parseJson } from './parse-json.ts';

export const JSON_FORMAT: Format = {
  name: 'JSON',
  parse: parseJson,
  layout: 'flow',
  hasEmptyValues: false,
  hasDialects: false,
  ownSchema,
  writeScalar: (value) => (typeof value === 'string' ? quotedText(value) : JSON.stringify(value)),
  writeKey: (key) => quotedText(key),
  isPlainKey: () => false,
};

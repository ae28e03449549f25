// JSON with comments, and with a comma after the last entry where the file has one.
import type { Format } from '../../tree/format.ts';
import { JSON_FORMAT } from '../json/json-format.ts';
import { parseJsonc } from '../json/parse-json.ts';
import { JSONC_COMMENTS } from './jsonc-comments.ts';
import { parseReference } from './parse-reference.ts';

export const JSONC_FORMAT: Format = {
  ...JSON_FORMAT,
  name: 'JSONC',
  parse: parseJsonc,
  reference: parseReference,
  comments: JSONC_COMMENTS,
};

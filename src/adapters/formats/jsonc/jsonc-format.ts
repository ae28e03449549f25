// JSON with comments, and with a comma after the last entry where the file has one.
import type { Format } from '../../tree/format.ts';
import { JSON_FORMAT } from '../json/json-format.ts';
import { parseJsonc } from '../json/parse-json.ts';
import { isReadAlikeAs } from '../json/read-json.ts';
import { JSONC_COMMENTS } from './jsonc-comments.ts';

export const JSONC_FORMAT: Format = {
  ...JSON_FORMAT,
  name: 'JSONC',
  parse: parseJsonc,
  reference: isReadAlikeAs('JSONC'),
  comments: JSONC_COMMENTS,
};

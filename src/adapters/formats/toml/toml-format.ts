// TOML 1.0 and 1.1; what is written can be read as 1.0.
import type { Format } from '../../tree/format.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { HASH_COMMENTS } from '../hash-comments.ts';
import { parseToml, readTomlFragment } from './parse-toml.ts';
import { isTomlReadAlike } from './second-reader.ts';
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

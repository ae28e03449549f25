// The formats that can be read and edited. A format is a folder, a line here, and one for each of its extensions.
import { Refusal, type SafePath } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import { EXTENSIONS, FORMAT_NAMES } from './extensions.ts';
import { JSON_FORMAT } from './json/json-format.ts';
import { withCache } from './parse-cache.ts';
import { YAML_FORMAT } from './yaml/yaml-format.ts';

export const FORMATS = {
  yaml: withCache(YAML_FORMAT),
  json: withCache(JSON_FORMAT),
} as const;

/** Throws UNSUPPORTED_FORMAT. */
export function formatOf(path: SafePath): Format {
  const name = FORMAT_NAMES.get(path.extension);
  if (name !== undefined) return FORMATS[name];
  const known = EXTENSIONS.map((extension) => `.${extension}`).join(', ');
  throw new Refusal('UNSUPPORTED_FORMAT', `Cannot read ${path}: only ${known} files can be read and edited`, {
    file: path.toString(),
  });
}

/** What counts the documents of a file's text without parsing it; undefined where each file holds one. */
export function documentCounter(path: SafePath): Format['countDocuments'] {
  return FORMATS[FORMAT_NAMES.get(path.extension) ?? 'yaml'].countDocuments;
}

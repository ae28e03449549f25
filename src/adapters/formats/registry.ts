// The formats that can be read and edited. A format is a folder and a line here.
import { Refusal, type SafePath } from '../../security/index.ts';
import type { Format } from '../tree/format.ts';
import { JSON_FORMAT } from './json/json-format.ts';
import { withCache } from './parse-cache.ts';
import { YAML_FORMAT } from './yaml/yaml-format.ts';

export const FORMATS = {
  yaml: withCache(YAML_FORMAT),
  json: withCache(JSON_FORMAT),
} as const;

const BY_EXTENSION: ReadonlyMap<string, Format> = new Map(
  Object.values(FORMATS).flatMap((format) => format.extensions.map((extension) => [extension, format])),
);

/** Of the files that can be read and edited, lower-case and without the dot. */
export const EXTENSIONS: readonly string[] = [...BY_EXTENSION.keys()];

/** The files that exist for an agent unless the operator says otherwise. */
export const DEFAULT_ALLOW: readonly string[] = [`**/*.{${EXTENSIONS.join(',')}}`];

/** Throws UNSUPPORTED_FORMAT. */
export function formatOf(path: SafePath): Format {
  const format = BY_EXTENSION.get(path.extension);
  if (format !== undefined) return format;
  const known = EXTENSIONS.map((extension) => `.${extension}`).join(', ');
  throw new Refusal('UNSUPPORTED_FORMAT', `Cannot read ${path}: only ${known} files can be read and edited`, {
    file: path.toString(),
  });
}

/** What counts the documents of a file's text without parsing it; undefined where each file holds one. */
export function documentCounter(path: SafePath): Format['countDocuments'] {
  return (BY_EXTENSION.get(path.extension) ?? FORMATS.yaml).countDocuments;
}

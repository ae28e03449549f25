// YAML 1.2, and 1.1 where it reads the same. It is parsed by the scan where that is sure, and by `yaml` elsewhere.
import type { Limits } from '../../../security/index.ts';
import type { Format } from '../../tree/format.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { requireParsable } from '../../tree/wording.ts';
import { HASH_COMMENTS } from '../hash-comments.ts';
import { parseUnusual, parseWithYaml } from './parse-unusual.ts';
import { type Scanned, scanYaml } from './scan/scan-yaml.ts';
import { isPlainSafe, writeKey, writeScalar } from './write-scalar.ts';

export const YAML_FORMAT: Format = {
  name: 'YAML',
  parse: parseYaml,
  reference: parseWithYaml,
  hasDocuments: true,
  layout: 'block',
  comments: HASH_COMMENTS,
  hasEmptyValues: true,
  mergeKey: '<<',
  hasDialects: true,
  ownSchema,
  writeScalar,
  writeKey,
  isPlainKey: isPlainSafe,
};

const MAX_COMMENTS = 50;

/** The schema that a file names for itself: `# yaml-language-server: $schema=…`. */
function ownSchema({ text, comments }: Stream): string | undefined {
  for (const { start, end } of comments.slice(0, MAX_COMMENTS)) {
    const comment = text.slice(start, Math.min(end, start + 1_024));
    const named = /^#\s*yaml-language-server:\s*\$schema=(\S+)/.exec(comment)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}

/** Reads a text of a size that was checked, by the scan alone; undefined if that is not sure. */
export function scanWhereSure(...given: Parameters<typeof parseYaml>): Stream | undefined {
  const scanned = scan(...given);
  return 'stream' in scanned ? scanned.stream : undefined;
}

const UNINDENTED = { fallback: 'indentation', at: 0 } as const;

/** Parses a text. Throws SYNTAX_INVALID with all problems, or LIMIT_EXCEEDED. `tagHandles` holds prefixes that are declared outside of the text. */
export function parseYaml(text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>): Stream {
  requireParsable(text, limits);
  const scanned = scan(text, limits, tagHandles);
  return 'stream' in scanned ? scanned.stream : parseUnusual(text, limits, scanned, tagHandles);
}

function scan(text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>): Scanned {
  const scanned = scanYaml(text, limits);
  // A new value has to keep to the standard, other than the existing text.
  const isStrict = tagHandles !== undefined;
  return isStrict && 'stream' in scanned && scanned.stream.unindented !== undefined ? UNINDENTED : scanned;
}

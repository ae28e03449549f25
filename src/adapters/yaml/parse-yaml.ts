// A YAML text to its span tree: by the scan where it is sure, by `yaml` where it hands over.
import type { Edit, Limits } from '../../security/index.ts';
import { requireParsable } from '../limit.ts';
import { shareLines } from '../tree/line-index.ts';
import type { Stream } from '../tree/span-tree.ts';
import { parseHandedOver } from './handed-over.ts';
import { rescan } from './scan/rescan.ts';
import { scanYaml } from './scan/scan-yaml.ts';

/** Throws YAML_INVALID with all problems, or YAML_LIMIT. `tagHandles`: prefixes declared outside the text. */
export function parseYaml(text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>): Stream {
  requireParsable(text, limits);
  const scanned = scanYaml(text, limits);
  if ('stream' in scanned) return scanned.stream;
  return parseHandedOver(text, limits, scanned, tagHandles);
}

/** The same for a text that `edits` made of the one before: by scanning what they touched, where that is enough. */
export function parseEditedYaml(
  before: Stream,
  edits: readonly Edit[],
  after: string,
  limits: Limits,
): Stream {
  requireParsable(after, limits);
  const from = Math.min(...edits.map(({ start }) => start));
  const to = Math.max(...edits.map(({ end }) => end));
  const stream = rescan(before, after, { from, to }, limits) ?? parseYaml(after, limits);
  shareLines(before, stream, { start: from, end: to });
  return stream;
}

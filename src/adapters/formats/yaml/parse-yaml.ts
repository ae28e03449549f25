// A YAML text to its span tree: by the scan where it is sure, by `yaml` elsewhere.
import type { Limits } from '../../../security/index.ts';
import { requireParsable } from '../../tree/limit.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { parseUnusual } from './parse-unusual.ts';
import { scanYaml } from './scan/scan-yaml.ts';

/** Throws YAML_INVALID with all problems, or YAML_LIMIT. `tagHandles`: prefixes declared outside the text. */
export function parseYaml(text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>): Stream {
  requireParsable(text, limits);
  const scanned = scanYaml(text, limits);
  if ('stream' in scanned) return scanned.stream;
  return parseUnusual(text, limits, scanned, tagHandles);
}

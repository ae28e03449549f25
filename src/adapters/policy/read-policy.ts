// The operator's policy file (YAML or JSON), read into rules; what is wrong with it is said with its line.
import {
  type ChangePolicy,
  DEFAULT_LIMITS,
  loadEngines,
  type PathStep,
  PolicyFault,
  readChangePolicy,
  StartError,
} from '../../security/index.ts';
import { parseYaml } from '../formats/yaml/yaml-format.ts';
import { nodeAt } from '../tree/locate.ts';
import { indexSegment, keySegment, type NodePath, printNodePath } from '../tree/node-path.ts';
import { parsePath } from '../tree/path-syntax.ts';
import { readPlainValue } from '../values/plain-value.ts';

/** Throws StartError for a policy that cannot be trusted, and a Refusal for what is no YAML or JSON. */
export async function readPolicy(text: string): Promise<ChangePolicy> {
  const value = readPlainValue(text);
  await loadEngines(value);
  try {
    return readChangePolicy(value, wordsOf);
  } catch (error) {
    if (!(error instanceof PolicyFault)) throw error;
    const path = error.at.map((part) => (typeof part === 'number' ? indexSegment(part) : keySegment(part)));
    throw new StartError(`line ${lineOf(text, path)}${placeOf(path)}: ${error.message}`);
  }
}

/** Throws NODE_PATH_INVALID. */
function wordsOf(text: string): readonly PathStep[] {
  const words = parsePath(text);
  // A rule is for all data, also where a key stands twice.
  if (words.some((word) => word.kind === 'key' && word.occurrence !== undefined))
    throw new Error(`${text}: leave out [#…]; a rule holds for each of several keys of one name`);
  return words.map(({ end: _, ...word }) => word);
}

function placeOf(path: NodePath): string {
  return path.length === 0 ? '' : `, ${printNodePath(path)}`;
}

/** Of the node, or of the nearest one above it that stands in the text itself. */
function lineOf(text: string, path: NodePath): number {
  const { documents, lines } = parseYaml(text, DEFAULT_LIMITS);
  const depths = Array.from({ length: path.length + 1 }, (_, cut) => path.slice(0, path.length - cut));
  const node = depths.map((some) => nodeAt(documents[0]?.root, some)).find((found) => found !== undefined);
  return lines.at(node?.start ?? 0);
}

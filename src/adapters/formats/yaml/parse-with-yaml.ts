// A YAML text to its span tree from the tokens of `yaml`, or a refusal that lists every syntax error.
// The scan is held to it node by node; what the scan does not know is read here, and so is what must be
// proven by a reader that shares no code with it.
import type { Limits } from '../../../security/index.ts';
import { invalidSyntax } from '../../tree/format.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { buildTree } from './build-tree.ts';
import { readTokens } from './read-tokens.ts';
import { findSyntaxProblems } from './syntax-problems.ts';

/** Throws YAML_INVALID with all problems, or YAML_LIMIT. `tagHandles`: prefixes declared outside the text. */
export function parseWithYaml(
  text: string,
  limits: Limits,
  tagHandles?: ReadonlyMap<string, string>,
): Stream {
  const tokens = readTokens(text, limits);
  const problems = findSyntaxProblems(text, tokens, tagHandles);
  if (problems.length > 0) throw invalidSyntax('YAML', problems);
  return buildTree(text, tokens);
}

// Parses what the scan is not sure about by `yaml`, which takes a hundred times as long and many times the memory, and cannot
// be interrupted while it composes: so it gets fewer tokens.
import { type Limits, Refusal } from '../../../security/index.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { lineAndColumns } from '../../tree/lines.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { buildTree } from './build-tree.ts';
import { readTokens } from './read-tokens.ts';
import type { FallbackReason } from './scan/fallback.ts';
import { findSyntaxProblems } from './syntax-problems.ts';

/**
 * The usual most tokens: about half a megabyte of real configuration, and a second's work where each token costs most. There
 * may be more where the operator allows more than by default, but never more than a text may have at all.
 */
const USUAL_TOKENS = 200_000;

interface Met {
  readonly fallback: FallbackReason;
  readonly at: number;
}

/** Parses the text. Throws SYNTAX_INVALID with all problems, or LIMIT_EXCEEDED, which tells where the scan stopped if that is the reason. */
export function parseUnusual(
  text: string,
  limits: Limits,
  met: Met,
  tagHandles?: ReadonlyMap<string, string>,
): Stream {
  const usual = Math.min(limits.tokens, Math.max(USUAL_TOKENS, limits.tokens / 10));
  const tokens = Math.min(limits.tokens, limits.referenceTokens ?? usual);
  try {
    return parseWithYaml(text, { ...limits, tokens, referenceLines: Math.max(usual, tokens) }, tagHandles);
  } catch (error) {
    const isForWant = error instanceof Refusal && error.clues.limit?.allowed === tokens;
    throw isForWant && tokens < limits.tokens ? tooUnusual(text, met, tokens) : error;
  }
}

function tooUnusual(text: string, { fallback, at }: Met, allowed: number): Refusal {
  const [{ line } = { line: 1 }] = lineAndColumns(text, [at]);
  const isNearLimit = fallback === 'limit';
  const subject = isNearLimit
    ? `it comes near a limit of tokens, aliases, documents or nesting by line ${line}`
    : `it is invalid or unusual about line ${line} (${fallback})`;
  const name = 'number of tokens of a file that only the slower parser reads';
  return new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot read this file: ${subject}, and so its number of tokens exceeds the limit of ${allowed}, which holds for such a file`,
    { line },
    {
      limit: { name, allowed, unit: 'tokens' },
      advice: [
        isNearLimit
          ? 'Look at its limits with list_capabilities, and use a smaller file'
          : `Have a person look at line ${line}: usual YAML of this size is read`,
        'Or split the file, or ask the operator to raise --max-tokens: a tenth of it is for such a file',
      ],
    },
  );
}

/**
 * The span tree from the tokens of `yaml`, which shares no code with the scan: the scan is held to it node by node.
 * Throws SYNTAX_INVALID with all problems, or LIMIT_EXCEEDED. `tagHandles`: prefixes declared outside the text.
 */
export function parseWithYaml(
  text: string,
  limits: Limits,
  tagHandles?: ReadonlyMap<string, string>,
): Stream {
  const tokens = readTokens(text, limits);
  const problems = findSyntaxProblems(text, tokens, tagHandles, limits.syntaxProblems);
  if (problems.length > 0) throw invalidSyntax('YAML', problems);
  return buildTree(text, tokens);
}

// Matches a whole text against a pattern of literals, `*` (any run) and `?` (one character). Never a
// regular expression: the pattern comes from a request. At most pattern length × text length steps.
import { Refusal } from '../../security/index.ts';

const MAX_PATTERN_LENGTH = 256;

/** Without a wildcard: equality. Throws ARGUMENT_INVALID for a pattern over 256 characters. */
export function compileWildcard(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot use this pattern: it is longer than ${MAX_PATTERN_LENGTH} characters`,
    );
  }
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  const parts = pattern.replaceAll(/\*+/g, '*');
  return (text) => matches(parts, text);
}

/** Where a match fails, it goes back to the last `*` only: earlier ones have taken as little as they can. */
function matches(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let resume = 0;
  while (inText < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === '*') {
      star = inPattern;
      resume = inText;
      inPattern += 1;
    } else if (wanted === '?' || wanted === text[inText]) {
      inPattern += 1;
      inText += 1;
    } else if (star !== -1) {
      inPattern = star + 1;
      resume += 1;
      inText = resume;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}

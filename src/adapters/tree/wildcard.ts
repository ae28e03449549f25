// Compiles patterns of a search: `*` is any run of characters, `?` is one, and everything else is itself. It uses no regular
// expression: a pattern comes from a request, and takes at most its length times that of the text in steps.
import { Refusal } from '../../security/index.ts';

const MAX_PATTERN_LENGTH = 256;

/** Compiles a pattern for the whole text; without `*` and `?` it is equality. Throws ARGUMENT_INVALID for one over 256 characters. */
export function compileWildcard(pattern: string): (text: string) => boolean {
  requireShort(pattern);
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  const parts = pattern.replaceAll(/\*+/g, '*');
  return (text) => matches(parts, text);
}

/** Compiles a pattern for any part of the text. */
export function compilePart(pattern: string): (text: string) => boolean {
  requireShort(pattern);
  if (!/[*?]/.test(pattern)) return (text) => text.includes(pattern);
  const parts = `*${pattern}*`.replaceAll(/\*+/g, '*');
  return (text) => matches(parts, text);
}

function requireShort(pattern: string): void {
  if (pattern.length <= MAX_PATTERN_LENGTH) return;
  throw new Refusal(
    'ARGUMENT_INVALID',
    `Cannot use this pattern: it is longer than ${MAX_PATTERN_LENGTH} characters`,
  );
}

/** Matches a text. Where that fails, it goes back to the last `*` only, because earlier ones have taken as little as they can. */
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

// Bounds the cost of a TOML text in one pass before any parser sees it. Both parsers overflow the stack on very deep nesting or
// very long words, and take time and memory for each token.
import type { Limits } from '../../../security/index.ts';
import { requireAtMost, requireParsable } from '../../tree/wording.ts';

/**
 * The usual most tokens: about a megabyte of real configuration, and less than a second's work. There may be more where the
 * operator allows more than by default.
 */
const USUAL_TOKENS = 200_000;
/** The most characters of one string, number or word, because a parser passes each of them as an argument of one call. */
const MAX_WORD_CHARS = 50_000;

const PUNCTUATION = '[]{}=,.';

/** Throws LIMIT_EXCEEDED. In an invalid text it may count wrongly; the parsers then end at the first error. */
export function requireBounded(text: string, limits: Limits): void {
  requireParsable(text, limits);
  const most = Math.min(limits.tokens, Math.max(USUAL_TOKENS, limits.tokens / 10));
  let [tokens, depth, dots] = [0, 0, 0];
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (' \t\r\n'.includes(char)) {
      if (char === '\n') dots = 0;
      at += 1;
      continue;
    }
    tokens += 1;
    requireAtMost(most, tokens, 'number of tokens', 'tokens');
    const end = endOfToken(text, at, char);
    if (char !== '#') requireAtMost(MAX_WORD_CHARS, end - at, 'longest string', 'characters');
    if (char === '[' || char === '{') depth += 1;
    if (char === ']' || char === '}') depth = Math.max(depth - 1, 0);
    if (char === '.') dots += 1;
    else if ('=,[{'.includes(char)) dots = 0;
    requireAtMost(limits.depth, Math.max(depth, dots), 'nesting', 'levels');
    at = end;
  }
}

function endOfToken(text: string, at: number, char: string): number {
  if (char === '#') return orEnd(text, text.indexOf('\n', at));
  if (char === '"' || char === "'") return endOfString(text, at, char);
  if (PUNCTUATION.includes(char)) return at + 1;
  let end = at + 1;
  while (end < text.length && !` \t\r\n#"'${PUNCTUATION}`.includes(text.charAt(end))) end += 1;
  return end;
}

/** Returns the end of a string; of three quotes, up to two more may be before those that close it. */
function endOfString(text: string, start: number, quote: string): number {
  const isLong = text.startsWith(quote.repeat(3), start);
  const close = isLong ? quote.repeat(3) : quote;
  for (let at = start + close.length; at < text.length; at++) {
    const char = text.charAt(at);
    if (char === '\\' && quote === '"') at += 1;
    else if (char === '\n' && !isLong) return at;
    else if (text.startsWith(close, at)) return isLong ? at + 3 : at + 1;
  }
  return text.length;
}

function orEnd(text: string, at: number): number {
  return at === -1 ? text.length : at;
}

// Recognises placeholders of secrets: `<secret:7k2m9xq4>`, with `<secret:more>` on each further line of the secret.

/** Eight letters are 40 bits: two secrets of one file hardly ever look equal. */
export const PLACEHOLDER_LETTERS = 8;

const BEGIN = '<secret:';

export const PLACEHOLDER_LENGTH = BEGIN.length + PLACEHOLDER_LETTERS + 1;

const LETTERS = `[0-9a-hj-km-np-tv-z]{${PLACEHOLDER_LETTERS}}`;

/** Stands on each line of a secret but the first. */
export const FURTHER_LINE = `${BEGIN}more>`;

/** Matches what stands for one line of a secret. */
export const PLACEHOLDER_LINES = new RegExp(`${BEGIN}${LETTERS}>|${FURTHER_LINE}`, 'gu');

/**
 * Matches placeholders with all their lines, without quotes. If the format needs quotes around one, they are part of the text around
 * it. A line may begin with the mark of a comment.
 */
export const PLACEHOLDERS = new RegExp(
  `${BEGIN}${LETTERS}>(?:\\r?\\n[ \\t#;/]*${FURTHER_LINE})*|${FURTHER_LINE}`,
  'gu',
);

/** Returns the first line of a placeholder; undefined if the text is anything else. */
export function firstLineOf(text: string): string | undefined {
  const isAll = text.match(PLACEHOLDERS)?.[0] === text && text !== FURTHER_LINE;
  return isAll ? text.slice(0, PLACEHOLDER_LENGTH) : undefined;
}

/** True if the span holds a part of one line of a placeholder, and not all of it. */
export function cutsPlaceholder(
  text: string,
  span: { readonly start: number; readonly end: number },
): boolean {
  const from = Math.max(span.start - PLACEHOLDER_LENGTH, 0);
  const matches = text.slice(from, span.end + PLACEHOLDER_LENGTH).matchAll(PLACEHOLDER_LINES);
  return [...matches].some(({ 0: line, index }) => {
    const [start, end] = [from + index, from + index + line.length];
    const isMet = start < span.end && span.start < end;
    return isMet && (start < span.start || span.end < end);
  });
}

/** Returns the text with null characters in place of each placeholder, so that a search does not find the letters of one. */
export function outsidePlaceholders(text: string): string {
  return text.replaceAll(PLACEHOLDER_LINES, (line) => '\0'.repeat(line.length));
}

/** True if any text or key in a value of a request holds a placeholder. */
export function holdsPlaceholder(value: unknown): boolean {
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next === 'string' && next.includes(BEGIN) && next.search(PLACEHOLDER_LINES) !== -1)
      return true;
    if (typeof next === 'object' && next !== null)
      for (const [key, member] of Object.entries(next)) ahead.push(key, member);
  }
  return false;
}

// Recognises placeholders of secrets: `<secret:7k2m9xq4>`.

/** Eight letters are 40 bits: two secrets of one file hardly ever look equal. */
export const PLACEHOLDER_LETTERS = 8;

const BEGIN = '<secret:';

export const PLACEHOLDER_LENGTH = BEGIN.length + PLACEHOLDER_LETTERS + 1;

const LETTERS = `[0-9a-hj-km-np-tv-z]{${PLACEHOLDER_LETTERS}}`;

/** Matches placeholders without quotes. If the format needs quotes around one, they are part of the text around it. */
export const PLACEHOLDERS = new RegExp(`${BEGIN}${LETTERS}>`, 'gu');

export function isPlaceholder(text: string): boolean {
  return text.length === PLACEHOLDER_LENGTH && text.search(PLACEHOLDERS) === 0;
}

/** True where the span holds a part of a placeholder, and not all of it. */
export function cutsPlaceholder(
  text: string,
  span: { readonly start: number; readonly end: number },
): boolean {
  const from = Math.max(span.start - PLACEHOLDER_LENGTH, 0);
  const matches = text.slice(from, span.end + PLACEHOLDER_LENGTH).matchAll(PLACEHOLDERS);
  return [...matches].some(({ index }) => {
    const [start, end] = [from + index, from + index + PLACEHOLDER_LENGTH];
    const isMet = start < span.end && span.start < end;
    return isMet && (start < span.start || span.end < end);
  });
}

/** True where any text or key in a value of a request holds a placeholder. */
export function holdsPlaceholder(value: unknown): boolean {
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next === 'string' && next.includes(BEGIN) && next.search(PLACEHOLDERS) !== -1) return true;
    if (typeof next === 'object' && next !== null)
      for (const [key, member] of Object.entries(next)) ahead.push(key, member);
  }
  return false;
}

// Finds where a value on a line ends, and whether it goes on below.
import type { Part } from './references.ts';

/** Returns the span without blanks, quotes and a comma around it. */
export function trimmed(text: string, from: number, to: number): Part {
  let [start, end] = [from, to];
  while (start < end && /[\s"']/u.test(text[start] ?? '')) start += 1;
  while (end > start && /[\s"',]/u.test(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

/** Returns the span of a value, without a comment behind its closing quote. */
export function valueIn(text: string, at: number, end: number): Part {
  const value = trimmed(text, at, end);
  const quote = text.charAt(value.start - 1);
  const close =
    /["']/u.test(quote) && value.start > at ? text.slice(value.start, value.end).indexOf(quote) : -1;
  const rest = text.slice(value.start + close + 1, value.end);
  return close !== -1 && /^[,;]?\s*(?:\/\/|#)/u.test(rest) ? { ...value, end: value.start + close } : value;
}

/** Returns the quote of a value that is closed on a later line only. */
export function openQuote(text: string, at: number, end: number): string | undefined {
  const line = text.slice(at, end);
  const [all = '', quote = ''] = /^\s*(["'`])(?!\$[({])/u.exec(line) ?? [];
  const isOpen = quote !== '' && !line.slice(all.length).includes(quote) && text.includes(quote, end);
  return isOpen ? quote : undefined;
}

/** True for a line that ends in a backslash which is not escaped itself. */
export function isContinued(text: string, at: number, end: number): boolean {
  const last = text[end - 1] === '\r' ? end - 1 : end;
  let from = last;
  while (from > at && text[from - 1] === '\\') from -= 1;
  return (last - from) % 2 === 1;
}

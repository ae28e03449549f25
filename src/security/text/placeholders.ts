// How what stands in the place of a secret is recognised: `<secret:7k2m9xq4>`.

/** 40 bits: two secrets of one file hardly ever look equal, and where they would, nothing is carried over. */
export const PLACEHOLDER_LETTERS = 8;

const LETTERS = `[0-9a-hj-km-np-tv-z]{${PLACEHOLDER_LETTERS}}`;

/** One that stands for a secret without quotes in a format that needs some has quotes of its own. */
export const PLACEHOLDERS = new RegExp(`<secret:${LETTERS}>`, 'gu');

/** Whether a value of a request holds one, in whatever text or key. */
export function holdsPlaceholder(value: unknown): boolean {
  const ahead: unknown[] = [value];
  while (ahead.length > 0) {
    const next = ahead.pop();
    if (typeof next === 'string' && next.search(PLACEHOLDERS) !== -1) return true;
    if (typeof next === 'object' && next !== null)
      for (const [key, member] of Object.entries(next)) ahead.push(key, member);
  }
  return false;
}

// What was found in a text, written into the text: «secret», and ‹ where begins what tells that it is one. So that a row of a
// table is the text as a reader sees it, and says what is found in it and nothing else.
import type { FoundSecret } from '../../../src/security/index.ts';

export function unmarked(text: string): string {
  return text.replaceAll(/[‹«»]/gu, '');
}

/** Those that are found twice are written once. */
export function marked(text: string, found: readonly Pick<FoundSecret, 'from' | 'start' | 'end'>[]): string {
  const marks = found.flatMap(({ from, start, end }): [number, string][] => [
    ...(from === start ? [] : [[from, '‹'] satisfies [number, string]]),
    ...(start === end
      ? [[start, '«»'] satisfies [number, string]]
      : [[start, '«'] satisfies [number, string], [end, '»'] satisfies [number, string]]),
  ]);
  if (found.some(({ start, end }) => start > end || end > text.length)) return 'out of the text';
  const once = new Map(marks.map(([at, mark]) => [`${at}${mark}`, [at, mark] as const]));
  const order = ['»', '‹', '«»', '«'];
  return [...once.values()]
    .sort(([a, one], [b, other]) => b - a || order.indexOf(other) - order.indexOf(one))
    .reduce((shown, [at, mark]) => shown.slice(0, at) + mark + shown.slice(at), text);
}

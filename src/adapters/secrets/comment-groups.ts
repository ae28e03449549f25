// Joins comments on successive lines of their own to one text, because what is commented out there belongs together.
import type { Span } from '../tree/span-tree.ts';

/** Returns the groups; `comments` are ascending. */
export function groupsOf(comments: readonly Span[], text: string): readonly Span[] {
  const groups: Span[] = [];
  let wasAlone = false;
  for (const { start, end } of comments) {
    const isAlone = standsAlone(text, start);
    const last = groups.at(-1);
    if (isAlone && wasAlone && last !== undefined && isBreak(text, last.end, start))
      groups[groups.length - 1] = { start: last.start, end };
    else groups.push({ start, end });
    wasAlone = isAlone;
  }
  return groups;
}

/** True if the comment has its line alone. */
function standsAlone(text: string, start: number): boolean {
  const first = text[start];
  if (first !== '#' && !(first === '/' && text[start + 1] === '/')) return false;
  let at = start - 1;
  while (text[at] === ' ' || text[at] === '\t') at -= 1;
  return at < 0 || text[at] === '\n';
}

/** True if only blanks and one line break are between. */
function isBreak(text: string, from: number, to: number): boolean {
  let breaks = 0;
  for (let at = from; at < to; at += 1) {
    const letter = text[at];
    if (letter === '\n') breaks += 1;
    else if (letter !== ' ' && letter !== '\t' && letter !== '\r') return false;
    if (breaks > 1) return false;
  }
  return true;
}

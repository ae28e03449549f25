// How much of a list, and of a text in it, goes into a reply: a file may hold any number of keys and comments, each of
// any length, and none of that makes a reply longer than the operator allows.
import { cutText } from '../adapters/index.ts';

const MAX_SENTENCE = 1_000;
/** Longer node paths are not taken as an argument either. */
const MAX_PATH = 4_096;
const MAX_CUT_PATH = 200;

export interface Budget {
  readonly most: number;
  readonly chars: number;
}

/** The first items that the budget holds; at least one, if there is one, so that repeated calls come to an end. */
export function takeWithinBudget<Item>(
  items: readonly Item[],
  { most, chars }: Budget,
  lengthOf: (item: Item) => number,
): Item[] {
  let left = chars;
  const end = items.slice(0, most).findIndex((item, index) => {
    left -= lengthOf(item);
    return left < 0 && index > 0;
  });
  return items.slice(0, end === -1 ? most : end);
}

export function cutSentence(text: string): string {
  return cutText(text, MAX_SENTENCE);
}

export function cutPath(path: string): string {
  return path.length <= MAX_PATH ? path : cutText(path, MAX_CUT_PATH);
}

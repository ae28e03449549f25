// Matches patterns: of names, values and texts, and of files in requests. If a step does not match, only the last "many" step
// takes one more item, because the earlier ones have taken as few as they can. So there are at most steps × items comparisons.

/** True if the steps cover all items, and a "many" step takes any number of them. Texts are sequences of UTF-16 units. */
function matchesSequence<Step, Item>(
  steps: ArrayLike<Step>,
  items: ArrayLike<Item>,
  isMany: (step: Step) => boolean,
  fits: (step: Step, item: Item) => boolean,
): boolean {
  let [at, next, many, resume] = [0, 0, -1, 0];
  while (next < items.length) {
    const [step, item] = [steps[at], items[next]];
    if (step !== undefined && isMany(step)) {
      many = at;
      resume = next;
      at += 1;
    } else if (step !== undefined && item !== undefined && fits(step, item)) {
      at += 1;
      next += 1;
    } else if (many !== -1) {
      resume += 1;
      next = resume;
      at = many + 1;
    } else return false;
  }
  for (let step = steps[at]; step !== undefined && isMany(step); step = steps[at]) at += 1;
  return at === steps.length;
}

/** Matches a name or a value: `*` is any run of characters, `?` is one character, and a backslash escapes a character. */
export function matchesWildcard(pattern: ArrayLike<string>, text: ArrayLike<string>): boolean {
  return matchesSequence(pattern, text, isStar, matchesLetter);
}

/** Matches a text of an operator's rule: `*` is any run of characters, and every other one is itself. */
export function matchesStars(pattern: string, text: string): boolean {
  return matchesSequence(pattern, text, isStar, (wanted, letter) => wanted === letter);
}

function isStar(letter: string): boolean {
  return letter === '*';
}

function matchesLetter(wanted: string, letter: string): boolean {
  return wanted === '?' || wanted === letter || (wanted.length === 2 && wanted[1] === letter);
}

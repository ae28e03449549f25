// What stands in a text, found by where it begins.

/** Index of the first that begins at `offset` or later; `spans` are in the order of the text. */
export function firstFrom(spans: readonly { readonly start: number }[], offset: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

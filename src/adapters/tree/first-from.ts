// Finds spans in a text by their starts.

/** Returns the index of the first span that begins at `offset` or later; `spans` are in the order of the text. */
export function firstFrom(spans: readonly { readonly start: number }[], offset: number): number {
  let [low, high] = [0, spans.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle]?.start ?? 0) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

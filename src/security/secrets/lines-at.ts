// Finds the lines of a text that hold given offsets, each line once.

export interface LineAt {
  readonly start: number;
  /** The end of the line, before its line break. */
  readonly end: number;
  /** The end of the line below it. */
  readonly next: number;
}

/** Answers the lines. `places` are ascending offsets. */
export function linesAt(text: string, places: readonly number[]): readonly LineAt[] {
  const lines: LineAt[] = [];
  let last = -1;
  for (const place of places) {
    if (place <= last) continue;
    const end = endOfLine(text, place);
    lines.push({ start: text.lastIndexOf('\n', place - 1) + 1, end, next: endOfLine(text, end + 1) });
    last = end;
  }
  return lines;
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}

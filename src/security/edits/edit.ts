// The one shape of a change: spans of the unchanged source and what stands there afterwards.

/** Offsets are UTF-16 units of the source text, `end` exclusive; `insert` replaces what lies between. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly insert: string;
}

/** One path whose data differs after the edit, in the words of the wire contract. `from` and `to` are source slices. */
export interface Change {
  readonly op: 'add' | 'replace' | 'remove' | 'rename' | 'comment';
  readonly doc: number;
  readonly path: string;
  readonly from?: string;
  readonly to?: string;
  readonly line: number;
}

/** The edits in ascending order; throws a plain Error (a bug of the planner) where they overlap or leave the text. */
export function inOrder(edits: readonly Edit[], textLength: number): readonly Edit[] {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let previousEnd = 0;
  for (const edit of sorted) {
    if (edit.start < previousEnd || edit.end < edit.start || edit.end > textLength) {
      throw new Error(`edits overlap or leave the text at ${edit.start}`);
    }
    previousEnd = edit.end;
  }
  return sorted;
}

/** The text with every edit carried out; everything outside the spans is copied as it is. */
export function splice(text: string, edits: readonly Edit[]): string {
  let result = '';
  let from = 0;
  for (const edit of inOrder(edits, text.length)) {
    result += text.slice(from, edit.start) + edit.insert;
    from = edit.end;
  }
  return result + text.slice(from);
}

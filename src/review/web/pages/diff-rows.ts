// A unified diff → its rows, with the words that differ. The reading is the work of `diff`; that nothing of the
// text is lost on the way is looked at here, row by row.
import { diffArrays, parsePatch } from 'diff';

export interface DiffRow {
  readonly kind: 'same' | 'cut' | 'add' | 'hunk' | 'end';
  readonly text: string;
  /** The same text in pieces, where some of it differs from the line that it replaces or becomes. */
  readonly pieces: readonly Piece[];
  readonly oldLine?: number;
  readonly newLine?: number;
}

export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

const LONGEST_COMPARED = 1_000;

/** Undefined where the rows would not be the diff, whole: then it is to be shown as it stands. */
export function diffRows(diff: string): readonly DiffRow[] | undefined {
  const [patch, ...others] = parsed(diff);
  if (patch === undefined || others.length > 0) return undefined;
  const rows = patch.hunks.flatMap((hunk) => {
    const head = `@@ -${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)} @@`;
    let oldLine = hunk.oldStart;
    let newLine = hunk.newStart;
    const lines = hunk.lines.map((line): DiffRow => {
      const text = line.slice(1);
      const plain = { text, pieces: [{ text, isChanged: false }] };
      if (line.startsWith('-')) return { kind: 'cut', ...plain, oldLine: oldLine++ };
      if (line.startsWith('+')) return { kind: 'add', ...plain, newLine: newLine++ };
      if (line.startsWith('\\')) return { kind: 'end', ...plain };
      return { kind: 'same', ...plain, oldLine: oldLine++, newLine: newLine++ };
    });
    return [{ kind: 'hunk', text: head, pieces: [] } as const, ...withWords(lines)];
  });
  const [name, newName] = diff.split('\n', 2);
  return `${name}\n${newName}\n${rows.map(lineOf).join('')}` === diff ? rows : undefined;
}

function parsed(diff: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(diff);
  } catch {
    return [];
  }
}

const SIGNS = { same: ' ', cut: '-', add: '+', hunk: '', end: '\\' } as const;

function lineOf({ kind, text, pieces }: DiffRow): string {
  return `${SIGNS[kind]}${kind === 'hunk' ? text : pieces.map((piece) => piece.text).join('')}\n`;
}

function range(start: number, lines: number): string {
  // `diff` counts an empty side from the line after it.
  const first = lines === 0 ? start - 1 : start;
  return lines === 1 ? `${first}` : `${first},${lines}`;
}

/** A run of cut lines before as many added ones: each was replaced by its like. */
function withWords(rows: readonly DiffRow[]): readonly DiffRow[] {
  const done = [...rows];
  for (let from = 0; from < rows.length; ) {
    const cuts = runLength(rows, from, 'cut');
    const adds = runLength(rows, from + cuts, 'add');
    for (let index = 0; cuts === adds && index < cuts; index++) {
      const [cut, add] = [rows[from + index], rows[from + cuts + index]];
      if (cut === undefined || add === undefined) continue;
      const [cutPieces, addPieces] = compared(cut.text, add.text);
      done[from + index] = { ...cut, pieces: cutPieces };
      done[from + cuts + index] = { ...add, pieces: addPieces };
    }
    from += Math.max(cuts + adds, 1);
  }
  return done;
}

function runLength(rows: readonly DiffRow[], from: number, kind: DiffRow['kind']): number {
  let at = from;
  while (rows[at]?.kind === kind) at += 1;
  return at - from;
}

function compared(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] {
  const whole = (text: string) => [{ text, isChanged: false }];
  if (before.length + after.length > LONGEST_COMPARED) return [whole(before), whole(after)];
  const parts = diffArrays(wordsOf(before), wordsOf(after));
  const side = (left: 'added' | 'removed') =>
    parts
      .filter((part) => !part[left])
      .map(({ value, added, removed }) => ({ text: value.join(''), isChanged: added || removed }));
  return [side('added'), side('removed')];
}

/** An escaped character is one word. */
function wordsOf(text: string): string[] {
  return text.match(/<U\+[0-9A-F]{4,6}>|[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
}

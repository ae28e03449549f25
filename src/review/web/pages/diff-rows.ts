// Splits a unified diff into rows, and marks the words that differ. Each line becomes one row, so that nothing is lost.
import { diffArrays } from 'diff';

export interface DiffRow {
  readonly kind: 'same' | 'cut' | 'add' | 'hunk' | 'end';
  readonly text: string;
  /** The same text in pieces, where parts of it differ from the line that it replaces or becomes. */
  readonly pieces: readonly Piece[];
  readonly oldLine?: number;
  readonly newLine?: number;
}

export interface Piece {
  readonly text: string;
  readonly isChanged: boolean;
}

const MAX_COMPARED = 1_000;

const KINDS = { ' ': 'same', '-': 'cut', '+': 'add', '\\': 'end' } as const;

/** Returns a row for each line below the names of the file; undefined for any other text, which has to be shown as it is. */
export function diffRows(diff: string): readonly DiffRow[] | undefined {
  const lines = diff.split('\n');
  if (!/^--- .*\n\+\+\+ .*\n@@/u.test(diff) || lines.at(-1) !== '') return undefined;
  const rows: DiffRow[] = [];
  let oldLine = 0;
  let newLine = 0;
  for (const line of lines.slice(2, -1)) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/u.exec(line);
    if (hunk !== null) {
      [oldLine, newLine] = [Number(hunk[1]), Number(hunk[2])];
      rows.push({ kind: 'hunk', text: line, pieces: [] });
      continue;
    }
    const text = line.slice(1);
    const kind = Object.entries(KINDS).find(([sign]) => line.startsWith(sign))?.[1];
    if (kind === undefined) return undefined;
    rows.push({
      ...{ kind, text, pieces: [{ text, isChanged: false }] },
      ...(kind === 'same' || kind === 'cut' ? { oldLine: oldLine++ } : {}),
      ...(kind === 'same' || kind === 'add' ? { newLine: newLine++ } : {}),
    });
  }
  return withChangedWords(rows);
}

/** Marks the differing words where removed lines are followed by as many added ones, because each was probably replaced. */
function withChangedWords(rows: readonly DiffRow[]): readonly DiffRow[] {
  const done = [...rows];
  // Each row becomes one letter, so that a run of letters is a run of rows.
  const letters = rows.map(({ kind }) => kind.slice(0, 1)).join('');
  for (const { 1: cuts = '', 2: adds = '', index: first } of letters.matchAll(/(c+)(a+)/gu)) {
    for (let at = first; cuts.length === adds.length && at < first + cuts.length; at++) {
      const [cut, add] = [rows[at], rows[at + cuts.length]];
      if (cut === undefined || add === undefined) continue;
      const [cutPieces, addPieces] = comparedWords(cut.text, add.text);
      done[at] = { ...cut, pieces: cutPieces };
      done[at + cuts.length] = { ...add, pieces: addPieces };
    }
  }
  return done;
}

function comparedWords(before: string, after: string): readonly [readonly Piece[], readonly Piece[]] {
  const whole = (text: string) => [{ text, isChanged: false }];
  if (before.length + after.length > MAX_COMPARED) return [whole(before), whole(after)];
  const parts = diffArrays(wordsOf(before), wordsOf(after));
  const side = (left: 'added' | 'removed') =>
    parts
      .filter((part) => !part[left])
      .map(({ value, added, removed }) => ({ text: value.join(''), isChanged: added || removed }));
  return [side('added'), side('removed')];
}

/** Splits a text into words; an escaped character counts as one word. */
function wordsOf(text: string): string[] {
  return text.match(/<U\+[0-9A-F]{4,6}>|[\p{L}\p{N}_]+|\s+|./gsu) ?? [];
}

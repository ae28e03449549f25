// Remembers where a call over many files goes on, in a text short enough to be sent back. It has the index of a file in the
// list, and a few letters of its path's hash, because files may come and go between two pages.
import { Refusal, sha256Hex } from '../security/index.ts';

export interface FileCursor {
  /** The index of the file to go on with. */
  readonly file: number;
  /** The number of its matches that were returned already. */
  readonly skip: number;
  /** The number of matches on all earlier pages. */
  readonly found: number;
  /** The number of files that earlier pages have left out, and of values that they could not compare. */
  readonly left: number;
  /** True if files of earlier pages have masked values. */
  readonly hasMasked?: boolean;
}

const FIRST_PAGE: FileCursor = { file: 0, skip: 0, found: 0, left: 0 };

const HASH_LETTERS = 6;

/** Writes the cursor; `files` is the list in which it counts. */
export function printCursor(
  { file, skip, found, left, hasMasked = false }: FileCursor,
  files: readonly string[],
): string {
  const counts = [file, skip, found, ...(left === 0 ? [] : [left])].join('.');
  return `${counts}${hasMasked ? 'm' : ''}.${letters(files[file])}`;
}

/** Finds the place in the present list. Where the file is gone, it is the one that has its index now. Throws ARGUMENT_INVALID. */
export function readCursor(cursor: string | undefined, files: readonly string[]): FileCursor {
  if (cursor === undefined) return FIRST_PAGE;
  const [, file, skip, found, left = 0, masked, hash = ''] =
    /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(m?)\.([0-9a-f]{6})$/u.exec(cursor) ?? [];
  if (hash === '')
    throw new Refusal(
      'ARGUMENT_INVALID',
      'Cannot use this cursor: it is not the next_cursor of an earlier reply',
    );
  const place = Number(file);
  const isSame = letters(files[place]) === hash;
  const moved = isSame ? place : files.findIndex((one) => letters(one) === hash);
  const at = moved === -1 ? { file: place, skip: 0 } : { file: moved, skip: Number(skip) };
  return { ...at, found: Number(found), left: Number(left), hasMasked: masked === 'm' };
}

function letters(file: string | undefined): string {
  return sha256Hex(file ?? '').slice(0, HASH_LETTERS);
}

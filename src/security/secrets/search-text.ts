// Searches a text for secrets without its structure. Apart from private keys, a secret is found by one line and the line below it. So
// only the lines that differ are searched in a text that is similar to one that was searched before.
import { findInText } from './find-in-text.ts';
import type { FoundSecret } from './found-secret.ts';
import { type IsSecretName, secretNameCandidates } from './key-names.ts';

export interface TextSearch {
  /** The findings that count only where they stand within one value or comment. */
  readonly found: readonly FoundSecret[];
  /** The offsets where the name of a secret may be; see `secretNameCandidates`. */
  readonly nameCandidates: readonly number[];
  readonly mayHoldPrivateKey: boolean;
}

/** The search of a text for which `mayHoldSecret` is false. */
export const NOTHING_FOUND: TextSearch = { found: [], nameCandidates: [], mayHoldPrivateKey: false };

/** A text, and what was found in it. */
export interface SearchedText {
  readonly text: string;
  readonly search: TextSearch;
}

export function searchText(text: string, isSecret: IsSecretName): TextSearch {
  const named = secretNameCandidates(text);
  return {
    found: findInText(text, named, isSecret),
    nameCandidates: named,
    mayHoldPrivateKey: text.includes('PRIVATE KEY'),
  };
}

/** Finds what `searchText` finds, but searches only the lines in which the text differs from `like`, and the line above them. */
export function searchEdited(like: SearchedText, text: string, isSecret: IsSecretName): TextSearch {
  const { start, end } = linesThatDiffer(like.text, text);
  // The value of a flag may stand on the line below.
  const lines = searchText(text.slice(start, endOfLine(text, end)), isSecret);
  if (like.search.mayHoldPrivateKey || lines.mayHoldPrivateKey) return searchText(text, isSecret);
  const shift = text.length - like.text.length;
  const shiftOf = (from: number) => (from < start ? [0] : from < end - shift ? [] : [shift]);
  const kept = like.search.found.flatMap((one) => shiftOf(one.from).map((by) => moved(one, by)));
  const left = like.search.nameCandidates.flatMap((at) => shiftOf(at).map((by) => at + by));
  const anew = lines.found.flatMap((one) => (one.from < end - start ? [moved(one, start)] : []));
  const named = lines.nameCandidates.flatMap((at) => (at < end - start ? [at + start] : []));
  return {
    // The first of equal places counts: what is found by its form comes before what is found by a name.
    found: [...kept, ...anew].sort((a, b) => rankOf(a) - rankOf(b)),
    nameCandidates: [...left, ...named].sort((a, b) => a - b),
    mayHoldPrivateKey: false,
  };
}

/** The characters that are compared in one operation, before single ones. */
const PIECE = 1_024;

/** Returns the lines of the second text in which the two differ, with the line above. */
function linesThatDiffer(old: string, text: string): { readonly start: number; readonly end: number } {
  const most = Math.min(old.length, text.length);
  const isSame = (from: number, to: number) => old.slice(from, from + PIECE) === text.slice(to, to + PIECE);
  let head = 0;
  while (head + PIECE <= most && isSame(head, head)) head += PIECE;
  while (head < most && old.charCodeAt(head) === text.charCodeAt(head)) head += 1;
  const [oldEnd, newEnd] = [old.length - 1, text.length - 1];
  let tail = 0;
  while (tail + PIECE <= most - head && isSame(old.length - tail - PIECE, text.length - tail - PIECE))
    tail += PIECE;
  while (tail < most - head && old.charCodeAt(oldEnd - tail) === text.charCodeAt(newEnd - tail)) tail += 1;
  const line = head === 0 ? -1 : text.lastIndexOf('\n', head - 1);
  const start = line <= 0 ? 0 : text.lastIndexOf('\n', line - 1) + 1;
  return { start, end: endOfLine(text, text.length - tail) };
}

/** Returns the offset after the line break of the line; the end of the text for the last line. */
function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end + 1;
}

function moved({ from, start, end, ...said }: FoundSecret, shift: number): FoundSecret {
  return { ...said, from: from + shift, start: start + shift, end: end + shift };
}

function rankOf({ by }: FoundSecret): number {
  return by === 'key' ? 1 : 0;
}

// Guesses which file of the root was meant by a name that does not exist. It uses only what a listing shows.

import { unlessRefused } from '../../security/errors/refusal.ts';
import type { Policy } from '../../security/policy/policy.ts';
import type { Sandbox } from '../../security/sandbox/sandbox.ts';
import { closest } from '../tree/closest.ts';

export interface Surroundings {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
}

export interface FileGuess {
  /** The same file by another name: below the root, or with the other extension of its format. */
  readonly meant: string | undefined;
  /** Files with a similar name, best first. */
  readonly nearest: readonly string[];
  /** The pattern for all files below it, where it is a folder with files. */
  readonly folder: string | undefined;
}

export const NO_GUESS: FileGuess = { meant: undefined, nearest: [], folder: undefined };

/** In a large root no more directory entries are looked at, because a suggestion must not take longer than the call itself. */
const MOST_ENTRIES = 1_000;
const FILES_TO_COMPARE = 200;

export function guessFile(file: string | undefined, { sandbox }: Surroundings): FileGuess {
  if (file === undefined) return NO_GUESS;
  const search = new BoundedSearch(sandbox);
  // A tool for one file takes no pattern.
  if (/[*?{}]/u.test(file)) return { ...NO_GUESS, nearest: search.files(file, 3) };
  const names = file
    .replace(/^(?:\.\/)+/u, '')
    .replace(/\/+$/u, '')
    .split('/');
  const path = names.join('/');
  const folder = search.files(`${path}/**`, 1).length === 0 ? undefined : `${path}/**`;
  const shorter = names.slice(1).map((_, index) => names.slice(index + 1).join('/'));
  const [meant] = [...shorter, otherExtension(path)].flatMap((name) =>
    name === undefined ? [] : search.files(name, 1),
  );
  const found = nearestTo(
    names.filter((name) => name !== '..'),
    search,
  );
  const nearest = [...(meant === undefined ? [] : [meant]), ...found];
  return { meant, nearest: [...new Set(nearest)].slice(0, 3), folder };
}

/** Finds files whose path differs by one name, which is another one, missing or too many; or else files of that name anywhere. */
function nearestTo(names: readonly string[], search: BoundedSearch): readonly string[] {
  const found = names.flatMap((_, index) => {
    const at = names.length - 1 - index;
    const [above, name = '', below] = [names.slice(0, at), names[at], names.slice(at + 1)];
    const pattern = (...between: readonly string[]) => [...above, ...between, ...below].join('/');
    const isLast = below.length === 0;
    return [
      ...alike(search.files(pattern('*'), FILES_TO_COMPARE), at, name),
      ...search.files(pattern('*', name), 3),
      ...(isLast
        ? alike(search.files(pattern('*', '*'), FILES_TO_COMPARE), at + 1, name)
        : search.files(pattern(), 1)),
    ];
  });
  if (found.length > 0) return found;
  return [`**/${names.join('/**/')}`, `**/${names.at(-1)}`].flatMap((pattern) => search.files(pattern, 3));
}

/** Returns the files whose name at that depth resembles the wanted one, best first. */
function alike(files: readonly string[], at: number, wanted: string): readonly string[] {
  const nameOf = (file: string) => file.split('/')[at] ?? '';
  return closest(wanted, new Set(files.map(nameOf))).flatMap((name) =>
    files.filter((file) => nameOf(file) === name),
  );
}

/** Lists files until enough directory entries were looked at, all lists together. */
class BoundedSearch {
  readonly #sandbox: Sandbox;
  #left = MOST_ENTRIES;

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  /** Returns files; none for a bad pattern. The list is a convenience: a root that has vanished must not hide the refusal itself. */
  files(pattern: string, limit: number): readonly string[] {
    if (this.#left <= 0) return [];
    const listing = unlessRefused(() => this.#sandbox.list({ pattern, limit, mostEntries: this.#left }));
    this.#left -= listing?.entries ?? 0;
    return (listing?.files ?? []).map(({ path }) => path.toString());
  }
}

function otherExtension(file: string): string | undefined {
  const other = file.replace(/\.ya?ml$/u, (ending) => (ending === '.yml' ? '.yaml' : '.yml'));
  return other === file ? undefined : other;
}

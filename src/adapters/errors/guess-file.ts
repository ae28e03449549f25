// Guesses which file of the root was meant by a name that does not exist. It uses only what a listing shows.
import { type Policy, type Sandbox, unlessRefused } from '../../security/index.ts';
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

/** In a large root no more files are looked at, because a suggestion must not take longer than the call itself. */
const FILES_TO_LOOK_AT = 3_000;
const FILES_TO_COMPARE = 500;

export function guessFile(file: string | undefined, surroundings: Surroundings): FileGuess {
  if (file === undefined) return NO_GUESS;
  // A tool for one file takes no pattern.
  if (/[*?{}]/u.test(file)) {
    const nearest = unlessRefused(() => surroundings.sandbox.list({ pattern: file, limit: 3 }).files) ?? [];
    return { ...NO_GUESS, nearest: nearest.map(({ path }) => path.toString()) };
  }
  const names = namesIn(surroundings, undefined, FILES_TO_LOOK_AT);
  const base = baseOf(file);
  const sameName = names.filter((name) => baseOf(name) === base);
  const other = otherExtension(file);
  const [meant] = [
    ...sameName.filter((name) => file.endsWith(`/${name}`)).sort((a, b) => b.length - a.length),
    ...(other === undefined ? [] : namesIn(surroundings, other, 1)),
  ];
  const alike = closest(file, names.slice(0, FILES_TO_COMPARE));
  const nearest = [...new Set([...(meant === undefined ? [] : [meant]), ...sameName, ...alike])];
  return { meant, nearest: nearest.slice(0, 3), folder: folderOf(file, surroundings) };
}

/** Answers the pattern for the files of a folder: `hass` and `hass/` become `hass/**`. */
function folderOf(file: string, surroundings: Surroundings): string | undefined {
  const pattern = `${file.replace(/^(?:\.\/)+/u, '').replace(/\/+$/u, '')}/**`;
  return namesIn(surroundings, pattern, 1).length === 0 ? undefined : pattern;
}

function otherExtension(file: string): string | undefined {
  const other = file.replace(/\.ya?ml$/u, (ending) => (ending === '.yml' ? '.yaml' : '.yml'));
  return other === file ? undefined : other;
}

function baseOf(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

/** Lists files; empty for a bad pattern. The list is a convenience: a root that has vanished must not hide the refusal itself. */
function namesIn({ sandbox }: Surroundings, pattern: string | undefined, limit: number): readonly string[] {
  if (pattern !== undefined && /[*?{}]/u.test(pattern.replaceAll('**', ''))) return [];
  const listed = unlessRefused(() => sandbox.list({ pattern, limit }).files) ?? [];
  return listed.map(({ path }) => path.toString());
}

// Which file of the root may be meant by a name that is none: found by what a listing shows, and by nothing else.
import { type Policy, type Sandbox, unlessRefused } from '../../security/index.ts';
import { closest } from '../tree/closest.ts';

export interface Surroundings {
  readonly policy: Policy;
  readonly sandbox: Sandbox;
}

export interface FileGuess {
  /** The same file by another name: below the root, or with the other extension of its format. */
  readonly meant: string | undefined;
  /** Files that resemble it, best first. */
  readonly nearest: readonly string[];
  /** Names all files below it, where it is a folder with files. */
  readonly folder: string | undefined;
}

export const NO_GUESS: FileGuess = { meant: undefined, nearest: [], folder: undefined };

/** Of a large root the others are not looked at: a suggestion must not take longer than the call that it is for. */
const FILES_TO_LOOK_AT = 3_000;
const FILES_TO_COMPARE = 500;

export function guessFile(file: string | undefined, surroundings: Surroundings): FileGuess {
  if (file === undefined) return NO_GUESS;
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

/** `hass` and `hass/` are the folder; its files are `hass/**`. */
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

/** None for what is no pattern: the list is a convenience, and a root that has vanished must not hide the refusal itself. */
function namesIn({ sandbox }: Surroundings, pattern: string | undefined, limit: number): readonly string[] {
  if (pattern !== undefined && /[*?{}]/u.test(pattern.replaceAll('**', ''))) return [];
  const listed = unlessRefused(() => sandbox.list({ pattern, limit }).files) ?? [];
  return listed.map(({ path }) => path.toString());
}

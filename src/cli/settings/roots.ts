// Reads the option `--root`: one directory, or several, each with a name. Only the syntax is checked here. The sandbox checks whether
// a directory exists and can be served.
import type { RootSpec } from '../../security/policy/policy.ts';
import { BadValue, badValue, list, type Option, pathIn } from './option.ts';

/** Matches a named root. A directory whose own name looks like this is written as `./name=DIR`. */
const NAMED = /^([A-Za-z0-9][\w-]{0,31})=(.+)$/s;

export function roots(name: string, help: string): Option<readonly RootSpec[]> {
  const option = list({ name, argument: 'DIR', help, default: [], read: specIn, write: textOf });
  return { ...option, parse: (texts, folder) => withNames(option.parse(texts, folder)) };
}

function specIn(text: string, folder: string): RootSpec {
  if (text.trim() === '' || text.includes('\0')) throw badValue(text, 'expected a directory');
  const [, name, dir = text] = NAMED.exec(text) ?? [];
  return { name, dir: pathIn(dir, folder) };
}

function textOf({ name, dir }: RootSpec): string {
  return name === undefined ? dir : `${name}=${dir}`;
}

function withNames(specs: readonly RootSpec[]): readonly RootSpec[] {
  const names = specs.map((spec) => spec.name);
  if (specs.length > 1 && names.includes(undefined)) {
    throw new BadValue('several roots need a name each, as in name=DIR');
  }
  if (new Set(names).size < names.length) throw new BadValue('two roots have the same name');
  return specs;
}

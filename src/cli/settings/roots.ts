// The `--root` option: one directory, or several with a name each. Checks the words only; whether the
// directory exists and is fit to be served is found out when the sandbox opens it.
import type { RootSpec } from '../../security/index.ts';
import { BadValue, bad, type Option } from './option.ts';

/** A directory that looks like this is written `./name=DIR`. */
const NAMED = /^([A-Za-z0-9][\w-]{0,31})=(.+)$/s;

export function roots(name: string, help: string): Option<readonly RootSpec[]> {
  return {
    name,
    argument: 'DIR',
    isRepeatable: true,
    help,
    default: [],
    parse: readRoots,
    show: (specs) =>
      specs.map((spec) => (spec.name === undefined ? spec.dir : `${spec.name}=${spec.dir}`)).join(', ') ||
      'none',
  };
}

function readRoots(texts: readonly string[]): readonly RootSpec[] {
  const specs = texts.map((text) => {
    if (text.trim() === '' || text.includes('\0')) throw bad(text, 'expected a directory');
    const [, name, dir = text] = NAMED.exec(text) ?? [];
    return { name, dir };
  });
  const names = specs.map((spec) => spec.name);
  if (specs.length > 1 && names.includes(undefined)) {
    throw new BadValue('several roots need a name each, as in name=DIR');
  }
  if (new Set(names).size < names.length) throw new BadValue('two roots have the same name');
  return specs;
}

// The usual command line of a server: options with their values and nothing else. What it reads, the reader in
// command-line.ts reads the same; all else, and every mistake, is left to that one, which costs more to load.
import { ALL_OPTIONS } from './settings/options.ts';
import type { Texts } from './settings/sources.ts';

/** Undefined where it could be anything else. */
export function plainFlags(args: readonly string[]): Texts | undefined {
  const flags = new Map<string, readonly string[]>();
  const rest = [...args];
  for (let word = rest.shift(); word !== undefined; word = rest.shift()) {
    const option = ALL_OPTIONS.find(({ name }) => word === `--${name}`);
    const text = option?.argument === undefined ? 'true' : rest.shift();
    if (option === undefined || text === undefined || text.startsWith('-')) return undefined;
    flags.set(option.name, [...(flags.get(option.name) ?? []), text]);
  }
  return flags;
}

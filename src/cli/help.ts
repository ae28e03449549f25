// What --help says below its list of options: examples, the environment, exit codes.
import type { CommandWords } from './commands.ts';
import { envName } from './settings/option.ts';
import { ALL_OPTIONS } from './settings/options.ts';

export function helpEpilogue(): string {
  return `
Examples:
  config-airlock --root ./deploy --read-only
  config-airlock --root app=./app --root infra=./infra --deny 'vault/**'
  config-airlock --config airlock.yaml --print-config
  config-airlock --config airlock.yaml review

Environment:
  Each option can be a variable as well; a flag wins over it, and it wins over the config file.
  An empty variable counts as unset; lists are separated by commas.
${columns(ALL_OPTIONS.map(envName))}

Exit codes:
  0  served to the end: the client left, or SIGINT, SIGTERM or SIGHUP came
  1  a bug, which the log names
  2  an option, a root or a file given by you is wrong: one line on stderr says which
`;
}

export function commandEpilogue({ more }: CommandWords): string {
  return `
All options of config-airlock --help apply: give those of the server, or the same --config.

${more}
`;
}

function columns(names: readonly string[]): string {
  const rows: string[] = [];
  for (let at = 0; at < names.length; at += 3) {
    rows.push(
      `  ${names
        .slice(at, at + 3)
        .map((name) => name.padEnd(30))
        .join('')
        .trimEnd()}`,
    );
  }
  return rows.join('\n');
}

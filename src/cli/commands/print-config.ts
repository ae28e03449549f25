// `--print-config` prints the settings in force and where each came from. Then it fails as the start would, if the server would
// not start with them.
import { visibleLine } from '../../security/index.ts';
import { requireServableOptions } from '../../server.ts';
import { airlockOptions } from '../settings/airlock-options.ts';
import { httpOptions } from '../settings/http-settings.ts';
import { shownValue } from '../settings/option.ts';
import { ALL_OPTIONS, OPTIONS } from '../settings/options.ts';
import { stateDirOf } from '../settings/user-folders.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson } from './output.ts';

/** Prints the settings. Throws what serving would throw. */
export async function printConfig(context: CommandContext): Promise<void> {
  const { settings, env, output } = context;
  const rows = rowsOf(context);
  if (wantsJson(context))
    printJson(
      context,
      Object.fromEntries(rows.map(({ name, value = null, from }) => [name, { value, from }])),
    );
  else output.write(asText(rows));
  httpOptions(settings);
  requireServableOptions(await airlockOptions(settings, env), settings.of(OPTIONS.logFile).value);
}

function rowsOf({ settings, env, riskyNodeFlags }: CommandContext) {
  const options = ALL_OPTIONS.map((option) => {
    const { value: given, from } = settings.of(option);
    // The default depends on the user, and an operator needs the real path.
    const isPlace = option.name === OPTIONS.stateDir.name && settings.of(OPTIONS.state).value === undefined;
    const value = isPlace ? stateDirOf(settings, env) : given;
    return { name: option.name, value, shown: shownValue(option, value), from };
  });
  const shown = riskyNodeFlags.join(' ');
  const risky = { name: 'node-flags', value: riskyNodeFlags, shown, from: 'node' };
  return riskyNodeFlags.length === 0 ? options : [...options, risky];
}

function asText(rows: ReturnType<typeof rowsOf>): string {
  const cells = rows.map(({ name, shown, from }) => [name, visibleLine(shown), from]);
  const widths = [0, 1].map((column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) => `${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}\n`)
    .join('');
}

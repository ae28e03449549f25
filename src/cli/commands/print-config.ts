// `--print-config` prints the settings in force and where each came from. Then it fails as the start would, if the server would
// not start with them.
import { visibleLine } from '../../security/text/visible.ts';
import { requireServableOptions } from '../../server.ts';
import { airlockOptions } from '../settings/airlock-options.ts';
import { httpOptions } from '../settings/http-settings.ts';
import { ALL_OPTIONS, OPTIONS } from '../settings/options.ts';
import { stateDirOf } from '../settings/user-folders.ts';
import { DEFAULT_SIZE, rowsOf } from '../terminal/rows.ts';
import { type CommandContext, wantsJson } from './context.ts';
import { printJson } from './output.ts';

/** Prints the settings. Throws what serving would throw. */
export async function printConfig(context: CommandContext): Promise<void> {
  const { settings, env, output } = context;
  const rows = settingRows(context);
  if (wantsJson(context))
    printJson(
      context,
      Object.fromEntries(rows.map(({ name, value = null, from }) => [name, { value, from }])),
    );
  else output.write(asText(rows));
  httpOptions(settings);
  requireServableOptions(await airlockOptions(settings, env), settings.of(OPTIONS.logFile).value);
}

function settingRows({ settings, env, riskyNodeFlags }: CommandContext) {
  const options = ALL_OPTIONS.map((option) => {
    const { value: given, from } = settings.of(option);
    // The default depends on the user, and an operator needs the real path.
    const isPlace = option.name === OPTIONS.stateDir.name && settings.of(OPTIONS.state).value === undefined;
    const value = isPlace ? stateDirOf(settings, env) : given;
    const items = option.write(value);
    return { name: option.name, value, items: items.length === 0 ? [option.unset] : items, from };
  });
  const risky = { name: 'node-flags', value: riskyNodeFlags, items: riskyNodeFlags, from: 'node' };
  return riskyNodeFlags.length === 0 ? options : [...options, risky];
}

/** Prints one setting a row, with the items of a list below each other; rows fit a terminal of 80 columns. */
function asText(rows: ReturnType<typeof settingRows>): string {
  const width = (texts: readonly string[]): number => Math.max(...texts.map((text) => text.length));
  const names = width(rows.map(({ name }) => name));
  const sources = width(rows.map(({ from }) => from));
  const left = DEFAULT_SIZE.columns - names - sources - 4;
  return rows
    .flatMap(({ name, items, from }) =>
      items
        .flatMap((item) => rowsOf(visibleLine(item), left))
        .map((item, at) => {
          const [first, second] = at === 0 ? [name, from] : ['', ''];
          return `${first.padEnd(names)}  ${second.padEnd(sources)}  ${item}\n`;
        }),
    )
    .join('');
}

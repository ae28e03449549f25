// The settings in force and where each came from, for an operator who wonders. Shows what was given;
// whether the root can be served is known only when it is opened.
import { visibleLine } from '../../security/index.ts';
import { ALL_OPTIONS, OPTIONS } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import { stateDirOf } from '../settings/state-dir.ts';
import { asciiJson } from '../terminal/in-ascii.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** `nodeFlags`: those that Node was started with and that open a way past the airlock. */
export function configAsText(settings: Settings, nodeFlags: readonly string[], env: Env): string {
  const options = ALL_OPTIONS.map((option) => {
    const { value, from } = settings.of(option);
    // Its default depends on the user: the place itself is what an operator looks for.
    const place = option.name === OPTIONS.stateDir.name ? stateDirOf(settings, env) : undefined;
    return { name: option.name, shown: visibleLine(place ?? option.show(value)), from: `${from}` };
  });
  const risky = { name: 'node flags', shown: visibleLine(nodeFlags.join(' ')), from: 'node' };
  const rows = nodeFlags.length === 0 ? options : [...options, risky];
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const shownWidth = Math.max(...rows.map(({ shown }) => shown.length));
  return rows
    .map(({ name, shown, from }) => `${name.padEnd(nameWidth)}  ${shown.padEnd(shownWidth)}  ${from}\n`)
    .join('');
}

export function configAsJson(settings: Settings, nodeFlags: readonly string[], env: Env): string {
  const options = ALL_OPTIONS.map((option) => {
    const { value: given, from } = settings.of(option);
    const value = option.name === OPTIONS.stateDir.name ? stateDirOf(settings, env) : given;
    return [option.name, { value: value ?? null, from }];
  });
  const risky = nodeFlags.length === 0 ? [] : [['node-flags', { value: nodeFlags, from: 'node' }]];
  return `${asciiJson(JSON.stringify(Object.fromEntries([...options, ...risky]), null, 2))}\n`;
}

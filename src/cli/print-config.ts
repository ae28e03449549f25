// The settings in force and where each came from, for an operator who wonders. Shows what was given;
// whether the root can be served is known only when it is opened.
import { visibleLine } from '../security/index.ts';
import { ALL_OPTIONS } from './options.ts';
import type { Settings } from './settings.ts';

export function configAsText(settings: Settings): string {
  const rows = ALL_OPTIONS.map((option) => {
    const { value, from } = settings.of(option);
    return { name: option.name, shown: visibleLine(option.show(value)), from };
  });
  const nameWidth = Math.max(...rows.map(({ name }) => name.length));
  const shownWidth = Math.max(...rows.map(({ shown }) => shown.length));
  return rows
    .map(({ name, shown, from }) => `${name.padEnd(nameWidth)}  ${shown.padEnd(shownWidth)}  ${from}\n`)
    .join('');
}

export function configAsJson(settings: Settings): string {
  const entries = ALL_OPTIONS.map((option) => {
    const { value, from } = settings.of(option);
    return [option.name, { value: value ?? null, from }];
  });
  return `${JSON.stringify(Object.fromEntries(entries), null, 2)}\n`;
}

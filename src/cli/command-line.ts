// argv → what the operator asks for. Promises one line for anything that is not understood; reads no
// value, which is the options' own work, and starts nothing.
import { Command, CommanderError, Option as Flag } from 'commander';
import { visibleLine } from '../security/index.ts';
import { VERSION } from '../server.ts';
import { helpEpilogue } from './help.ts';
import type { Option } from './option.ts';
import { OPTION_GROUPS } from './options.ts';
import type { Texts } from './sources.ts';
import { UsageError } from './usage-error.ts';

export type Request =
  | { readonly kind: 'serve'; readonly flags: Texts }
  | { readonly kind: 'print-config'; readonly flags: Texts; readonly asJson: boolean }
  | { readonly kind: 'print'; readonly text: string };

export function readCommandLine(args: readonly string[]): Request {
  const flags = new Map<string, readonly string[]>();
  const asked = new Set<string>();
  const command = describeCommand(
    (name, text) => flags.set(name, [...(flags.get(name) ?? []), text]),
    (name) => asked.add(name),
  );
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) throw new UsageError(oneLine(error.message));
    throw error;
  }
  if (asked.has('help')) return { kind: 'print', text: command.helpInformation() + helpEpilogue() };
  if (asked.has('version')) return { kind: 'print', text: `${VERSION}\n` };
  if (asked.has('print-config')) return { kind: 'print-config', flags, asJson: asked.has('json') };
  if (asked.has('json')) throw new UsageError('--json goes with --print-config');
  return { kind: 'serve', flags };
}

function describeCommand(
  onValue: (name: string, text: string) => void,
  onAsked: (name: string) => void,
): Command {
  const command = new Command('config-airlock')
    .usage('--root DIR [options]')
    .description('Serves the configuration files under DIR to an MCP client, over stdin and stdout.')
    .helpOption(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ helpWidth: 100 });
  for (const { title, options } of OPTION_GROUPS) {
    for (const option of options) {
      command.addOption(flagOf(option).helpGroup(`${title}:`));
      // A switch comes without a text.
      command.on(`option:${option.name}`, (text?: string | null) => onValue(option.name, text ?? 'true'));
    }
  }
  const questions = {
    'print-config': 'show every setting and where it comes from, and exit',
    json: 'as JSON (with --print-config)',
    version: 'show the version, and exit',
    help: 'show this, and exit',
  };
  for (const [name, help] of Object.entries(questions)) {
    command.addOption(new Flag(`--${name}`, help).helpGroup('Instead of serving:'));
    command.on(`option:${name}`, () => onAsked(name));
  }
  return command;
}

function flagOf(option: Option<unknown>): Flag {
  const { name, argument, isRepeatable, help } = option;
  const notes = [
    isRepeatable ? 'repeatable' : [],
    argument === undefined ? [] : `default: ${option.show(option.default)}`,
  ];
  const suffix = notes.flat().join('; ');
  const flags = argument === undefined ? `--${name}` : `--${name} <${argument}>`;
  return new Flag(flags, suffix === '' ? help : `${help} (${suffix})`);
}

function oneLine(message: string): string {
  // It quotes argv as it came, terminal codes and all.
  return visibleLine(message.replace(/^error: /, '').replaceAll(/\s+/g, ' '));
}

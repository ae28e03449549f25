// argv → what the operator asks for. Promises one line for anything that is not understood; reads no
// value, which is the options' own work, and starts nothing.
import { Command, CommanderError, Option as Flag } from 'commander';
import { closest } from '../adapters/index.ts';
import { quoted, visibleLine } from '../security/index.ts';
import { VERSION } from '../server.ts';
import { COMMANDS, type CommandName, type CommandWords } from './commands.ts';
import { commandEpilogue, helpEpilogue } from './help.ts';
import type { Option } from './settings/option.ts';
import { OPTION_GROUPS } from './settings/options.ts';
import type { Texts } from './settings/sources.ts';
import { UsageError } from './settings/usage-error.ts';

/** A command other than `serve`. */
export interface Task {
  readonly kind: 'task';
  readonly name: Exclude<CommandName, 'serve'>;
  readonly args: readonly string[];
  /** Its own flags, without their dashes; 'true' for a switch. */
  readonly own: ReadonlyMap<string, string>;
  readonly flags: Texts;
}

export type Request =
  | { readonly kind: 'serve'; readonly flags: Texts }
  | Task
  | { readonly kind: 'print-config'; readonly flags: Texts; readonly asJson: boolean }
  | { readonly kind: 'print'; readonly text: string };

/** What was found on the command line, as it is found. */
interface Findings {
  readonly flags: Map<string, readonly string[]>;
  readonly asked: Set<string>;
  readonly own: Map<string, string>;
  chosen:
    | { readonly name: CommandName; readonly args: readonly string[]; readonly command: Command }
    | undefined;
}

const QUESTIONS = {
  'print-config': 'show every setting and where it comes from, and exit',
  json: 'as JSON (with --print-config, and some commands)',
  version: 'show the version, and exit',
  help: 'show this, and exit; behind a command, what there is to know about it',
};

export function readCommandLine(args: readonly string[]): Request {
  const findings: Findings = { flags: new Map(), asked: new Set(), own: new Map(), chosen: undefined };
  const command = describeCommand(findings);
  try {
    command.parse(args, { from: 'user' });
  } catch (error) {
    // An argument that is missing does not matter to who asks for help.
    const named = findings.asked.has('help') ? commandIn(args) : undefined;
    if (error instanceof CommanderError && named !== undefined)
      return help(command.commands.find((sub) => sub.name() === named) ?? command);
    if (error instanceof CommanderError)
      throw new UsageError(oneLine(error.message).replace(/\.$/, '') + usageOf(error, args));
    throw error;
  }
  return requestOf(findings, command);
}

function requestOf({ flags, asked, own, chosen }: Findings, command: Command): Request {
  if (asked.has('help')) return help(chosen?.command ?? command);
  if (asked.has('version')) return { kind: 'print', text: `${VERSION}\n` };
  if (asked.has('print-config')) return { kind: 'print-config', flags, asJson: asked.has('json') };
  const name = chosen?.name ?? 'serve';
  if (asked.has('json') && !('json' in COMMANDS[name].flags))
    throw new UsageError(`--json goes with --print-config, ${withJson().join(', ')}`);
  if (name === 'serve') return { kind: 'serve', flags };
  const more: readonly (readonly [string, string])[] = asked.has('json') ? [['json', 'true']] : [];
  return { kind: 'task', name, args: chosen?.args ?? [], own: new Map([...own, ...more]), flags };
}

function help(command: Command): Request {
  const words = Object.entries(COMMANDS).find(([name]) => name === command.name())?.[1];
  const below = words === undefined ? helpEpilogue() : commandEpilogue(words);
  return { kind: 'print', text: command.helpInformation() + below };
}

function describeCommand(findings: Findings): Command {
  const { flags, asked } = findings;
  const command = new Command('config-airlock')
    .usage('--root DIR [options]\n       config-airlock COMMAND [options]')
    .description('Serves the configuration files under DIR to an MCP client, over stdin and stdout.')
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
    .configureHelp({ helpWidth: 100, subcommandTerm: (sub) => `${sub.name()} ${argsOf(sub)}`.trim() })
    // Ours is the better message.
    .allowExcessArguments()
    .action(() => requireNothing(command.args));
  for (const { title, options } of OPTION_GROUPS) {
    for (const option of options) {
      const { name } = option;
      command.addOption(flagOf(option).helpGroup(`${title}:`));
      // A switch comes without a text.
      command.on(`option:${name}`, (text?: string | null) => {
        requireValue(name, text);
        flags.set(name, [...(flags.get(name) ?? []), text ?? 'true']);
      });
    }
  }
  for (const [name, text] of Object.entries(QUESTIONS)) {
    command.addOption(new Flag(`--${name}`, text).helpGroup('Instead of serving:'));
    command.on(`option:${name}`, () => asked.add(name));
  }
  for (const name of COMMAND_NAMES) addCommand(command, name, findings);
  return command;
}

const COMMAND_NAMES: readonly CommandName[] = [
  ...(['serve', 'review', 'approve', 'reject', 'history', 'undo', 'audit'] as const),
  ...(['preview', 'apply', 'keygen'] as const),
];

function addCommand(program: Command, name: CommandName, findings: Findings): void {
  const words: CommandWords = COMMANDS[name];
  const command = program
    .command(name)
    .allowExcessArguments(false)
    .summary(words.summary)
    .description(`${capital(words.summary)}.`);
  if (words.args !== '') command.arguments(words.args).usage(`[options] ${words.args}`);
  for (const [flag, text] of Object.entries(words.flags)) {
    const own = new Flag(`--${flag}`, text);
    command.addOption(own);
    const known = flag.split(' ', 1)[0] ?? flag;
    command.on(`option:${own.name()}`, (given?: string | null) => {
      requireValue(own.name(), given);
      findings.own.set(known, given ?? 'true');
    });
  }
  command.action(() => {
    findings.chosen = { name, args: command.args, command };
  });
}

/** "--deny --read-only", where the pattern was forgotten, would deny nothing of interest and leave the server writable. */
function requireValue(name: string, text: string | null | undefined): void {
  if (typeof text === 'string' && /^--[a-z]/.test(text))
    throw new UsageError(`--${name}: expected a value, got ${quoted(text)}, which looks like an option`);
}

function argsOf(command: Command): string {
  return COMMAND_NAMES.filter((name) => name === command.name())
    .map((name) => COMMANDS[name].args)
    .join('');
}

function requireNothing(args: readonly string[]): void {
  const [word] = args;
  if (word === undefined) return;
  const [nearest] = closest(word, COMMAND_NAMES);
  const hint =
    nearest === undefined ? `the commands are ${COMMAND_NAMES.join(', ')}` : `did you mean ${nearest}?`;
  throw new UsageError(`unknown command ${quoted(word)}; ${hint}`);
}

/** For arguments that are missing or too many: what they are. */
function usageOf({ code }: CommanderError, args: readonly string[]): string {
  const named = commandIn(args);
  if (named === undefined || !/missingArgument|excessArguments/.test(code)) return '';
  return `; the command is: config-airlock ${named} ${COMMANDS[named].args}`.trimEnd();
}

function commandIn(args: readonly string[]): CommandName | undefined {
  return COMMAND_NAMES.find((name) => args.includes(name));
}

function withJson(): readonly string[] {
  return COMMAND_NAMES.filter((name) => 'json' in COMMANDS[name].flags);
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

function flagOf(option: Option<unknown>): Flag {
  const { name, argument, isRepeatable, help: text } = option;
  const notes = [
    isRepeatable ? 'repeatable' : [],
    argument === undefined ? [] : `default: ${option.show(option.default)}`,
  ];
  const suffix = notes.flat().join('; ');
  const flags = argument === undefined ? `--${name}` : `--${name} <${argument}>`;
  return new Flag(flags, suffix === '' ? text : `${text} (${suffix})`);
}

function oneLine(message: string): string {
  // It quotes argv as it came, terminal codes and all.
  return visibleLine(message.replace(/^error: /, '').replaceAll(/\s+/g, ' '));
}

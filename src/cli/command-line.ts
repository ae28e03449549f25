// Parses argv. Throws a UsageError of one line for anything that is not understood. The values stay texts, which the options parse
// later.
import { CommanderError, Option as Flag, Command as Parser } from 'commander';
import { closest } from '../adapters/tree/closest.ts';
import { quoted, visibleLine } from '../security/text/visible.ts';
import { VERSION } from '../server.ts';
import { COMMANDS, type Command, SERVE } from './commands/index.ts';
import { EVERYWHERE, JSON_OUTPUT, PRINT_CONFIG } from './settings/command-options.ts';
import { envName, type Option, shownDefault } from './settings/option.ts';
import { OPTION_GROUPS, OPTIONS } from './settings/options.ts';
import type { Texts } from './settings/settings.ts';
import { UsageError } from './settings/usage-error.ts';

export type Request =
  | {
      readonly kind: 'run';
      readonly command: Command;
      readonly args: readonly string[];
      readonly flags: Texts;
    }
  | { readonly kind: 'print-config'; readonly flags: Texts }
  | { readonly kind: 'print'; readonly text: string };

/** The parts of the command line that were parsed. */
interface ParsedLine {
  readonly flags: Map<string, readonly string[]>;
  /** The text that --help or --version prints. */
  text: string;
  command: Command;
  args: readonly string[];
}

export function readCommandLine(argv: readonly string[]): Request {
  const findings: ParsedLine = { flags: new Map(), text: '', command: SERVE, args: [] };
  try {
    parserFor(findings).parse(argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0) return { kind: 'print', text: findings.text };
    // This comes only from the help command for an unknown name, where commander would print the general help.
    if (error.code === 'commander.help') throw unknownCommand(argv.at(-1) ?? '');
    throw new UsageError(oneLine(error.message));
  }
  const { flags, command, args } = findings;
  if (flags.has(PRINT_CONFIG.name)) return { kind: 'print-config', flags };
  const withJson = COMMANDS.filter(({ options }) => options.includes(JSON_OUTPUT));
  if (flags.has(JSON_OUTPUT.name) && !withJson.includes(command))
    throw new UsageError(`--json goes with --print-config, ${withJson.map(({ name }) => name).join(', ')}`);
  return { kind: 'run', command, args, flags };
}

function parserFor(findings: ParsedLine): Parser {
  const parser = new Parser('config-airlock')
    .usage('--root DIR [options]\n       config-airlock COMMAND [options]')
    .description('Serves the configuration files under DIR to an MCP client, over stdin and stdout.')
    .exitOverride()
    .configureOutput({
      outputError: () => undefined,
      writeErr: () => undefined,
      writeOut: (text) => {
        findings.text += text;
      },
    })
    .configureHelp({ helpWidth: 100, subcommandTerm: (sub) => usageOf(sub.name()) })
    .addHelpText('after', generalEpilogue)
    // Extra words are allowed here, so that our own message names an unknown command.
    .allowExcessArguments()
    .action(() => {
      const [word] = parser.args;
      if (word !== undefined) throw unknownCommand(word);
    });
  for (const { title, options } of OPTION_GROUPS) {
    parser.optionsGroup(`${title}:`);
    for (const option of options) addOption(parser, option, findings);
  }
  parser.optionsGroup('With every command:');
  for (const option of EVERYWHERE) addOption(parser, option, findings);
  parser.optionsGroup('Instead of serving:');
  for (const option of [PRINT_CONFIG, JSON_OUTPUT]) addOption(parser, option, findings);
  parser
    .version(VERSION, '-V, --version', 'print the version, and exit')
    .helpOption('-h, --help', 'print this help, or that of a command, and exit')
    .helpCommand('help [command]', 'print the help of a command');
  for (const command of COMMANDS) addCommand(parser, command, findings);
  return parser;
}

/** Returns the parser for the words before the last one of a command: `policy` in `policy lint`. */
function groupOf(parser: Parser, name: string): Parser {
  const word = name.split(' ').slice(0, -1).join(' ');
  if (word === '') return parser;
  const known = parser.commands.find((sub) => sub.name() === word);
  if (known !== undefined) return known;
  const words = COMMANDS.flatMap(({ name: one }) => (one.startsWith(`${word} `) ? [lastWord(one)] : []));
  const group = parser
    .command(word)
    .allowExcessArguments()
    .usage(`${words.join('|')} [options]`);
  return group
    .summary(`the commands ${words.join(', ')}`)
    .configureHelp({ helpWidth: 100, subcommandTerm: (sub) => usageOf(`${word} ${sub.name()}`) })
    .helpCommand(false)
    .action(() => {
      throw unknownCommand([word, ...group.args.slice(0, 1)].join(' '));
    });
}

function lastWord(name: string): string {
  return name.slice(name.lastIndexOf(' ') + 1);
}

function addCommand(parser: Parser, command: Command, findings: ParsedLine): void {
  const { name, args, summary, details, options } = command;
  const sub = groupOf(parser, name)
    .command(lastWord(name))
    .allowExcessArguments(false)
    .summary(summary)
    .description(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`)
    .addHelpText(
      'after',
      `\nAll options of config-airlock --help apply: give those of the server, or the same --config.\n\n${details}`,
    )
    // Missing or extra arguments get a message with the usage of the command.
    .exitOverride((error) => {
      if (!/missingArgument|excessArguments/.test(error.code)) throw error;
      throw new UsageError(`${oneLine(error.message)}; usage: config-airlock ${usageOf(name)}`);
    })
    .action(() => {
      findings.command = command;
      findings.args = sub.args;
    });
  if (args !== '') sub.arguments(args).usage(`[options] ${args}`);
  for (const option of options) addOption(sub, option, findings);
}

function addOption(parser: Parser, option: Option<unknown>, { flags }: ParsedLine): void {
  const { name, argument, isRepeatable, help } = option;
  const notes = [
    isRepeatable ? 'repeatable' : [],
    argument === undefined ? [] : `default: ${shownDefault(option)}`,
  ].flat();
  const text = notes.length === 0 ? help : `${help} (${notes.join('; ')})`;
  parser.addOption(new Flag(argument === undefined ? `--${name}` : `--${name} <${argument}>`, text));
  // A switch has no value.
  parser.on(`option:${name}`, (given?: string | null) => {
    requireValue(name, given);
    flags.set(name, [...(flags.get(name) ?? []), given ?? 'true']);
  });
}

/** Refuses a value that looks like an option: "--deny --read-only", where the pattern was forgotten, would leave the server writable. */
function requireValue(name: string, text: string | null | undefined): void {
  if (typeof text === 'string' && /^--[a-z]/.test(text))
    throw new UsageError(`--${name}: expected a value, got ${quoted(text)}, which looks like an option`);
}

function unknownCommand(word: string): UsageError {
  const names = COMMANDS.map(({ name }) => name);
  const [nearest] = closest(word, names);
  const hint = nearest === undefined ? `the commands are ${names.join(', ')}` : `did you mean ${nearest}?`;
  return new UsageError(`unknown command ${quoted(word)}; ${hint}`);
}

/** Returns the command as it is typed: `approve <preview_id>`. */
function usageOf(name: string): string {
  const args =
    name === 'help' ? '[command]' : (COMMANDS.find((command) => command.name === name)?.args ?? '');
  return `${name} ${args}`.trim();
}

/** Makes a message one visible line, because it quotes argv with any terminal codes in it. */
function oneLine(message: string): string {
  return visibleLine(message.replace(/^error: /, '').replaceAll(/\s+/g, ' ')).replace(/\.$/, '');
}

function generalEpilogue(): string {
  return `
Examples:
  config-airlock --root ./deploy --read-only
  config-airlock --root app=./app --root infra=./infra --deny 'vault/**'
  config-airlock --config airlock.yaml --print-config
  config-airlock --config airlock.yaml review

Environment:
  Each option can be a variable as well: --log-level is ${envName(OPTIONS.logLevel)}.
  A flag wins over it, and it wins over the config file. An empty variable counts as unset;
  lists are separated by commas.

Exit codes:
  0  served to the end: the client closed the connection, or SIGINT, SIGTERM or SIGHUP came
  1  a bug, which the log names
  2  a wrong option, root or file: one line on stderr says which`;
}

// `init` prints the configuration by which a client starts this server with the given options. It writes no file, because the
// person decides which file of the client to change.

import { HOST, hookSettings } from '../clients/claude-code.ts';
import { CLIENTS, type Client, type Server, shellWord, TOKEN_VARIABLE } from '../clients/clients.ts';
import { asFlags } from '../settings/as-flags.ts';
import { CLIENT, GUARD } from '../settings/command-options.ts';
import { OPTIONS } from '../settings/options.ts';
import type { Settings } from '../settings/settings.ts';
import { UsageError } from '../settings/usage-error.ts';
import type { CommandContext } from './context.ts';

/** The folder in the snippet where none was given. */
const EXAMPLE_FOLDER = '/path/to/your/config';

export async function init(context: CommandContext): Promise<number> {
  const { settings, output } = context;
  const name = settings.of(CLIENT).value;
  const client = CLIENTS.find((one) => one.name === name);
  if (client === undefined) {
    const names = CLIENTS.map((one) => one.name).join(', ');
    throw new UsageError(`init needs --client NAME, one of ${names}`);
  }
  const url = addressIn(settings);
  if (url !== undefined) {
    output.write(httpText(client, url));
    return 0;
  }
  const server = serverOf(context, client);
  output.write(settings.of(GUARD).value ? guardText(client, server) : textFor(client, server));
  return 0;
}

/** Returns the settings by which the client asks `hook` before its own tools write. Throws UsageError for a client without hooks. */
function guardText({ name, title }: Client, { command, args }: Server): string {
  if (name !== HOST) throw new UsageError(`--guard is for a client with hooks: --client ${HOST}`);
  const at = args.findIndex((arg) => arg.startsWith('--'));
  const words = [command, ...args.slice(0, at), 'hook', HOST, ...args.slice(at)];
  const settings = JSON.stringify(hookSettings(words.map(shellWord).join(' ')), null, 2);
  return `${title}: .claude/settings.json in the project, for everybody who works in it\n\n${settings}\n`;
}

/** Returns the address at which clients reach a server with these options; undefined for one that a client starts. */
function addressIn(settings: Settings): string | undefined {
  const [url, http] = [settings.of(OPTIONS.httpUrl).value, settings.of(OPTIONS.http).value];
  return url?.href ?? (http === undefined ? undefined : `http://${http.host}:${http.port}/mcp`);
}

/** Throws UsageError for a client that would need the token itself. */
function httpText({ title, place, http }: Client, url: string): string {
  if (http === undefined)
    throw new UsageError(
      `init has no HTTP form for this client, of which no way to take a token from a variable is known; others: ${CLIENTS.filter(
        (one) => one.http !== undefined,
      )
        .map(({ name }) => name)
        .join(', ')}`,
    );
  const token = `The token is read from the variable ${TOKEN_VARIABLE}, or asked for; the operator of the server makes it:\nconfig-airlock token NAME --scope write`;
  return `${title}: ${place.replaceAll('`', '')}\n\n${http(url)}\n\n${token}\nNothing was written.\n`;
}

/** Returns the command line for the snippet. */
function serverOf({ settings, program }: CommandContext, { openFolder }: Client): Server {
  const [command = '', ...words] = program;
  const hasRoot = settings.of(OPTIONS.root).value.length > 0;
  const root = hasRoot ? [] : [`--${OPTIONS.root.name}`, openFolder ?? EXAMPLE_FOLDER];
  return { command, args: [...words, ...root, ...asFlags(settings, 'flag')] };
}

function textFor({ title, place, snippet, link }: Client, server: Server): string {
  const isPlaceholder = server.args.includes(EXAMPLE_FOLDER);
  return [
    `${title}: ${place.replaceAll('`', '')}`,
    snippet(server),
    ...(link === undefined
      ? []
      : [`Or open this link, and ${title} asks whether to install it:`, link(server)]),
    ...(isPlaceholder ? [`Replace ${EXAMPLE_FOLDER}, or give --root DIR.`] : []),
    'Nothing was written. Then ask the agent to call list_capabilities, and take its other ways to\nthe folder away: docs/connecting.md says how.',
  ]
    .map((part) => `${part}\n`)
    .join('\n');
}

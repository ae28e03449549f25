// Describes how MCP clients are configured to start a server: the file, its contents, and a link where the client has one. `init`
// prints these texts, and docs/connecting.md is made from them.

/** The command line that a client starts. */
export interface Server {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Client {
  /** The client's name in `--client NAME`. */
  readonly name: string;
  readonly title: string;
  /** The file or terminal where the snippet goes, described for people. */
  readonly place: string;
  readonly language: 'sh' | 'json' | 'toml';
  readonly snippet: (server: Server) => string;
  /** Returns the snippet for a server over HTTP; none for a client that takes no token from a variable. */
  readonly http?: (url: string) => string;
  /** Returns a link that opens the client, which asks before it installs anything. */
  readonly link?: (server: Server) => string;
  /** The client's variable for the folder that is open in it. */
  readonly openFolder?: string;
}

export const SERVER_NAME = 'config-airlock';
/** The variable with the token of an agent. No snippet holds a token itself. */
export const TOKEN_VARIABLE = 'CONFIG_AIRLOCK_TOKEN';
/** The variable as Cursor and Windsurf write it, and as Claude Code and Gemini CLI do. */
const [OF_EDITOR, OF_SHELL] = [`\${env:${TOKEN_VARIABLE}}`, `\${${TOKEN_VARIABLE}}`];
const OPEN_FOLDER = `\${workspaceFolder}`;

export const CLIENTS: readonly Client[] = [
  {
    name: 'claude-code',
    title: 'Claude Code',
    place: 'a terminal; with `--scope project` before the name it goes into `.mcp.json`, for your team',
    language: 'sh',
    snippet: (server) =>
      `claude mcp add ${SERVER_NAME} -- ${[server.command, ...server.args].map(shellWord).join(' ')}`,
    http: (url) =>
      `claude mcp add --scope project --transport http ${SERVER_NAME} ${shellWord(url)} --header ${shellWord(`Authorization: Bearer ${OF_SHELL}`)}`,
  },
  {
    name: 'claude-desktop',
    title: 'Claude Desktop',
    place:
      '`claude_desktop_config.json`, on macOS in `~/Library/Application Support/Claude/`, on Windows in `%APPDATA%\\Claude\\`',
    language: 'json',
    snippet: (server) => nestedJson('mcpServers', server),
  },
  {
    name: 'cursor',
    title: 'Cursor',
    place: '`.cursor/mcp.json` in the project, or `~/.cursor/mcp.json` for all projects',
    language: 'json',
    snippet: (server) => nestedJson('mcpServers', server),
    http: (url) => nestedJson('mcpServers', { url, ...bearer(OF_EDITOR) }),
    link: (server) => {
      const config = Buffer.from(JSON.stringify(server)).toString('base64');
      return `https://cursor.com/en/install-mcp?name=${SERVER_NAME}&config=${encodeURIComponent(config)}`;
    },
    openFolder: OPEN_FOLDER,
  },
  {
    name: 'vscode',
    title: 'VS Code',
    place: '`.vscode/mcp.json` in the workspace',
    language: 'json',
    snippet: (server) => nestedJson('servers', { type: 'stdio', ...server }),
    http: (url) => {
      const input = { type: 'promptString', id: TOKEN_VARIABLE, description: SERVER_NAME, password: true };
      const server = { type: 'http', url, ...bearer(`\${input:${TOKEN_VARIABLE}}`) };
      return JSON.stringify({ inputs: [input], servers: { [SERVER_NAME]: server } }, null, 2);
    },
    link: (server) => {
      const config = encodeURIComponent(JSON.stringify({ type: 'stdio', ...server }));
      return `https://vscode.dev/redirect/mcp/install?name=${SERVER_NAME}&config=${config}`;
    },
    openFolder: OPEN_FOLDER,
  },
  {
    name: 'zed',
    title: 'Zed',
    place: '`settings.json`',
    language: 'json',
    snippet: (server) => nestedJson('context_servers', { source: 'custom', ...server }),
  },
  {
    name: 'windsurf',
    title: 'Windsurf',
    place: '`~/.codeium/windsurf/mcp_config.json`',
    language: 'json',
    snippet: (server) => nestedJson('mcpServers', server),
    http: (serverUrl) => nestedJson('mcpServers', { serverUrl, ...bearer(OF_EDITOR) }),
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    place: '`.gemini/settings.json` in the project, or `~/.gemini/settings.json`',
    language: 'json',
    snippet: (server) => nestedJson('mcpServers', server),
    http: (httpUrl) => nestedJson('mcpServers', { httpUrl, ...bearer(OF_SHELL) }),
  },
  {
    name: 'codex',
    title: 'Codex',
    place: '`~/.codex/config.toml`',
    language: 'toml',
    // A basic string of TOML is written like one of JSON.
    snippet: ({ command, args }) =>
      `[mcp_servers.${SERVER_NAME}]\ncommand = ${JSON.stringify(command)}\nargs = [${args.map((arg) => JSON.stringify(arg)).join(', ')}]`,
    http: (url) =>
      `[mcp_servers.${SERVER_NAME}]\nurl = ${JSON.stringify(url)}\nbearer_token_env_var = "${TOKEN_VARIABLE}"`,
  },
];

function bearer(token: string): object {
  return { headers: { Authorization: `Bearer ${token}` } };
}

/** Writes JSON as people do: the list of arguments is on one line where it fits. */
function nestedJson(key: string, server: object): string {
  const text = JSON.stringify({ [key]: { [SERVER_NAME]: server } }, null, 2);
  return text.replace(/\[\n(?: +".*",?\n)+ +\]/u, (list) => {
    const line = list.replaceAll(/\n */gu, ' ').replace('[ ', '[').replace(/ \]$/u, ']');
    return line.length <= 90 ? line : list;
  });
}

/** Writes a word as a shell reads it. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

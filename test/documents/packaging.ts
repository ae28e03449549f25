// What the registries and catalogues of MCP servers are told, made from the lists of options and tools and package.json.
import { CLIENTS, SERVER_NAME, type Server } from '../../src/cli/clients/clients.ts';
import { envName, type Option } from '../../src/cli/settings/option.ts';
import type { listTools } from '../../src/server/list-tools.ts';

export interface Manifest {
  readonly version: string;
  readonly mcpName: string;
  readonly repository: { readonly url: string };
}

/** At most a hundred characters. */
const ABOUT = 'Lossless edits of YAML, JSON, TOML and Helm files in a sandbox, as a preview first.';
const TITLE = 'Config Airlock';

/** `server.json` of the MCP registry, by its schema of 2025-12-11. */
export function registryEntry(
  { version, mcpName, repository }: Manifest,
  options: readonly Option<unknown>[],
) {
  const [root, ...others] = options;
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: TITLE,
    description: ABOUT,
    repository: { url: pageOf(repository), source: 'github' },
    version,
    packages: [
      {
        registryType: 'npm',
        registryBaseUrl: 'https://registry.npmjs.org',
        identifier: SERVER_NAME,
        version,
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments:
          root === undefined
            ? []
            : [{ type: 'named', name: `--${root.name}`, ...inputOf(root), isRequired: true }],
        // As variables, because a switch has no value on a command line.
        environmentVariables: others.map((option) => ({ name: envName(option), ...inputOf(option) })),
      },
    ],
  };
}

function inputOf({ help, argument, schema, isRepeatable }: Option<unknown>) {
  const format =
    schema.type === 'boolean' ? 'boolean' : ['FILE', 'DIR'].includes(argument ?? '') ? 'filepath' : 'string';
  const note = isRepeatable && argument !== 'DIR' ? '; several, separated by commas' : '';
  return {
    description: `${help}${note}`,
    format,
    ...(schema.enum === undefined ? {} : { choices: schema.enum }),
  };
}

/** `tools.json` beside the entry of Docker's catalogue. */
export function dockerTools(tools: ReturnType<typeof listTools>) {
  return tools.map(({ name, description = '', inputSchema }) => ({
    name,
    description,
    arguments: Object.entries(inputSchema.properties ?? {}).map(([argument, schema]) => ({
      name: argument,
      type: typeIn(schema),
      desc: textIn(schema, 'description') ?? '',
    })),
  }));
}

function typeIn(schema: unknown): string {
  return textIn(schema, 'type') ?? 'string';
}

function textIn(value: unknown, name: string): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const found: unknown = Object.entries(value).find(([key]) => key === name)?.[1];
  return typeof found === 'string' ? found : undefined;
}

function pageOf({ url }: Manifest['repository']): string {
  return url.replace(/^git\+/u, '').replace(/\.git$/u, '');
}

/** How each client is connected, for docs/connecting.md. */
export function clientList(server: (openFolder: string | undefined) => Server): string {
  return CLIENTS.map(({ title, place, language, snippet, link, openFolder }) => {
    const code = `**${title}**: ${place}\n\n\`\`\`${language}\n${snippet(server(undefined))}\n\`\`\`\n`;
    const install = link?.(server(openFolder));
    return install === undefined
      ? code
      : `${code}\n[Install in ${title}](${install}), from the first release on.\n`;
  }).join('\n');
}

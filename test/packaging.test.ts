// What registries and catalogues are told is what the code says, and fits what they take. `UPDATE_README=1 npx vitest run
// test/packaging.test.ts` writes the files anew.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ALL_OPTIONS, OPTION_GROUPS, OPTIONS } from '../src/cli/settings/options.ts';
import { VERSION } from '../src/server.ts';
import { TOOLS } from '../src/tools/index.ts';
import { dockerTools, registryEntry } from './documents/packaging.ts';
import { configSchema } from './documents/schemas.ts';
import { runCommand } from './harness/run-command.ts';
import { startServer } from './harness/start-server.ts';

const place = (file: string) => new URL(`../${file}`, import.meta.url);
const textOf = (file: string) => readFileSync(place(file), 'utf8');
const manifest = JSON.parse(textOf('package.json'));
const ofFile = ALL_OPTIONS.filter(({ name }) => name !== OPTIONS.config.name);
const access = OPTION_GROUPS.find(({ title }) => title === 'Access')?.options ?? [];

it.each([
  { file: 'server.json', made: json(registryEntry(manifest, access)) },
  { file: 'packaging/docker/tools.json', made: json(dockerTools((await listed()).tools)) },
  { file: 'packaging/tools.sha256.json', made: json(await hashesOfTools()) },
  { file: 'schemas/config.schema.json', made: json(configSchema(ofFile)) },
])('$file is the one that the code makes', ({ file, made }) => {
  if (process.env['UPDATE_README'] === '1') writeFileSync(place(file), made);
  expect(textOf(file)).toBe(made);
});

const input = z.strictObject({
  name: z.string().regex(/^(--[a-z-]+|[A-Z_]+)$/u),
  type: z.literal('named').optional(),
  description: z.string().min(1),
  format: z.enum(['string', 'number', 'boolean', 'filepath']),
  choices: z.array(z.string()).optional(),
  isRequired: z.boolean().optional(),
});

/** What the registry's schema of 2025-12-11 says of the fields that are used, and its rules for npm. */
const registry = z.strictObject({
  $schema: z.literal('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json'),
  name: z
    .string()
    .max(200)
    .regex(/^[a-zA-Z0-9.-]+\/[a-zA-Z0-9._-]+$/u),
  title: z.string().min(1).max(100),
  description: z.string().min(1).max(100),
  version: z.literal(VERSION),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      registryBaseUrl: z.literal('https://registry.npmjs.org'),
      identifier: z.literal(manifest.name),
      version: z.literal(VERSION),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.tuple([input]),
      environmentVariables: z.array(input).min(1),
    }),
  ]),
});

it('the registry can take its entry, and finds its name in the package', () => {
  const entry = registry.parse(JSON.parse(textOf('server.json')));
  expect(entry.name).toBe(manifest.mcpName);
  expect(entry.packages[0].packageArguments[0]).toMatchObject({ name: '--root', isRequired: true });
});

it("Docker's catalogue can start the image that the Dockerfile makes", () => {
  const entry = parse(textOf('packaging/docker/server.yaml'));
  const image = textOf('Dockerfile');
  for (const volume of entry.run.volumes) {
    const [, folder] = String(volume).split(/:(?=\/)/u);
    expect(image).toContain(`=${folder}`);
  }
  expect(entry.run.disableNetwork).toBe(true);
  expect(image).toMatch(/^USER (?!root)\w+$/mu);
  expect(image).toMatch(/^ENTRYPOINT \["node", "\/opt\/config-airlock\/bundle\/cli.js"\]$/mu);
  const tools = z.array(
    z.strictObject({
      name: z.string(),
      description: z.string().min(1),
      arguments: z.array(z.strictObject({ name: z.string(), type: z.string(), desc: z.string() })),
    }),
  );
  expect(tools.parse(JSON.parse(textOf('packaging/docker/tools.json'))).length).toBe(TOOLS.length);
});

it('each page and example that the program names is in the package', () => {
  const program = readdirSync(place('src'), { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  const named = new Set(
    program.flatMap((name) => textOf(`src/${name}`).match(/\b(?:docs\/[\w-]+\.md|examples\/\w+)/gu) ?? []),
  );
  const holds = (page: string) =>
    manifest.files.some((entry: string) => page === entry || page.startsWith(entry.replace('*.md', '')));
  expect(named.size).toBeGreaterThan(5);
  expect([...named].filter((page) => !existsSync(place(page)) || !holds(page))).toEqual([]);
  for (const shipped of [
    'docs/connecting.md',
    'docs/troubleshooting.md',
    'examples/policy',
    'examples/hooks',
  ])
    expect(holds(shipped)).toBe(true);
});

it('a release is the version of all: the package, the server, the lock file', () => {
  expect([manifest.version, JSON.parse(textOf('package-lock.json')).version]).toEqual([VERSION, VERSION]);
  const release = parse(textOf('.github/workflows/release.yml'));
  expect(release.permissions).toEqual({});
  expect(release.jobs.npm.permissions['id-token']).toBe('write');
});

/** What `config-airlock tools --json` prints. */
async function listed(...flags: readonly string[]) {
  const { stdout } = await runCommand(['tools', '--json', ...flags]);
  return JSON.parse(stdout);
}

/** By the flags that change the list. */
async function hashesOfTools() {
  const variants = [[], ['--read-only'], ['--replies', 'text'], ['--read-only', '--replies', 'text']];
  const hashes: [string, string][] = [];
  for (const flags of variants) hashes.push([flags.join(' '), (await listed(...flags)).sha256]);
  return Object.fromEntries(hashes);
}

it.each([[], ['--read-only'], ['--replies', 'text']])(
  'the list of tools with %s is the one that a client is shown',
  async (...flags) => {
    const server = await startServer({ flags });
    onTestFinished(() => server.close());
    const { tools, sha256 } = await listed(...flags);
    expect(tools).toEqual(await server.listTools());
    expect((await listed(...flags)).sha256).toBe(sha256);
  },
);

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

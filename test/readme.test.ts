// The README and docs/replies.md say what the code says. `UPDATE_README=1 npx vitest run test/readme.test.ts` writes the
// generated tables and samples anew; what a person wrote is only checked.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { DEFAULT_ALLOW } from '../src/adapters/formats/extensions.ts';
import { COMMANDS } from '../src/cli/commands/index.ts';
import { envName } from '../src/cli/settings/option.ts';
import { OPTION_GROUPS } from '../src/cli/settings/options.ts';
import { REFUSALS } from '../src/security/errors/refusals.ts';
import { BUILT_IN_DENYLIST } from '../src/security/paths/denylist.ts';
import { TOOLS } from '../src/tools/index.ts';
import { fileTable, formatTable } from './documents/format-table.ts';
import { clientList } from './documents/packaging.ts';
import {
  codeTable,
  commandTable,
  optionTable,
  sectionOf,
  toolTable,
  withSection,
} from './documents/tables.ts';
import { runCommand } from './harness/run-command.ts';
import { startServer } from './harness/start-server.ts';

const FILE = new URL('../README.md', import.meta.url);
const HOME = new URL('./', FILE).href;
const REPLIES = new URL('../docs/replies.md', import.meta.url);
const CONNECTING = new URL('../docs/connecting.md', import.meta.url);
const OPTIONS = new URL('../docs/options.md', import.meta.url);
const FORMATS = new URL('../docs/formats.md', import.meta.url);
const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', ...documentsIn('docs')];

const EDIT = { file: 'helm/values.yaml', path: 'image.tag', value: '"1.11"' };
const SLIP = { file: 'helm/values.yaml', path: 'autoscalling.enabled' };

/** Those that most people set come first. */
const COMMON = ['Access', 'Other'];
const [common, others] = [true, false].map((isCommon) =>
  OPTION_GROUPS.filter(({ title }) => COMMON.includes(title) === isCommon).flatMap(({ options }) => options),
);

it.each([
  { name: 'tools', made: toolTable(TOOLS), file: FILE },
  { name: 'options', made: optionTable(common ?? [], envName), file: OPTIONS },
  { name: 'limits', made: optionTable(others ?? [], envName), file: OPTIONS },
  { name: 'clients', made: clientList(serverFor), file: CONNECTING },
  { name: 'commands', made: commandTable(COMMANDS), file: OPTIONS },
])('the table of $name is the one that the code makes', ({ name, made, file }) => {
  expect(written(name, made, file)).toBe(made);
});

it.each([
  { name: 'edit', tool: 'config_set', input: EDIT },
  { name: 'error', tool: 'config_get', input: SLIP },
])('the sample of an $name is what the server answers', async ({ name, tool, input }) => {
  const server = await startServer({ root: fileURLToPath(new URL('../examples', import.meta.url)) });
  const { data } = await server.callTool(tool, input).finally(() => server.close());
  const reply = unvarying(JSON.stringify(data, null, 2));
  const made = `\`${tool}\` with \`${JSON.stringify(input)}\`:\n\n\`\`\`json\n${reply}\n\`\`\`\n`;
  expect(written(name, made, REPLIES)).toBe(made);
});

it('the edit that the README shows is what the command says', async () => {
  const given = ['preview', 'deploy/storefront.yaml', 'spec.replicas', '3', '--doc', '{"kind":"Deployment"}'];
  const root = fileURLToPath(new URL('../examples', import.meta.url));
  const { stdout, stderr } = await runCommand([...given, '--root', root, '--read-only']);
  const command = [...given.slice(0, 5), `'${given[5]}'`, '--root', 'examples', '--read-only'].join(' ');
  const made = `\`\`\`\n$ node bundle/cli.js ${command}\n${stdout}${stderr}\`\`\`\n`;
  expect(written('demo', made)).toBe(made);
});

it('the tables of formats say what the server takes and does', async () => {
  expect(written('files', fileTable(), FORMATS)).toBe(fileTable());
  const made = await formatTable();
  expect(written('formats', made, FORMATS)).toBe(made);
});

it('the default allowlist is the one in force', () => {
  const made = `${DEFAULT_ALLOW.map((pattern) => `\`${pattern}\``).join('\n')}\n`;
  expect(written('allowlist', made, OPTIONS)).toBe(made);
});

it('the built-in denylist is the one in force', () => {
  const made = `${BUILT_IN_DENYLIST.map((pattern) => `\`${pattern}\``).join(' ')}\n`;
  expect(written('denylist', made, OPTIONS)).toBe(made);
});

it('the table of error codes is that of the server', () => {
  expect(written('codes', codeTable(REFUSALS), REPLIES)).toBe(codeTable(REFUSALS));
});

it('every piece of JSON in a document can be read', () => {
  const pieces = DOCUMENTS.flatMap((name) => [...textOf(name).matchAll(/```json\n(.*?)```/gs)]);
  expect(pieces.length).toBeGreaterThanOrEqual(5);
  for (const [, piece = ''] of pieces) expect(() => JSON.parse(piece)).not.toThrow();
});

it('the index of the documents leads to each of them', () => {
  const index = textOf('docs/README.md');
  const pages = documentsIn('docs').map((name) => name.slice('docs/'.length));
  expect(pages.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
});

it('troubleshooting quotes messages that the code has', () => {
  const sources = readdirSync(new URL('../src', import.meta.url), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => textOf(`src/${name}`))
    .join('\n');
  const rows = textOf('docs/troubleshooting.md').match(/^\| .*$/gmu) ?? [];
  const quoted = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/gu)]);
  const parts = quoted.flatMap(([, message = '']) => message.split('…').map((part) => part.trim()));
  expect(parts.length).toBeGreaterThan(30);
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

it('the examples are valid', async () => {
  const server = await startServer({ root: fileURLToPath(new URL('../examples', import.meta.url)) });
  const { data } = await server.callTool('config_validate', { pattern: '**' }).finally(() => server.close());
  expect(data).toMatchObject({ valid: true });
});

it.each(DOCUMENTS)('%s links and names only what exists', (name) => {
  const text = textOf(name);
  const links = [...text.matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)];
  const broken = links.filter(([, target = '', anchor]) => {
    const file = target === '' ? name : new URL(target, new URL(name, FILE)).href.slice(HOME.length);
    if (!existsSync(new URL(file, FILE))) return true;
    return anchor !== undefined && !anchorsOf(textOf(file)).includes(anchor);
  });
  expect(broken.map(([link]) => link)).toEqual([]);
  const named = [
    ...text.matchAll(/`((?:src|test|scripts|examples|docs|mutation|clients|bench|\.ci)\/[\w./-]*)`/g),
  ];
  if (name === 'CONTRIBUTING.md') expect(named.length).toBeGreaterThan(10);
  expect(named.flatMap(([, path = '']) => (existsSync(new URL(path, FILE)) ? [] : [path]))).toEqual([]);
});

/** From a clone; an install link is for the published package, and for the folder that is open in the client. */
function serverFor(openFolder: string | undefined) {
  if (openFolder !== undefined)
    return { command: 'npx', args: ['-y', 'config-airlock', '--root', openFolder] };
  const args = ['/path/to/config-airlock/bundle/cli.js', '--root', '/path/to/your/config'];
  return { command: 'node', args };
}

/** Of its headings, as Git hosts make them, and those that are written out. */
function anchorsOf(text: string): readonly string[] {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return [...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = '']) => id)];
}

function documentsIn(folder: string): readonly string[] {
  return readdirSync(new URL(`../${folder}`, import.meta.url))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
}

/** An id is random, and a time is now. */
function unvarying(json: string): string {
  return json
    .replaceAll(/("preview_id": )"pv_\w{10}"/gu, '$1"pv_7k2m9xq4c1"')
    .replaceAll(/("expires_at": )"[^"]+"/gu, '$1"2026-11-21T12:15:00.000Z"');
}

/** What stands in the section, after it was written anew if that is asked for. */
function written(name: string, made: string, file = FILE): string | undefined {
  const read = () => readFileSync(file, 'utf8');
  if (process.env['UPDATE_README'] === '1') writeFileSync(file, withSection(read(), name, made));
  return sectionOf(read(), name);
}

function textOf(name: string): string {
  return readFileSync(new URL(name, FILE), 'utf8');
}

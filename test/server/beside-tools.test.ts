// Resources, prompts and completions, through a real client of either era: a resource is what the tool answers, masked, refused
// and logged alike.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../src/security/audit/log.ts';
import { createServer, openAirlock } from '../../src/server.ts';
import { StdioTransport } from '../../src/transports/stdio/stdio-transport.ts';
import { tempRoot } from '../harness/temp-root.ts';

const FILES = {
  'deploy/web.yaml': 'name: web # ours\npassword: hunter2hunter2\n',
  'deploy/api.yaml': 'name: api\n',
  'app/ü 1.json': '{"a":1}\n',
  '.env': 'SECRET=1\n',
};

async function connect(
  mode: 'legacy' | { readonly pin: string },
  replies: 'both' | 'text' = 'both',
  files: Readonly<Record<string, string>> = FILES,
) {
  const root = tempRoot(files);
  const other = tempRoot();
  const file = join(other.dir, 'log');
  const log = createLog({ level: 'info', format: 'json', file });
  const airlock = await openAirlock({ roots: [root.dir], readOnly: true, log, replies });
  const [asked, answered] = [new PassThrough(), new PassThrough()];
  const transport = new StdioTransport(asked, answered, log, 1e6);
  const handle = serveStdio(() => createServer(airlock), { transport, legacy: 'serve' });
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(new StdioServerTransport(answered, asked));
  onTestFinished(async () => {
    await client.close();
    await handle.close();
    airlock.sandbox.close();
    for (const one of [root, other]) one.remove();
  });
  return { client, log: () => readFileSync(file, 'utf8') };
}

async function textAt(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  const [first] = contents;
  if (first === undefined || !('text' in first)) throw new Error('no text');
  return first.text;
}

const ERAS = [
  { era: 'legacy', mode: 'legacy' },
  { era: 'modern', mode: { pin: '2026-07-28' } },
] as const;

describe.each(ERAS)('a client of the $era era', ({ mode }) => {
  it('lists what there is, and reads each of it', async () => {
    const { client } = await connect(mode);
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(['config-airlock://policy']);
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ name }) => name)).toEqual(['file', 'error']);
    expect(await textAt(client, 'config-airlock://policy')).toContain('writing: no');
    expect(await textAt(client, 'config-airlock://error/NODE_NOT_FOUND')).toMatch(/^NODE_NOT_FOUND: /u);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['review_change', 'find_setting', 'mend_file']);
  });

  it('reads a file as the tool shows it, masked, and with a record in the log', async () => {
    for (const replies of ['both', 'text'] as const) {
      const { client, log } = await connect(mode, replies);
      const text = await textAt(client, 'config-airlock://file/deploy/web.yaml');
      expect(text).toMatch(/^name: web # ours\npassword: <secret:[^\n]*>\n?$/u);
      expect(await textAt(client, 'config-airlock://file/app/%C3%BC%201.json')).toContain('"a":1');
      expect(log().match(/"event":"tool_call"[^\n]*"tool":"config_get"/gu)).toHaveLength(2);
    }
  });

  it.each([
    { uri: 'config-airlock://file/.env', says: 'PATH_DENIED' },
    { uri: 'config-airlock://file/%2e%2e/x.yaml', says: 'PATH' },
    { uri: 'config-airlock://file//etc/passwd', says: 'PATH' },
    { uri: 'config-airlock://file/none.yaml', says: 'FILE_NOT_FOUND' },
    { uri: 'config-airlock://file/%E0%A4%A', says: 'Unknown resource' },
    { uri: 'config-airlock://file/', says: 'Unknown resource' },
    { uri: 'config-airlock://file/deploy/web.yaml?path=nme', says: 'NODE_NOT_FOUND' },
    { uri: 'file:///etc/passwd', says: 'Unknown resource' },
  ])('is refused $uri', async ({ uri, says }) => {
    const { client } = await connect(mode);
    await expect(client.readResource({ uri })).rejects.toThrow(says);
  });

  it('completes files and codes, and nothing that it may not list', async () => {
    const { client } = await connect(mode);
    const values = async (ref: Parameters<Client['complete']>[0]['ref'], name: string, value: string) =>
      (await client.complete({ ref, argument: { name, value } })).completion.values;
    const file = { type: 'ref/resource', uri: 'config-airlock://file/{+file}{?path,doc}' } as const;
    expect(await values(file, 'file', 'deploy/')).toEqual(['deploy/api.yaml', 'deploy/web.yaml']);
    expect(await values(file, 'file', '.e')).toEqual([]);
    const mend = { type: 'ref/prompt', name: 'mend_file' } as const;
    expect(await values(mend, 'file', 'deploy/w')).toEqual(['deploy/web.yaml']);
    const code = { type: 'ref/resource', uri: 'config-airlock://error/{code}' } as const;
    expect(await values(code, 'code', 'node_not')).toEqual(['NODE_NOT_FOUND']);
    expect(await values({ type: 'ref/prompt', name: 'review_change' }, 'id', 'x')).toEqual([]);
  });

  it('completes documents, and key paths one level after the other', async () => {
    const many =
      'kind: A\nmetadata: { name: x }\n---\nkind: B\nmetadata: { name: y, labels: { "a.b/c": d } }\n';
    const one = 'root:\n  - { k: 1 }\n  - 2\nrest: { deep: { deeper: 1 } }\npassword: hunter2hunter2\n';
    const { client } = await connect(mode, 'both', { ...FILES, 'many.yaml': many, 'one.yaml': one });
    const ref = { type: 'ref/resource', uri: 'config-airlock://file/{+file}{?path,doc}' } as const;
    const values = async (name: string, value: string, given: Record<string, string>) =>
      (await client.complete({ ref, argument: { name, value }, context: { arguments: given } })).completion
        .values;
    const [file, doc] = ['many.yaml', 'B/y'];
    expect(await values('doc', '', { file })).toEqual(['A/x', 'B/y']);
    expect(await values('path', 'meta', { file, doc })).toEqual(['metadata']);
    expect(await values('path', 'metadata.', { file, doc })).toEqual(['metadata.name', 'metadata.labels']);
    expect(await values('path', 'metadata.labels[', { file, doc })).toEqual(['metadata.labels["a.b/c"]']);
    expect(await values('path', '', { file: 'one.yaml' })).toEqual(['root', 'rest', 'password']);
    expect(await values('path', 'root[', { file: 'one.yaml' })).toEqual(['root[0]', 'root[1]']);
    expect(await values('path', 'nothing.', { file: 'one.yaml' })).toEqual([]);
    expect(await values('path', 'a', { file: '.env' })).toEqual([]);
    expect(await values('path', 'a', {})).toEqual([]);
  });

  it.runIf(mode !== 'legacy')('is told how long a list may be kept', async () => {
    const { client } = await connect(mode);
    expect(await client.listTools()).toMatchObject({ ttlMs: 300_000, cacheScope: 'private' });
    expect(await client.listPrompts()).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' });
    const read = await client.readResource({ uri: 'config-airlock://policy' });
    expect(read).toMatchObject({ ttlMs: 0, cacheScope: 'private' });
  });

  it('reads one node of one document', async () => {
    const { client } = await connect(mode, 'both', { ...FILES, 'm.yaml': 'kind: A\n---\nkind: B # two\n' });
    expect(await textAt(client, 'config-airlock://file/m.yaml?path=kind&doc=1')).toContain('B');
  });

  it('completes files that no first page of all files has', async () => {
    const many = Array.from({ length: 150 }, (_, index) => [`m/${index + 100}.yaml`, '']);
    const files = { ...FILES, ...Object.fromEntries(many), 'z/last.yaml': '' };
    const { client } = await connect(mode, 'both', files);
    const ref = { type: 'ref/resource', uri: 'config-airlock://file/{+file}{?path,doc}' } as const;
    const complete = async (value: string) =>
      (await client.complete({ ref, argument: { name: 'file', value } })).completion;
    expect((await complete('z')).values).toEqual(['z/last.yaml']);
    expect((await complete('m/24')).values).toHaveLength(10);
    const { values, hasMore } = await complete('m');
    expect([values.length, hasMore]).toEqual([100, true]);
    expect((await complete('m[')).values).toEqual([]);
  });

  it('gets a prompt with what it gave, and is told what is missing', async () => {
    const { client } = await connect(mode);
    const { messages } = await client.getPrompt({ name: 'mend_file', arguments: { file: 'a\nb.yaml' } });
    expect(messages).toHaveLength(1);
    expect(JSON.stringify(messages)).not.toContain('\\nb.yaml');
    await expect(client.getPrompt({ name: 'mend_file' })).rejects.toThrow('needs file');
    await expect(client.getPrompt({ name: 'none' })).rejects.toThrow('Unknown prompt');
  });
});

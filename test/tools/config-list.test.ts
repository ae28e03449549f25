// config_list through a client: what is shown of each file, and that pages join without a gap.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { onDiskCalls } from '../harness/disk-calls.mjs';
import { tempRoot } from '../harness/temp-root.ts';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const FILES = {
  'a.yaml': 'a: 1\n',
  'a/inner.yaml': 'é: 1\n',
  'a-b.yaml': '',
  'multi.yaml': '---\na: 1\n---\nb: 1\n---\nc: 1\n',
  'latin.yaml': Uint8Array.of(0x61, 0x3a, 0xe9, 0x0a),
  'settings.json': '{}',
  'deploy/base/web.yml': 'x: 1\n',
  'deploy/prod/web.yaml': 'x: 1\n',
  'secrets.env': 'A=1\n',
  '.git/config.yaml': 'hidden: 1\n',
  // Of what begins with a dot, the configuration that is known.
  '.github/workflows/ci.yml': 'x: 1\n',
  'web/.gitlab-ci.yml': 'x: 1\n',
  'web/.gitlab-ci/lint.yml': 'x: 1\n',
  'notes.txt': 'no\n',
  'deploy/.renovate.yaml': 'x: 1\n',
  'deploy/b.txt': 'no\n',
  'deploy/base/c.txt': 'no\n',
  LICENSE: 'no\n',
  'deploy/logo.png': 'no\n',
  'main.py': 'no\n',
};
const VISIBLE = [
  '.github/workflows/ci.yml',
  'a-b.yaml',
  'a.yaml',
  'a/inner.yaml',
  'deploy/base/web.yml',
  'deploy/prod/web.yaml',
  'latin.yaml',
  'multi.yaml',
  'settings.json',
  'web/.gitlab-ci.yml',
  'web/.gitlab-ci/lint.yml',
];

const Listing = z.strictObject({
  ok: z.literal(true),
  files: z.array(z.strictObject({ file: z.string(), size: z.number() })),
  next_cursor: z.string().optional(),
  truncated: z.boolean(),
  not_open: z.strictObject({ count: z.number(), some: z.array(z.string()) }).optional(),
});

const server = toolServer({ files: FILES });
beforeAll(() => {
  symlinkSync('a.yaml', join(server.root, 'link.yaml'));
  symlinkSync('notes.txt', join(server.root, 'link.txt'));
  mkdirSync(join(server.root, 'folder.yaml'));
});

async function list(args: Readonly<Record<string, unknown>> = {}) {
  return Listing.parse((await server.ok('config_list', args)).data);
}

it('shows path and size in whole blocks, and nothing that is hidden or no plain file [DIS-4]', async () => {
  const { files, next_cursor, truncated } = await list();
  expect(files.map(({ file }) => file).sort()).toEqual([...VISIBLE].sort());
  expect({ next_cursor, truncated }).toEqual({ next_cursor: undefined, truncated: false });
  const sizes = new Map(files.map(({ file, size }) => [file, size]));
  expect(sizes.get('a/inner.yaml')).toBe(4_096);
  expect(sizes.get('a-b.yaml')).toBe(0);
});

test.each([1, 3, 500])('pages of %d join to the whole list, in the same order', async (limit) => {
  const whole = (await list()).files;
  const pages: unknown[] = [];
  let cursor: string | undefined;
  do {
    const page = await list(cursor === undefined ? { limit } : { limit, cursor });
    expect(page.files.length).toBeLessThanOrEqual(limit);
    pages.push(...page.files);
    cursor = page.next_cursor;
    expect(pages.length).toBeLessThanOrEqual(whole.length);
  } while (cursor !== undefined);
  expect(pages).toEqual(whole);
});

it('goes on behind the cursor although its file has gone, and meets files that came', async () => {
  const { next_cursor } = await list({ limit: 2, pattern: 'cursor/*' });
  expect(next_cursor).toBeUndefined();
  mkdirSync(join(server.root, 'cursor'));
  for (const name of ['a', 'b', 'c', 'd']) writeFileSync(join(server.root, 'cursor', `${name}.yaml`), '');
  const page = await list({ limit: 2, pattern: 'cursor/*' });
  expect(page.next_cursor).toBe('cursor/b.yaml');
  writeFileSync(join(server.root, 'cursor', 'bb.yaml'), '');
  const next = await list({ limit: 2, pattern: 'cursor/*', cursor: 'cursor/b.yaml' });
  expect(next.files.map(({ file }) => file)).toEqual(['cursor/bb.yaml', 'cursor/c.yaml']);
  const missing = await list({ limit: 9, pattern: 'cursor/*', cursor: 'cursor/bbb.yaml' });
  expect(missing.files.map(({ file }) => file)).toEqual(['cursor/c.yaml', 'cursor/d.yaml']);
});

describe('pattern', () => {
  test.each([
    {
      pattern: '**/*.yml',
      files: [
        '.github/workflows/ci.yml',
        'deploy/base/web.yml',
        'web/.gitlab-ci/lint.yml',
        'web/.gitlab-ci.yml',
      ],
      why: 'all folders',
    },
    { pattern: 'deploy/**', files: ['deploy/base/web.yml', 'deploy/prod/web.yaml'], why: 'below a folder' },
    { pattern: 'nothing/**', files: [], why: 'nothing matches' },
    { pattern: '.git/**', files: [], why: 'a pattern opens nothing' },
    { pattern: '**/*.env', files: [], why: 'nor a denied name' },
  ])('$pattern: $why', async ({ pattern, files }) => {
    const found = await list({ pattern });
    expect(found.files.map(({ file }) => file)).toEqual(files);
  });

  test.each(['[', '../*', '/etc/*', '!(a)', ''])('%j is refused', async (pattern) => {
    const { code } = await server.refused('config_list', { pattern });
    expect(['ARGUMENT_INVALID', 'PATH_INVALID', 'PATH_OUTSIDE_ROOT']).toContain(code);
  });
});

it('tells of a tree that is too large to list whole', async () => {
  const files = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}.yaml`, '']));
  const small = await ownToolServer({ files, flags: ['--max-list-entries', '10'] });
  const { text, data } = await small.ok('config_list');
  expect(Listing.parse(data).truncated).toBe(true);
  expect(text).toContain('too large to list whole');
});

it('pages across several roots', async () => {
  const [one, two] = [tempRoot({ 'x.yaml': '', 'y.yaml': '' }), tempRoot({ 'x.yaml': '' })];
  onTestFinished(() => {
    for (const { remove } of [one, two]) remove();
  });
  const both = await ownToolServer({
    flags: ['--root', `one=${one.dir}`, '--root', `two=${two.dir}`],
  });
  const pages: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const args = cursor === undefined ? { limit: 1 } : { limit: 1, cursor };
    const page = Listing.parse((await both.ok('config_list', args)).data);
    pages.push(...page.files.map(({ file }) => file));
    cursor = page.next_cursor;
    if (cursor === undefined) break;
  }
  expect(pages).toEqual(['@one/x.yaml', '@one/y.yaml', '@two/x.yaml']);
  const found = async (pattern: string) =>
    Listing.parse((await both.ok('config_list', { pattern })).data).files.map(({ file }) => file);
  expect(await found('@one/**')).toEqual(['@one/x.yaml', '@one/y.yaml']);
  expect(await found('@two/*.yaml')).toEqual(['@two/x.yaml']);
  for (const whole of ['@one', '@one/']) expect(await found(whole)).toHaveLength(2);
  expect(await found('@one/x.yaml')).toEqual(['@one/x.yaml']);
  expect(await found('@no/**')).toEqual([]);
  expect(await found('x.yaml')).toEqual(['@one/x.yaml', '@two/x.yaml']);
  const edits = [{ op: 'create_file', file: '@two/new.yaml', content: 'a: 1\n' }];
  const { data } = await both.ok('config_edit', { edits });
  const search = { key: 'a', pattern: '@two/**', preview_id: data['preview_id'] };
  expect((await both.ok('config_search', search)).text).toContain('@two/new.yaml:1  a = 1');
  const other = { ...search, pattern: '@one/**' };
  expect((await both.ok('config_search', other)).text).toContain('Nothing found');
  await both.ok('config_edit', {
    edits: [{ op: 'insert', file: '@two/*.yaml', path: '', key: 'b', json: 1, create: true }],
  });
});

test.each([
  { pattern: 'deploy', found: ['deploy/base/web.yml', 'deploy/prod/web.yaml'], why: 'a folder' },
  { pattern: 'a.yaml', found: ['a.yaml'], why: 'a file' },
])('$why names all that is there: $pattern', async ({ pattern, found }) => {
  expect((await list({ pattern })).files.map(({ file }) => file).sort()).toEqual([...found].sort());
});

test.each([
  { pattern: 'web.yaml', says: '1 match in other folders: config_list {"pattern":"**/web.yaml"}' },
  { pattern: 'web.*', says: '2 match in other folders: config_list {"pattern":"**/web.*"}' },
  { pattern: '**/nothing.yaml', says: 'No files match "**/nothing.yaml". "*" stays in one folder' },
])('where nothing matches $pattern it says what would', async ({ pattern, says }) => {
  expect((await server.ok('config_list', { pattern })).text).toContain(says);
});

describe('files that another --allow would open', () => {
  const LINE = 'The operator can open them with --allow.';
  const closed = (count: number, which: string) =>
    `${count} ${count === 1 ? 'file' : 'files'} not open here, source code aside: ${which}. ${LINE}`;

  test.each([
    {
      args: {},
      says: closed(4, '3 .txt (notes.txt), deploy/.renovate.yaml'),
      why: 'all of them, and neither program source, binary files nor denied ones',
    },
    {
      args: { pattern: 'deploy/**' },
      says: closed(3, '2 .txt (deploy/b.txt), deploy/.renovate.yaml'),
      why: 'of a folder',
    },
    { args: { pattern: 'notes.txt' }, says: closed(1, 'notes.txt'), why: 'by its name' },
  ])('are counted and named: $why', async ({ args, says }) => {
    expect((await server.ok('config_list', args)).text).toContain(says);
    expect((await server.ok('config_search', { text: 'no such text', ...args })).text).toContain(says);
    const pattern = 'pattern' in args ? args.pattern : '**';
    expect((await server.ok('config_validate', { pattern })).text).toContain(says);
  });

  test.each(['**/*.env', '.git/**', 'secrets.env', '**/*.py', 'link.txt', 'a/**'])(
    'are not found in %s',
    async (pattern) => {
      expect((await server.ok('config_list', { pattern })).text).not.toContain('not open here');
    },
  );
});

describe('in a large tree', () => {
  const [FOLDERS, FILES_IN_EACH] = [900, 3];
  const files = Object.fromEntries(
    Array.from({ length: FOLDERS * FILES_IN_EACH }, (_, at) => [`f${at % FOLDERS}/c/file-${at}.ts`, '']),
  );
  const large = toolServer({ files: { ...files, 'f0/c/app.yaml': 'a: 1\n', 'f9/zz/web.yaml': '' } });

  /** The number of folders and files that a call opens. */
  async function openedBy(tool: string, args: Readonly<Record<string, unknown>>) {
    let opened = 0;
    const stop = onDiskCalls((name) => {
      if (name === 'openSync') opened += 1;
    });
    const { text } = await large.callTool(tool, args);
    stop();
    return { text, opened };
  }

  test.each([
    { why: 'a missing file', tool: 'config_get', args: { file: 'f0/c/ap.yaml' }, says: 'f0/c/app.yaml' },
    {
      why: 'a missing file nowhere',
      tool: 'config_get',
      args: { file: 'none.yaml' },
      says: 'FILE_NOT_FOUND',
    },
    { why: 'a name elsewhere', tool: 'config_list', args: { pattern: 'none.yaml' }, says: 'No files match' },
  ])('looks for similar names at 2,000 entries at most: $why', async ({ tool, args, says }) => {
    const { text, opened } = await openedBy(tool, args);
    expect(text).toContain(says);
    // There are 1,800 folders with 2,700 files, and each search for a name would open all of them.
    expect(opened).toBeLessThan(1_100);
  });

  test.each([
    { pattern: 'f0/c/app.yaml', most: 10 },
    { pattern: 'f0/*/app.yaml', most: 10 },
  ])('enters the folders that $pattern can reach', async ({ pattern, most }) => {
    const { text, opened } = await openedBy('config_list', { pattern });
    expect(text).toMatch(/\.yaml {2}\d/u);
    expect(opened).toBeLessThan(most);
  });
});

describe('an empty list', () => {
  const server = toolServer({
    files: { 'charts/a/examples/x/rendered/a.yaml': 'a: 1\n', 'keys/server.pem': 'x\n' },
  });

  it.each([
    { pattern: '**/*.{jks,p12,pem,key}', why: 'a kind of files that is denied' },
    { pattern: '**/*.nothing', why: 'a kind of files that is not there' },
    { pattern: 'charts/*/nothing', why: 'any other name' },
  ])('says that denied files are never listed: $why', async ({ pattern }) => {
    const { text } = await server.ok('config_list', { pattern });
    expect(text).toContain('Files on the denylist (keys, credentials) are never listed.');
  });

  it.each([
    { pattern: 'charts/a/examples/*/rendered', below: 'charts/a/examples/*/rendered/**' },
    { pattern: 'charts/*', below: 'charts/*/**' },
    { pattern: '**/rendered', below: '**/rendered/**' },
  ])('names the call for what is below the folders $pattern', async ({ pattern, below }) => {
    const { text } = await server.ok('config_list', { pattern });
    expect(text).toContain(`config_list {"pattern":"${below}"}`);
    expect((await server.ok('config_list', { pattern: below })).text).toContain('rendered/a.yaml');
  });
});

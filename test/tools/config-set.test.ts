// config_set through a client: previews by default, writes exactly what it showed, and refuses the rest.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { applyDiff } from '../harness/apply-diff.ts';
import { sha256 } from '../harness/sha256.ts';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const APP = `# app
server:
  host: localhost   # keep
  ports: [80, 443]
list:
- one
- two # second
`;

// One value here takes a busy machine some time.
const server = toolServer({ flags: ['--max-step-ms', '60000'] });

const Edited = z.strictObject({
  ok: z.literal(true),
  dry_run: z.literal(true).optional(),
  applied: z.literal(true).optional(),
  preview_id: z.string().optional(),
  expires_at: z.iso.datetime().optional(),
  change_id: z.string().optional(),
  confirmed_by: z.literal('direct').optional(),
  summary: z.string().optional(),
  diff: z.string().default(''),
  sha256: z.array(z.string()).optional(),
  note: z.string().optional(),
  warnings: z.array(z.string()).optional(),
});
const short = (text: string) => sha256(text).slice(0, 12);

async function set(args: Readonly<Record<string, unknown>>) {
  return Edited.parse((await server.ok('config_set', args)).data);
}

/** The bytes after a write that the preview announced, diff and sha256 and all. */
async function written(contents: string, args: Readonly<Record<string, unknown>>, extension = 'yaml') {
  const file = server.fresh(contents, extension);
  const preview = await set({ file, ...args });
  expect(server.disk(file)).toBe(contents);
  const applied = await set({ file, ...args, dry_run: false });
  const after = server.disk(file);
  const { diff, sha256: hashes } = preview;
  expect([applied.diff, applied.sha256]).toEqual([diff, hashes]);
  expect(hashes).toEqual([`${file} ${short(contents)} → ${short(after)}`]);
  expect(applyDiff(contents, diff)).toBe(after);
  return after;
}

describe('a preview', () => {
  it('is what a call is by default: a diff, the facts, the next call, and nothing written', async () => {
    const file = server.fresh(APP);
    const before = server.changedAt(file);
    const { text, data } = await server.ok('config_set', { file, path: 'server.host', value: 'db' });
    const diff = `--- a/${file}\n+++ b/${file}\n@@ -1,6 +1,6 @@\n # app\n server:\n-  host: localhost   # keep\n+  host: db   # keep\n   ports: [80, 443]\n list:\n - one\n`;
    const reply = Edited.parse(data);
    expect(reply).toEqual({
      ok: true,
      dry_run: true,
      preview_id: expect.stringMatching(/^pv_\w{10}$/u),
      expires_at: expect.any(String),
      summary: '1 path in 1 file',
      diff,
      sha256: [`${file} ${short(APP)} → ${short(APP.replace('localhost', 'db'))}`],
    });
    expect(text.endsWith(`config_apply {"preview_id":"${reply.preview_id}"}`)).toBe(true);
    expect(text).toContain(diff);
    expect(text).toContain('nothing was written');
    expect({ disk: server.disk(file), at: server.changedAt(file) }).toEqual({ disk: APP, at: before });
  });
});

describe('a write', () => {
  it('keeps the mode, leaves nothing beside the file, and says so', async () => {
    const file = server.fresh(APP);
    const { text } = await server.ok('config_set', {
      file,
      path: 'server.host',
      value: 'db',
      dry_run: false,
    });
    expect(text).toMatch(/^Applied: 1 path in 1 file\.\n--- a\//);
    expect(statSync(join(server.root, file)).mode & 0o777).toBe(0o644);
    expect(readdirSync(server.root).filter((name) => !/^f\d+\.(yaml|json)$/.test(name))).toEqual([]);
  });

  it('that changes nothing writes nothing and reports no change', async () => {
    const file = server.fresh(APP);
    const before = server.changedAt(file);
    for (const dry_run of [true, false]) {
      for (const value of [{ value: 'localhost' }, { json: 'localhost' }]) {
        const { text, data } = await server.ok('config_set', {
          file,
          path: 'server.host',
          ...value,
          dry_run,
        });
        expect(data).toEqual({ ok: true, note: text });
        expect(text).toContain('No change');
      }
    }
    expect(server.changedAt(file)).toBe(before);
  });
});

describe('value and json', () => {
  it('json holds keys that JavaScript would lose', async () => {
    const json = JSON.parse('{"__proto__": {"x": 1}, "constructor": 2}');
    expect(await written('a: old\n', { path: 'a', json })).toBe(
      'a:\n  __proto__:\n    x: 1\n  constructor: 2\n',
    );
  });

  it('value may have very many lines', async () => {
    const value = `|\n${'  text\n'.repeat(150_000)}`;
    const file = server.fresh('a: old\nb: 1\n');
    await server.ok('config_set', { file, path: 'a', value, dry_run: false });
    // Not toBe: it would take minutes to show how two such texts differ.
    expect(server.disk(file) === `a: ${value}b: 1\n`).toBe(true);
  });

  test.each([
    { value: '# only a comment', why: 'no value' },
    { value: '\uD800', why: 'half a character' },
    { value: '\u0000', why: 'a control character' },
  ])('value $value is refused: $why', async ({ value }) => {
    const file = server.fresh('a: old\n');
    const { code } = await server.refused('config_set', { file, path: 'a', value, dry_run: false });
    expect(code).toBe('VALUE_INVALID');
    expect(server.disk(file)).toBe('a: old\n');
  });
});

const ANCHORED = 'base: &b\n  x: 1\nuse: *b\nagain: {y: *b}\n';
it('an alias can be replaced, and not be passed through (YAML-025)', async () => {
  expect(await written(ANCHORED, { path: 'use', value: '5' })).toBe(ANCHORED.replace('use: *b', 'use: 5'));
  const { code } = await server.refused('config_set', {
    file: server.fresh(ANCHORED),
    path: 'use.x',
    value: '5',
  });
  expect(code).toBe('ALIAS_CROSSED');
});

it('is not written at once where there is a question about it, and says what to look at [APR-1]', async () => {
  const file = server.fresh('image:\n  tag: "1.10"\n');
  const args = { file, path: 'image.tag', value: '1.11', dry_run: false };
  const { code, details, again, preview } = await server.refused('config_set', args);
  // What the preview says is not said again.
  expect({ code, details }).toEqual({ code: 'PREVIEW_REQUIRED', details: undefined });
  expect(server.disk(file)).toContain('"1.10"');
  const warnings = [expect.stringContaining('Did you mean "json": "1.11"?')];
  expect(preview).toMatchObject({ warnings, diff: expect.stringContaining('+  tag: 1.11') });
  expect(again).toMatchObject({ tool: 'config_apply', arguments: { preview_id: preview?.preview_id } });
  await server.ok('config_apply', { preview_id: preview?.preview_id });
  expect(server.disk(file)).toContain('tag: 1.11');
});

it.each([
  { why: 'nothing like it', path: 'web.a.b', meant: 'another place' },
  { why: 'the same keys further down', path: 'image.tag', meant: 'web.image.tag' },
  { why: 'within a list', path: 'l[0].image.tag', meant: 'web.image.tag' },
])('several new levels of keys are not written at once: $why', async ({ path, meant }) => {
  const text = 'web:\n  image: {tag: 1}\nl:\n- x: 1\n';
  const file = server.fresh(text);
  const { code, text: said } = await server.refused('config_set', { file, path, json: 2, dry_run: false });
  expect(code).toBe('PREVIEW_REQUIRED');
  expect(said).toContain(`${path}: 2 levels of keys are new`);
  expect(said).toContain(`Did you mean ${meant}?`);
  expect(server.disk(file)).toBe(text);
  await server.ok('config_set', { file, path: 'web.image.pull', json: 2, dry_run: false });
  await server.ok('config_set', { file, path, json: 2, create: true, dry_run: false });
});

it('is proven by `yaml` as well, and written, with --verify full', async () => {
  const full = await ownToolServer({ files: { 'plain.yaml': 'a: 1\n' }, flags: ['--verify', 'full'] });
  await full.ok('config_set', { file: 'plain.yaml', path: 'a', value: '2', dry_run: false });
  expect(full.disk('plain.yaml')).toBe('a: 2\n');
});

// What a reviewer sees, and can keep, of a preview by which files come and go.
import { expect, it } from 'vitest';
import type { FileOp } from '../../src/security/edits/edit.ts';
import type { PreviewFile } from '../../src/state/preview.ts';
import { humanFlags, person, preview, stage } from '../harness/previews.ts';
import { sha256 } from '../harness/sha256.ts';
import { BASE, reviewFixture, serviceOf, swap } from './fixture.ts';

it('shows files that come and go with their folders, and lets each be kept by itself', async () => {
  const { here, look, draft, file, previews, service, keys } = await reviewFixture();
  here.write('root/old.yaml', 'b: 1\n');
  const whole = (name: string, base: string, after: string, file_op: FileOp): PreviewFile => {
    const edits = [{ start: 0, end: base.length, insert: after }];
    const hashes = { base_sha256: sha256(base), result_sha256: sha256(after) };
    return { file: name, base, ...hashes, file_op, edits, ...look(name, base, after, edits, file_op) };
  };
  const created = { ...whole('n/new.yaml', '', 'c: no\n', 'create'), folders: ['n'] };
  const deleted = { ...whole('old.yaml', 'b: 1\n', '', 'delete'), mode: 0o644 };
  const files = [created, file('a.yaml', BASE, [swap('2', '3')]), deleted];
  const id = (await previews.save(draft(files, { approval: 'human' })))?.id ?? '';
  const shown = await service.open(id);
  expect(shown.files.map(({ state }) => state)).toEqual(['same', 'same', 'same']);
  expect(shown.files[0]?.diff).toBe('--- /dev/null\n+++ b/n/new.yaml\n@@ -0,0 +1 @@\n+c: no\n');
  expect(shown.files[2]?.diff).toBe('--- a/old.yaml\n+++ /dev/null\n@@ -1 +0,0 @@\n-b: 1\n');
  expect([0, 2].map((at) => shown.files[at]?.changes[0]?.path)).toEqual(Array(2).fill('(the whole file)'));
  expect(shown.files[0]?.warnings[0]).toBe('The file is in a new folder: n.');
  expect(shown.files[0]?.warnings.join()).toContain('c: no is');
  expect(shown.parts.map(({ diff }) => diff)).toEqual(shown.files.map(({ diff }) => diff));
  expect((await service.part(id, [0])).map((one) => [one.file, one.file_op])).toEqual([
    ['n/new.yaml', 'create'],
  ]);
  await service.approve(id, keys.ann);
  expect((await service.open(id)).state).toBe('approved');
  here.write('root/n/new.yaml', 'theirs: 1\n');
  expect((await service.open(id)).files[0]?.state).toBe('unreadable');
});

it('says what is left of the problems of a file, which no schema can be held against [EDT-10]', async () => {
  const { here, look, draft, previews, service } = await reviewFixture();
  const [base, after] = ['a: [\n', 'a: [1\n'];
  here.write('root/broken.yaml', base);
  const edits = [{ start: 4, end: 4, insert: '1' }];
  const hashes = { base_sha256: sha256(base), result_sha256: sha256(after) };
  const file = { file: 'broken.yaml', base, ...hashes, edits, ...look('broken.yaml', base, after, edits) };
  const id = (await previews.save(draft([file], { approval: 'human' })))?.id ?? '';
  expect((await service.open(id)).files[0]?.warnings.join()).toContain(
    'The file is still not valid YAML: line 2',
  );
});

it('takes no part that breaks a schema of the operator [EDT-9]', async () => {
  const at = stage({ 'a.yaml': BASE });
  const edits = ['replicas', 'image'].map((path) => ({ op: 'set', file: 'a.yaml', path, value: '3' }));
  const flags = humanFlags(at, [person('ann')]);
  const id = await preview(await at.start(flags), { edits }, 'config_edit');
  const schema = { if: { properties: { replicas: { const: 3 } } }, else: true };
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  const whole = { ...schema, then: { properties: { image: { const: 3 } } } };
  const schemas = [{ pattern: '**', name: 's.json', schema: whole }];
  const by = { approval: 'human', reviewers: flags.at(-1) } as const;
  const service = await serviceOf({ roots: [at.root], stateDir: at.state, ...by, schemas });
  await expect(service.part(id, [0])).rejects.toMatchObject({ code: 'SCHEMA_VIOLATION' });
  expect(await service.part(id, [1])).toHaveLength(1);
});

const ALIASES = 'a: 1\nb: 2 # two\nc: &c 3\nd: *c\nl:\n  - 1\n  - 2\n  - 3\n  - 4\n';
it.each<{ why: string; edits: readonly (readonly [string, string])[]; kept: number }>([
  {
    why: 'an alias goes without its anchor',
    edits: [
      ['a: 1', 'a: &new 1'],
      ['b: 2', 'b: *new'],
    ],
    kept: 1,
  },
  {
    why: 'an item is another one as long as the first stays',
    edits: [
      ['  - 1\n', ''],
      ['  - 3\n', ''],
    ],
    kept: 0,
  },
  {
    why: 'an anchor goes while its alias stays',
    edits: [
      ['*c', '3'],
      ['&c 3', '3'],
    ],
    kept: 0,
  },
  {
    why: 'what was to go follows through an alias',
    edits: [
      ['d: *c\n', ''],
      ['&c 3', '&c 8'],
    ],
    kept: 0,
  },
])('takes no part that would be another change without the rest: $why [EDT-9]', async ({ edits, kept }) => {
  const at = stage({ 'a.yaml': ALIASES });
  const texts = edits.map(([old_text, new_text]) => ({
    op: 'replace_text',
    file: 'a.yaml',
    old_text,
    new_text,
  }));
  const flags = humanFlags(at, [person('ann')]);
  const id = await preview(await at.start(flags), { edits: texts }, 'config_edit');
  const by = { approval: 'human', reviewers: flags.at(-1) } as const;
  const service = await serviceOf({ roots: [at.root], stateDir: at.state, ...by });
  await expect(service.part(id, [kept])).rejects.toMatchObject({ code: 'VERIFICATION_FAILED' });
});

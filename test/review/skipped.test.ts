// Files that a pattern matched and that cannot be read: a batch goes on without them only after somebody has seen which they are.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { humanFlags, person, stage } from '../harness/previews.ts';
import { serviceOf, swap } from './fixture.ts';
import { openPage } from './web/open-page.ts';

const EDITS = [{ op: 'set', file: '**/*.yaml', path: '**.replicas', value: '7' }];
const BROKEN = { 'broken.yaml': 'x: [1\n', 'cut.yaml': 'replicas: "1\n' };
const NAMED = ['broken.yaml (SYNTAX_INVALID)', 'cut.yaml (SYNTAX_INVALID)'];

function withBroken(root: string): void {
  writeFileSync(join(root, 'good.yaml'), 'replicas: 2\n');
  for (const [name, text] of Object.entries(BROKEN)) writeFileSync(join(root, name), text);
}

test('a write at once is a question that names them, and its preview can be applied', async () => {
  const at = stage();
  withBroken(at.root);
  const server = await at.start();
  const error = await server.refused('config_edit', { edits: EDITS, dry_run: false });
  expect(error).toMatchObject({ code: 'PREVIEW_REQUIRED' });
  for (const file of NAMED) expect(error.text).toContain(file);
  await server.ok('config_apply', { preview_id: /pv_\w+/u.exec(error.text)?.[0] });
  // No other file is asked about.
  await server.ok('config_edit', { edits: [{ ...EDITS[0], file: 'g*.yaml', value: '8' }], dry_run: false });
});

test('the page lists them', async () => {
  const { enter, propose } = await openPage();
  const session = await enter();
  const skipped = [{ file: 'broken.yaml', reason: 'SYNTAX_INVALID' }];
  const { body } = await session.get(`/change/${await propose([swap('2', '3')], { skipped })}`);
  expect(body).toContain('<li>broken.yaml (SYNTAX_INVALID)</li>');
});

test('a reviewer is shown all of them', async () => {
  const at = stage();
  withBroken(at.root);
  const flags = humanFlags(at, [person('ann')]);
  const { data } = await (await at.start(flags)).ok('config_edit', { edits: EDITS });
  const approval = { approval: 'human', reviewers: flags.at(-1) } as const;
  const service = await serviceOf({ roots: [at.root], stateDir: at.state, ...approval });
  expect((await service.open(String(data['preview_id']))).skipped).toEqual(NAMED);
});

// A batch whose server was killed between its files: what was written goes back, whatever the rules say of it by then, and nothing
// new is written that nobody has agreed to. The preview is as it was, and so are the signatures for it.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { humanFlags, person, preview, type Stage, stage } from '../harness/previews.ts';
import { keptIn, openIn, trailOf } from '../harness/state.ts';

const CHILD = fileURLToPath(new URL('./children/mortal-apply.mjs', import.meta.url));
const FILES = { 'a.yaml': 'a: 1\n', 'b.yaml': 'password: 0ld-Canary-77\nx: 1\n' };
const BOTH = {
  edits: [
    { op: 'set', file: 'a.yaml', path: 'a', json: 7 },
    { op: 'set', file: 'b.yaml', path: 'x', json: 7 },
  ],
};
const OLD = [FILES['a.yaml'], FILES['b.yaml']];
const HALF = ['a: 7\n', FILES['b.yaml']];
const WHOLE = ['a: 7\n', 'password: 0ld-Canary-77\nx: 7\n'];

const textsOf = (at: Stage) => ['a.yaml', 'b.yaml'].map((file) => at.disk(file));
const recovered = (at: Stage) =>
  trailOf(at.state).flatMap(({ type, settled, files }) =>
    settled === true ? [`${type} ${files.map(({ file }) => file).join()}`] : [],
  );

function policyFlags(at: Stage, text: string): readonly string[] {
  const file = join(at.place, 'policy.yaml');
  writeFileSync(file, `${text}\n`, { mode: 0o600 });
  const [, , ...reviewers] = humanFlags(at, [person('ann')]);
  return ['--policy', file, ...reviewers];
}

/** It dies there, whatever the rules say of it. */
function killed(at: Stage, id: string, step: string, ...reviewers: readonly string[]): void {
  const args = [CHILD, at.root, at.state, id, step, ...reviewers];
  const { signal, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
  });
  expect([signal, signal === 'SIGKILL' ? '' : stderr]).toEqual(['SIGKILL', '']);
}

async function halved(at: Stage, flags: readonly string[]): Promise<string> {
  const server = await at.start(flags);
  const id = await preview(server, BOTH, 'config_edit');
  await server.close();
  killed(at, id, 'halved');
  expect(textsOf(at)).toEqual(HALF);
  return id;
}

const SECURE = '{ id: x, paths: x, then: human }';
const PREVIEW = '{default: preview, rules: [{ id: secure, paths: secure, then: human }]}';

describe('a batch that was killed between its files is undone', () => {
  it.each([
    { why: 'where it needs what it needed', policy: PREVIEW },
    { why: 'where nobody is asked any more', policy: '{default: direct, rules: []}' },
    { why: 'where a rule asks for a reviewer', policy: `{default: direct, rules: [${SECURE}]}` },
    {
      why: 'where one denies a file of it',
      policy: `{default: direct, rules: [{ id: b, files: b.yaml, then: deny }, ${SECURE}]}`,
    },
  ])('$why [WRT-6] [APR-3]', async ({ policy }) => {
    const at = stage(FILES);
    await halved(at, policyFlags(at, PREVIEW));
    await at.start(policyFlags(at, policy));
    expect([textsOf(at), recovered(at)]).toEqual([OLD, ['rolled_back a.yaml,b.yaml']]);
    expect([openIn(at.state), keptIn(at.state, 'changes')]).toEqual([[], []]);
  });

  it('and can be applied again, by the same approval of the same preview, also a file with secrets [WRT-6] [APR-4]', async () => {
    const at = stage(FILES);
    const ann = person('ann');
    const flags = humanFlags(at, [ann]);
    const first = await at.start(flags);
    const id = await preview(first, BOTH, 'config_edit');
    await first.close();
    await ann.decide(at, id, 'approve');
    killed(at, id, 'halved', join(at.place, 'reviewers'));
    expect(textsOf(at)).toEqual(HALF);
    const server = await at.start(flags);
    expect([textsOf(at), recovered(at)]).toEqual([OLD, ['rolled_back a.yaml,b.yaml']]);
    const { data } = await server.ok('config_apply', { preview_id: id });
    expect(data).toMatchObject({ confirmed_by: 'human', reviewer: 'ann' });
    expect(textsOf(at)).toEqual(WHOLE);
  });

  it('and its preview is rejected where somebody has rejected it since [APR-4]', async () => {
    const at = stage(FILES);
    const ann = person('ann');
    const flags = humanFlags(at, [ann]);
    const first = await at.start(flags);
    const id = await preview(first, BOTH, 'config_edit');
    await ann.decide(at, id, 'approve');
    killed(at, id, 'halved', join(at.place, 'reviewers'));
    await ann.decide(at, id, 'reject');
    expect((await first.refused('config_apply', { preview_id: id })).code).toMatch(
      /PREVIEW_USED|APPROVAL_DECLINED/u,
    );
    const second = await at.start(flags);
    expect((await second.refused('config_apply', { preview_id: id })).code).toBe('APPROVAL_DECLINED');
    expect(textsOf(at)).toEqual(OLD);
  });

  it('by a running server, too, before it writes one of these files [WRT-6]', async () => {
    const at = stage(FILES);
    const server = await at.start(['--approval', 'preview']);
    const id = await preview(server, BOTH, 'config_edit');
    const other = await preview(server, { file: 'b.yaml', path: 'x', json: 9 });
    killed(at, id, 'halved');
    await server.ok('config_apply', { preview_id: other });
    expect(textsOf(at)).toEqual([FILES['a.yaml'], FILES['b.yaml'].replace('x: 1', 'x: 9')]);
    expect(recovered(at)).toEqual(['rolled_back a.yaml,b.yaml']);
  });
});

it('a batch that was killed behind its last file is applied, and its preview used [WRT-6]', async () => {
  const at = stage(FILES);
  const first = await at.start(['--approval', 'preview']);
  const id = await preview(first, BOTH, 'config_edit');
  await first.close();
  killed(at, id, 'replaced');
  const server = await at.start(['--approval', 'preview']);
  expect([textsOf(at), recovered(at)]).toEqual([WHOLE, ['applied a.yaml,b.yaml']]);
  expect((await server.refused('config_apply', { preview_id: id })).code).toBe('PREVIEW_USED');
});

it('a batch of which somebody else has written a file meanwhile is left as it is, and said to be unknown [WRT-6]', async () => {
  const at = stage(FILES);
  const id = await halved(at, ['--approval', 'preview']);
  at.write('b.yaml', 'x: 5\n');
  const server = await at.start(['--approval', 'preview']);
  expect([textsOf(at), recovered(at)]).toEqual([['a: 7\n', 'x: 5\n'], ['unknown a.yaml,b.yaml']]);
  expect((await server.refused('config_apply', { preview_id: id })).code).toBe('PREVIEW_USED');
});

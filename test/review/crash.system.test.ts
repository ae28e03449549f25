// Previews, approvals and applies that a kill -9 comes between: what was approved stays approved, what was not
// carried through can be tried again, and what was is known to be.
import { spawnSync } from 'node:child_process';
import { copyFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FILES, humanFlags, person, preview, SET_TEXT, type Stage, stage } from '../harness/previews.ts';
import { trailOf } from '../harness/trail.ts';

const CHILD = fileURLToPath(new URL('./children/mortal-apply.mjs', import.meta.url));
const FLAGS = ['--approval', 'preview'];

async function previewed(at: Stage): Promise<string> {
  const server = await at.startProcess(FLAGS);
  const id = await preview(server);
  await server.close();
  return id;
}

function killedAfter(step: string, at: Stage, id: string): void {
  const { signal, stderr } = spawnSync(process.execPath, [CHILD, at.root, at.state, id, step], {
    encoding: 'utf8',
  });
  expect([signal, signal === 'SIGKILL' ? '' : stderr]).toEqual(['SIGKILL', '']);
}

const openChanges = (at: Stage): readonly string[] =>
  readdirSync(join(at.state, 'changes')).filter((name) => name.endsWith('.open'));

describe('a server that is killed', () => {
  it('between preview, approval and apply has lost nothing [APR-4]', async () => {
    const at = stage();
    const ann = person('ann');
    const flags = humanFlags(at, [ann]);
    const first = await at.startProcess(flags);
    const id = await preview(first);
    await first.kill();
    await ann.decide(at, id, 'approve');
    const second = await at.startProcess(flags);
    await second.kill();
    const { data } = await (await at.startProcess(flags)).ok('config_apply', { preview_id: id });
    expect(data).toMatchObject({ confirmed_by: 'human', reviewer: 'ann' });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });

  it.each([
    { step: 'begun', last: { action: 'propose' } },
    { step: 'intended', last: { action: 'recover', outcome: 'rolled_back' } },
  ])('once it had $step, before it wrote: the preview can be applied [APR-4]', async ({ step, last }) => {
    const at = stage();
    const id = await previewed(at);
    killedAfter(step, at, id);
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    expect(openChanges(at)).toHaveLength(1);
    const server = await at.startProcess(FLAGS);
    expect(openChanges(at)).toEqual([]);
    expect(trailOf(at).at(-1)).toMatchObject({ ...last, preview: id });
    await server.ok('config_apply', { preview_id: id });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });

  it.each([
    { step: 'replaced', action: 'recover' },
    { step: 'written', action: 'commit' },
    { step: 'committed', action: 'commit' },
  ])('once it had $step: the change is known, and the preview used [APR-4]', async ({ step, action }) => {
    const at = stage();
    const id = await previewed(at);
    killedAfter(step, at, id);
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
    const server = await at.startProcess(FLAGS);
    expect(openChanges(at)).toEqual([]);
    expect(trailOf(at).at(-1)).toMatchObject({ action, outcome: 'applied', preview: id });
    at.write('a.yaml', FILES['a.yaml']);
    expect((await server.refused('config_apply', { preview_id: id })).code).toBe('PREVIEW_USED');
    expect(readdirSync(join(at.state, 'changes'))).toHaveLength(1);
  });

  it('is not what a change that somebody put there says: without a recorded intent it never began [APR-5]', async () => {
    const at = stage();
    const id = await previewed(at);
    killedAfter('begun', at, id);
    // Around the airlock, to look like the work of the preview.
    at.write('a.yaml', SET_TEXT);
    const server = await at.startProcess(FLAGS);
    expect(readdirSync(join(at.state, 'changes'))).toEqual([]);
    expect(trailOf(at).filter(({ action }) => action === 'recover')).toEqual([]);
    at.write('a.yaml', FILES['a.yaml']);
    await server.ok('config_apply', { preview_id: id });
  });

  it('does not undo what is recorded as done, whatever record somebody put beside it [APR-5]', async () => {
    const at = stage();
    const first = await at.startProcess(FLAGS);
    await first.ok('config_apply', { preview_id: await preview(first) });
    await first.close();
    const [change = ''] = readdirSync(join(at.state, 'changes'));
    const [ended, open] = ['.json', '.open'].map((end) =>
      join(at.state, 'changes', change.replace('.json', end)),
    );
    copyFileSync(ended ?? '', open ?? '');
    at.write('a.yaml', FILES['a.yaml']);
    await at.startProcess(FLAGS);
    expect(readdirSync(join(at.state, 'changes'))).toEqual([change]);
    expect(trailOf(at).at(-1)).toMatchObject({ action: 'commit', outcome: 'applied' });
  });

  it('before it wrote, and then somebody else wrote: nobody can say, and nothing is lost', async () => {
    const at = stage();
    const id = await previewed(at);
    killedAfter('intended', at, id);
    at.write('a.yaml', 'a: 9\n');
    const server = await at.startProcess(FLAGS);
    expect((await server.refused('config_apply', { preview_id: id })).code).toBe('PREVIEW_USED');
    expect(at.disk('a.yaml')).toBe('a: 9\n');
    expect(readdirSync(join(at.state, 'changes')).filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });
});

it('of two servers that apply one preview at once, one does, in each of 10 rounds [APR-4]', async () => {
  const at = stage();
  const servers = [await at.startProcess(FLAGS), await at.startProcess(FLAGS)];
  const [one] = servers;
  if (one === undefined) throw new Error('two were started');
  for (let round = 0; round < 10; round += 1) {
    at.write('a.yaml', FILES['a.yaml']);
    const id = await preview(one);
    const replies = await Promise.all(
      servers.map((server) => server.callTool('config_apply', { preview_id: id })),
    );
    const lost = replies.filter(({ isError }) => isError);
    expect(lost).toHaveLength(1);
    expect(lost[0]?.text).toMatch(/^(?:PREVIEW_USED|FILE_CHANGED|BUSY): /u);
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
    expect(readdirSync(join(at.state, 'changes'))).toHaveLength(round + 1);
  }
});

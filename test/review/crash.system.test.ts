// Previews, approvals and applies that a kill -9 comes between: what was approved stays approved, what was not
// carried through can be tried again, and what was is known to be.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { FILES, humanFlags, person, preview, SET, SET_TEXT, type Stage, stage } from '../harness/previews.ts';
import { keptIn, openIn, trailOf, withDatabase } from '../harness/state.ts';

const CHILD = fileURLToPath(new URL('./children/mortal-apply.mjs', import.meta.url));
const FLAGS = ['--approval', 'preview'];

async function previewed(at: Stage): Promise<string> {
  const server = await at.start(FLAGS);
  const id = await preview(server);
  await server.close();
  return id;
}

function killedAt(step: string, at: Stage, id: string): void {
  const { signal, stderr } = spawnSync(process.execPath, [CHILD, at.root, at.state, id, step], {
    encoding: 'utf8',
  });
  expect([signal, signal === 'SIGKILL' ? '' : stderr]).toEqual(['SIGKILL', '']);
}

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
    const { data } = await (await at.start(flags)).ok('config_apply', { preview_id: id });
    expect(data).toMatchObject({ confirmed_by: 'human', reviewer: 'ann' });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });

  it.each([
    { step: 'unrecorded', open: 0, last: { type: 'previewed' } },
    { step: 'recorded', open: 1, last: { type: 'rolled_back', settled: true } },
    { step: 'staged', open: 1, last: { type: 'rolled_back', settled: true } },
  ])(
    'when it was $step, before it wrote: the preview can be applied [APR-4]',
    async ({ step, open, last }) => {
      const at = stage();
      const id = await previewed(at);
      killedAt(step, at, id);
      expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
      expect(openIn(at.state)).toHaveLength(open);
      const server = await at.start(FLAGS);
      expect(openIn(at.state)).toEqual([]);
      expect(trailOf(at.state).at(-1)).toMatchObject({ ...last, about: id });
      await server.ok('config_apply', { preview_id: id });
      expect(at.disk('a.yaml')).toBe(SET_TEXT);
    },
  );

  it.each([
    { step: 'replaced', settled: true },
    { step: 'committed', settled: undefined },
  ])(
    'when it was $step: the change is known, and the preview used [APR-4] [AUD-6]',
    async ({ step, settled }) => {
      const at = stage();
      const id = await previewed(at);
      killedAt(step, at, id);
      expect(at.disk('a.yaml')).toBe(SET_TEXT);
      const server = await at.start(FLAGS);
      expect(openIn(at.state)).toEqual([]);
      expect(trailOf(at.state).at(-1)).toEqual(expect.objectContaining({ type: 'applied', about: id }));
      expect(trailOf(at.state).at(-1)?.settled).toBe(settled);
      at.write('a.yaml', FILES['a.yaml']);
      expect((await server.refused('config_apply', { preview_id: id })).code).toBe('PREVIEW_USED');
      expect(keptIn(at.state, 'changes')).toHaveLength(1);
    },
  );

  it.each([
    {
      why: 'was put there without a recorded intent',
      step: 'staged',
      spoil: "DELETE FROM trail WHERE type = 'begun'",
    },
    {
      why: 'is recorded as done, and was opened again',
      step: 'committed',
      spoil: "UPDATE previews SET state = 'open' WHERE begun IS NOT NULL",
    },
  ])(
    'does not settle a change that $why: it reads, writes nothing and says so [APR-5]',
    async ({ step, spoil }) => {
      const at = stage();
      const id = await previewed(at);
      killedAt(step, at, id);
      withDatabase(at.state, (database) => database.run(spoil));
      // Around the airlock, as if the change had come to the other end.
      const text = step === 'staged' ? SET_TEXT : FILES['a.yaml'];
      at.write('a.yaml', text);
      const before = [trailOf(at.state), keptIn(at.state, 'changes')];
      const server = await at.start(FLAGS);
      await server.ok('config_get', { file: 'a.yaml' });
      for (const preview_id of [id, 'pv_0000000000'])
        expect((await server.refused('config_apply', { preview_id })).code).toBe('IO_ERROR');
      expect((await server.refused('config_set', { ...SET, json: 8 })).message).toContain('audit verify');
      expect([trailOf(at.state), keptIn(at.state, 'changes')]).toEqual(before);
      expect(at.disk('a.yaml')).toBe(text);
    },
  );

  it('before it wrote, and then somebody else wrote: nobody can say, and nothing is lost', async () => {
    const at = stage();
    const id = await previewed(at);
    killedAt('staged', at, id);
    at.write('a.yaml', 'a: 9\n');
    const server = await at.start(FLAGS);
    expect((await server.refused('config_apply', { preview_id: id })).code).toBe('PREVIEW_USED');
    expect(at.disk('a.yaml')).toBe('a: 9\n');
    expect(keptIn(at.state, 'changes')).toHaveLength(1);
    expect(openIn(at.state)).toEqual([]);
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
    expect(keptIn(at.state, 'changes')).toHaveLength(round + 1);
  }
});

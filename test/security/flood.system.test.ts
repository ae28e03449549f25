// Finding 15.1: a flood of refused writes must neither fill the trail nor hide what else happens: the first are recorded one by one, the
// rest as a number.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RefusedWrites } from '../../src/engine/index.ts';
import { createLog } from '../../src/security/index.ts';
import { escapesOf } from '../harness/figures.ts';
import { humanFlags, person, preview, SET, SET_TEXT, stage } from '../harness/previews.ts';
import { trailOf } from '../harness/trail.ts';
import { place } from './fixture.ts';

const CALL = { tool: 'config_set', requestId: 'r', writes: true, caller: { name: 'x', version: '1' } };
const REFUSED = { status: 'refused', code: 'PREVIEW_REQUIRED' } as const;

function opened() {
  const file = join(place().base, 'log.jsonl');
  const writes = new RefusedWrites(createLog({ level: 'error', format: 'json', file }));
  const records = () =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  const refuse = (count: number, name = 'a.yaml') => {
    for (let left = count; left > 0; left -= 1) writes.record({ ...CALL, args: { file: name } }, REFUSED);
  };
  return { writes, records, refuse };
}

it('records two hundred refused writes of a minute one by one, and counts the others in one record [AUD-1]', () => {
  const { writes, records, refuse } = opened();
  refuse(200);
  writes.flush();
  expect(records()).toHaveLength(200);
  refuse(10_000);
  expect(records()).toHaveLength(400);
  writes.flush();
  expect(records()).toHaveLength(401);
  expect(records().at(-1)).toMatchObject({ action: 'refused_writes', outcome: 'refused', count: 9_800 });
  refuse(1, 'b.yaml');
  expect(records().at(-1)).toMatchObject({ action: 'config_set', file: 'b.yaml', code: 'PREVIEW_REQUIRED' });
});

it('counts each file of a batch, and nothing of calls that write nothing or were recorded already', () => {
  const { writes, records } = opened();
  const edits = Array.from({ length: 20 }, (_, n) => ({ file: `${n}.yaml` }));
  for (let left = 11; left > 0; left -= 1) writes.record({ ...CALL, args: { edits } }, REFUSED);
  writes.record({ ...CALL, writes: false, args: {} }, REFUSED);
  writes.record({ ...CALL, args: {} }, { ...REFUSED, isAudited: true });
  writes.flush();
  expect(records()).toHaveLength(201);
  expect(records().at(-1)).toMatchObject({ count: 20 });
});

it('flood (finding 15.1): what an agent is refused ends no applying of what a person approved [AUD-1] [APR-4]', async () => {
  const at = stage();
  const ann = person('ann');
  const flags = humanFlags(at, [ann]);
  const first = await at.start(flags);
  const id = await preview(first);
  for (let left = 40; left > 0; left -= 1)
    await Promise.all(
      Array.from({ length: 50 }, () => first.refused('config_set', { ...SET, dry_run: false })),
    );
  await first.close();
  ann.decide(at, id, 'approve');
  const second = await at.start(flags);
  const { isError } = await second.callTool('config_apply', { preview_id: id });
  const [isFilled, isStopped] = [trailOf(at).length > 250, isError || at.disk('a.yaml') !== SET_TEXT];
  expect(escapesOf('flood', 2_000, [isFilled, isStopped].filter(Boolean))).toEqual([]);
});

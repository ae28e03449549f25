// Finding 15.1: a flood of refused writes must neither fill the trail nor hide what else happens: the first are recorded one by one, the
// rest as a number.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { RefusedWrites } from '../../src/engine/index.ts';
import { escapesOf } from '../harness/figures.ts';
import { humanFlags, person, preview, SET, SET_TEXT, stage } from '../harness/previews.ts';
import { trailOf } from '../harness/state.ts';
import { place } from './fixture.ts';

const CALL = { tool: 'config_set', requestId: 'r', writes: true, caller: { name: 'x', version: '1' } };
const REFUSED = { status: 'refused', code: 'PREVIEW_REQUIRED' } as const;

function opened() {
  const { state, base } = place();
  const writes = new RefusedWrites({ log: state().log, state: state() });
  const records = () => trailOf(join(base, 'state'));
  const refuse = async (count: number, name = 'a.yaml') => {
    for (let left = count; left > 0; left -= 1)
      await writes.record({ ...CALL, args: { file: name } }, REFUSED);
  };
  return { writes, records, refuse };
}

it('records two hundred refused writes of a minute one by one, and counts the others in one record [AUD-1]', async () => {
  const { writes, records, refuse } = opened();
  await refuse(200);
  await writes.flush();
  expect(records()).toHaveLength(200);
  await refuse(10_000);
  expect(records()).toHaveLength(400);
  await writes.flush();
  expect(records()).toHaveLength(401);
  expect(records().at(-1)).toMatchObject({ action: 'refused_writes', outcome: 'refused', count: 9_800 });
  await refuse(1, 'b.yaml');
  expect(records().at(-1)).toMatchObject({
    ...{ action: 'config_set', files: [{ file: 'b.yaml' }], code: 'PREVIEW_REQUIRED' },
  });
});

it('names each file of a batch, and records nothing of calls that write nothing', async () => {
  const { writes, records } = opened();
  const edits = Array.from({ length: 20 }, (_, n) => ({ file: `${n}.yaml` }));
  await writes.record({ ...CALL, args: { edits } }, REFUSED);
  await writes.record({ ...CALL, writes: false, args: {} }, REFUSED);
  await writes.flush();
  expect(records()).toHaveLength(1);
  expect(records().at(-1)?.files).toEqual(edits);
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
  await ann.decide(at, id, 'approve');
  const second = await at.start(flags);
  const { isError } = await second.callTool('config_apply', { preview_id: id });
  const [isFilled, isStopped] = [trailOf(at.state).length > 250, isError || at.disk('a.yaml') !== SET_TEXT];
  expect(escapesOf('flood', 2_000, [isFilled, isStopped].filter(Boolean))).toEqual([]);
});

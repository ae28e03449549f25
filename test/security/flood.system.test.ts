import { expect, it } from 'vitest';
import { escapesOf } from '../harness/figures.ts';
import { humanFlags, person, preview, SET, SET_TEXT, stage } from '../harness/previews.ts';
import { trailOf } from '../harness/state.ts';

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

// Finding 15.5, WORK-020: what agents propose is bounded, and whoever decides sees all that waits. test/long/state.test.ts does
// it with 200,000 previews.
import { expect, it } from 'vitest';
import { createLog } from '../../src/security/audit/log.ts';
import { openAirlock } from '../../src/server.ts';
import { escapesOf } from '../harness/figures.ts';
import { humanFlags, person, preview, SET, stage } from '../harness/previews.ts';
import { timesOf } from '../harness/runs.ts';
import type { ToolServer } from '../harness/tool-server.ts';

const KEPT = 500;
const FLOOD = timesOf(550, 700);

async function previews(server: ToolServer, count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count)
    ids.push(
      ...(await Promise.all(Array.from({ length: 25 }, (_, n) => preview(server, { ...SET, json: n + 2 })))),
    );
  return ids;
}

it('bounds (finding 15.5): no flood of previews keeps more than 500, or hides what waits for a person [APR-6] [APR-13]', async () => {
  const at = stage();
  const flags = humanFlags(at, [person('ann')]);
  const asking = await at.start(flags);
  const waiting = await Promise.all(
    Array.from({ length: 10 }, (_, n) => preview(asking, { ...SET, json: 100 + n })),
  );
  const flooding = await at.start(['--approval', 'preview']);
  const ids = await previews(flooding, FLOOD);
  // Applying one makes the others stale, so only a preview that is gone is refused in these ways.
  const kept: string[] = [];
  for (const id of ids.slice(0, FLOOD - KEPT - 20)) {
    const { text } = await flooding.callTool('config_apply', { preview_id: id });
    if (!/PREVIEW_(?:NOT_FOUND|EXPIRED)/u.test(text)) kept.push(text);
  }
  const log = createLog({ level: 'error', format: 'json', isSilent: true });
  const [, , , reviewers] = flags;
  const { state, sandbox } = await openAirlock({
    roots: [at.root],
    stateDir: at.state,
    approval: 'human',
    reviewers: reviewers ?? '',
    log,
  });
  const listed = ((await state?.store.waiting()) ?? []).map(({ id: one }) => one);
  state?.dir?.close();
  sandbox.close();
  const unseen = waiting.filter((id) => !listed.includes(id));
  expect(escapesOf('bounds', ids.length, [...kept, ...unseen])).toEqual([]);
});

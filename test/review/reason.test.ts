// What an agent says its change is for reaches everybody who decides or looks back, as its own words: harmless to the
// eye, and never as if this program had said it.
import { expect, test } from 'vitest';
import { humanFlags, person, SET, stage } from '../harness/previews.ts';
import { trailOf } from '../harness/state.ts';
import { serviceOf, swap } from './fixture.ts';
import { openPage } from './web/open-page.ts';

const HOSTILE = 'ticket 7\u001b[2J\n<script>x</script> \u202E State: approved';
const VISIBLE = 'ticket 7<U+001B>[2J<U+000A><script>x</script> <U+202E> State: approved';

test("a reason is kept, recorded, and shown at the terminal and on the page as the agent's own words", async () => {
  const at = stage();
  const ann = person('ann');
  const server = await at.start(humanFlags(at, [ann]));
  const { data } = await server.ok('config_set', { ...SET, reason: HOSTILE });
  const id = String(data['preview_id']);
  const reviewers = humanFlags(at, [ann]).at(-1);
  const service = await serviceOf({ roots: [at.root], stateDir: at.state, approval: 'human', reviewers });
  const view = await service.open(id);
  expect(view.reason).toBe(VISIBLE);
  await ann.decide(at, id, 'approve');
  const applied = await server.ok('config_apply', { preview_id: id });
  expect((await service.change(String(applied.data['change_id']))).reason).toBe(VISIBLE);
  expect(trailOf(at.state).map(({ reason }) => reason)).toEqual(expect.arrayContaining([VISIBLE]));
});

test('a reason has bounds', async () => {
  const at = stage();
  const server = await at.start();
  const error = await server.refused('config_set', { ...SET, reason: 'x'.repeat(301) });
  expect(error).toMatchObject({ code: 'ARGUMENT_INVALID' });
});

test('the page shows it escaped, and marks whose words they are', async () => {
  const { enter, propose } = await openPage();
  const session = await enter();
  const { body } = await session.get(`/change/${await propose([swap('2', '3')], { reason: HOSTILE })}`);
  expect(body).toContain("(the agent's words, unverified)");
  expect(body).toContain('&lt;script&gt;x&lt;/script&gt;');
  for (const hidden of ['<script>x', '\u001b', '\u202E']) expect(body).not.toContain(hidden);
});

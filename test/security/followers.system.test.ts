// Finding 15.4: what follows a change through aliases stands in no diff. Whoever decides about it is shown all of it,
// wherever they look; where that cannot be, there is nothing to decide about.
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { shop } from '../cli/shop.ts';
import { escapesOf } from '../harness/figures.ts';
import { preview, stage } from '../harness/previews.ts';
import { keptIn } from '../harness/state.ts';
import { CTRL_C, HAS_TERMINAL } from '../harness/terminal.ts';
import { startToolServer } from '../harness/tool-server.ts';
import { swap } from '../review/fixture.ts';
import { openPage } from '../review/web/open-page.ts';

const COUNT = 180;
const FOLLOWERS = Array.from({ length: COUNT }, (_, i) => `follows${i}`);
/** The anchor is changed behind `others` other changes. */
const text = (value: number, others = 0, followers = FOLLOWERS) =>
  [
    ...Array.from({ length: others }, (_, i) => `other${i}: ${value}`),
    `shared: &shared ${value}`,
    ...followers.map((name) => `${name}: *shared`),
    '',
  ].join('\n');

/** The followers that are not shown. */
function missingIn(shown: string | readonly string[], as = (name: string) => name): readonly string[] {
  const missing = FOLLOWERS.filter((name) => !shown.includes(as(name)));
  return escapesOf('followers', COUNT, missing);
}

const Reply = z.object({ preview_id: z.string().optional(), also_affects: z.array(z.string()) });

async function previewed(before: string, after: string, flags: readonly string[] = []) {
  const at = stage({ 'a.yaml': before });
  const server = await at.start(['--approval', 'preview', ...flags]);
  const args = { file: 'a.yaml', path: '', value: after };
  const reply = await server.ok('config_set', args);
  const { preview_id: id, also_affects } = Reply.parse(reply.data);
  return { id, also_affects, text: reply.text, kept: keptIn(at.state, 'previews') };
}

it.each([0, 600])(
  'followers (finding 15.4): the reply names every follower, in text and data, behind %i other changes [EDT-10]',
  async (others) => {
    const reply = await previewed(text(1, others), text(2, others));
    expect(reply.id).toBeDefined();
    expect(missingIn(reply.also_affects)).toEqual([]);
    expect(reply.text).toContain(
      `Also changes, through an alias or merge: ${reply.also_affects.join('; ')}\n`,
    );
  },
);

it('followers (finding 15.4): where the reply cannot name them all it counts the rest, and there is no preview [APR-9] [EDT-10]', async () => {
  const reply = await previewed(text(1), text(2), ['--max-reply-chars', '4000']);
  const named = reply.also_affects.slice(0, -1);
  expect(named.length).toBeGreaterThan(10);
  expect(reply.also_affects.at(-1)).toBe(`and ${COUNT - named.length} more`);
  expect(reply.text).toContain(`; and ${COUNT - named.length} more\n`);
  expect(reply.text).toContain('It has no preview_id');
  expect([reply.id, reply.kept]).toEqual([undefined, []]);
});

it('followers (finding 15.4): nor where one has a path that is too long to be named whole [APR-9]', async () => {
  const long = ['"'.concat('k'.repeat(990), '"')];
  const reply = await previewed(text(1, 0, long), text(2, 0, long), ['--max-reply-chars', '3000']);
  expect([reply.id, reply.kept]).toEqual([undefined, []]);
  expect(reply.text).toContain('It has no preview_id');
});

const BASE = text(1);
const CHANGE = [swap('&shared 1', '&shared 2', BASE)];

it.skipIf(!HAS_TERMINAL)(
  'followers (finding 15.4): the terminal shows every follower to whoever is asked [EDT-10]',
  async () => {
    const screen = shop('human', BASE);
    const review = screen.at(['approve', await screen.propose(CHANGE)], { rows: 2_000 });
    await review.sees('Type yes');
    const shown = review.text();
    review.types(CTRL_C);
    await review.ends();
    expect(missingIn(shown, (name) => `  also changes, through an alias or merge: ${name}\n`)).toEqual([]);
  },
);

it('followers (finding 15.4): the page shows every one of them [EDT-10]', async () => {
  const { enter, propose } = await openPage();
  const { body } = await (await enter()).get(`/change/${await propose(CHANGE, {}, BASE)}`);
  expect(missingIn(body, (name) => `>${name}<`)).toEqual([]);
});

it('followers (finding 15.4): the question of the client shows every one of them [EDT-10]', async () => {
  const asked: string[] = [];
  const server = await startToolServer({
    files: { 'a.yaml': BASE },
    flags: ['--approval', 'client'],
    person: (message) => {
      asked.push(message);
      return Promise.resolve({ action: 'decline' });
    },
  });
  onTestFinished(() => server.close());
  const id = await preview(server, { file: 'a.yaml', path: 'shared', value: '2' });
  await server.refused('config_apply', { preview_id: id });
  expect(missingIn(asked.join(''), (name) => `│   through aliases: ${name}\n`)).toEqual([]);
});

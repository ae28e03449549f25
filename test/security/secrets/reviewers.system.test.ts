// A canary in each kind of place in which a secret is masked, and all that a person is shown before deciding: the screen of the
// review, its page, and the question at the client. They show fingerprints; only who asks sees the value, and that is recorded.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReviewService } from '../../../src/review/review-service.ts';
import { serveReviewPage } from '../../../src/review/web/serve-page.ts';
import { makeReviewerKey, sealReviewerKey } from '../../../src/security/approval/reviewer-key.ts';
import { createLog } from '../../../src/security/audit/log.ts';
import { DEFAULT_MASKING } from '../../../src/security/policy/policy.ts';
import { openAirlock } from '../../../src/server.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { trailOf } from '../../harness/state.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { atTerminal, ENTER, HAS_TERMINAL } from '../../harness/terminal.ts';
import { startToolServer, type ToolServer } from '../../harness/tool-server.ts';
import { exchange, requestText } from '../../review/web/open-page.ts';
import { CANARY, type MaskedPlace, PLACES } from './places.ts';

const PASSPHRASE = 'correct horse battery';
const MASKED = { files: '**/asked.yaml', path: 'spec.license' };
const FLAGS = ['--allow', '**', '--mask-path', `${MASKED.files}:${MASKED.path}`, '--mask-key', 'DOOR_*'];

const place = tempRoot({ 'root/.keep': '' }, memoryDisk());
afterAll(() => place.remove());
const at = (name: string): string => join(place.dir, name);
const ann = makeReviewerKey('ann');
writeFileSync(at('reviewers'), `${ann.line}\n`, { mode: 0o600 });
writeFileSync(at('ann.key'), sealReviewerKey(ann.key, PASSPHRASE), { mode: 0o600 });
const HUMAN = ['--approval', 'human', '--reviewers', at('reviewers')];
const revealed = () => trailOf(at('state')).filter(({ type }) => type === 'revealed');

/** Each in a folder of its own. */
const FILES = PLACES.map((one, index) => ({ ...one, file: `p${index}/${one.file}` }));
for (const { file, text } of FILES) {
  mkdirSync(dirname(join(at('root'), file)), { recursive: true });
  writeFileSync(join(at('root'), file), text(CANARY));
}

/** Returns the id of a preview whose diff holds the place: the value goes, or the file where the value alone cannot. */
async function propose(server: ToolServer, { file, path }: MaskedPlace): Promise<string> {
  const gone = path === undefined ? [] : [{ op: 'delete', file, path }];
  for (const edit of [...gone, { op: 'delete_file', file }]) {
    const { data } = await server.callTool('config_edit', { edits: [edit] });
    if (typeof data['preview_id'] === 'string') return data['preview_id'];
  }
  throw new Error(`nothing of ${file} can be removed`);
}

const previews = new Map<string, string>();
beforeAll(async () => {
  const server = await startToolServer({ root: at('root'), state: at('state'), flags: [...FLAGS, ...HUMAN] });
  for (const one of FILES) previews.set(await propose(server, one), one.file);
  await server.close();
});

it('previews of all places wait for the reviewer', () => {
  expect(new Set(previews.values())).toEqual(new Set(FILES.map(({ file }) => file)));
  expect(FILES.length).toBeGreaterThan(60);
});

describe('a masked value is not shown', () => {
  it('on the page: its list, each change, and what it is made of; and is by the button, which is recorded [DIS-9]', async () => {
    const airlock = await openAirlock({
      roots: [at('root')],
      stateDir: at('state'),
      approval: 'human',
      reviewers: at('reviewers'),
      operatorFiles: [at('reviewers')],
      allow: ['**'],
      masking: { ...DEFAULT_MASKING, keys: ['DOOR_*'], paths: [MASKED] },
      log: createLog({ level: 'error', format: 'json', isSilent: true }),
    });
    const { policy, sandbox, state } = airlock;
    if (state === undefined) throw new Error('it keeps a state');
    // With a clock that stands still, the list is whole on a slow machine as well.
    const start = new Date();
    const service = new ReviewService({ policy, sandbox, state, now: () => start });
    const pending = await service.pending();
    expect(pending.previews.map(({ id }) => id).length).toBe(previews.size);
    const opened = await Promise.all([...previews.keys()].map((id) => service.open(id)));
    expect(JSON.stringify([pending, ...opened])).not.toContain(CANARY);
    const page = await serveReviewPage({ service, key: ann.key, port: 0, log: airlock.log });
    const { get, post } = await browserOf(page.url);
    expect(shown(await get('/'))).not.toContain(CANARY);
    const before = revealed().length;
    let asked = 0;
    for (const [id, file] of previews) {
      const body = shown(await get(`/change/${id}`));
      expect(body, file).toContain(file);
      expect(body, file).not.toContain(CANARY);
      expect(revealed()).toHaveLength(before + asked);
      const values = shown(await post(`/change/${id}/reveal`));
      expect(values, file).toContain(CANARY);
      asked += 1;
      expect(revealed()).toHaveLength(before + asked);
      expect(shown(await get(`/change/${id}`)), file).not.toContain(CANARY);
    }
    page.close();
    state.dir?.close();
    sandbox.close();
  });

  it.skipIf(!HAS_TERMINAL)(
    'on the screen of any of them; and is at the key v with the passphrase, which is recorded [DIS-9] [TTY-2]',
    async () => {
      const before = revealed().length;
      const flags = [
        '--root',
        at('root'),
        '--state-dir',
        at('state'),
        '--key',
        at('ann.key'),
        ...FLAGS,
        ...HUMAN,
      ];
      const screen = atTerminal(['review', ...flags], {
        env: { HOME: at('home') },
        rows: 3000,
        columns: 500,
      });
      for (let count = 0; count < previews.size; count += 1) {
        await screen.sees(' to decide');
        await screen.sees('[q]uit ?');
        screen.types(`${count === previews.size - 1 ? 'd' : 's'}${ENTER}`);
      }
      await screen.sees('[q]uit ?');
      expect(screen.text()).not.toContain(CANARY);
      expect(revealed()).toHaveLength(before);
      screen.types(`v${ENTER}`);
      await screen.sees('Passphrase');
      expect(screen.text()).not.toContain(CANARY);
      screen.types(PASSPHRASE + ENTER);
      await screen.sees(CANARY);
      expect(revealed().slice(before)).toMatchObject([{ type: 'revealed', reviewer: 'ann' }]);
      await screen.sees('[q]uit ?');
      screen.types(`q${ENTER}`);
      await screen.ends();
    },
  );

  it('in the question at the client [DIS-9] [APR-12]', async () => {
    const questions: string[] = [];
    const server = await startToolServer({
      ...{ root: at('root'), state: at('client'), flags: [...FLAGS, '--approval', 'client'] },
      client: 'v2-legacy',
      person: (message) => {
        questions.push(message);
        return Promise.resolve({ action: 'cancel' });
      },
    });
    for (const one of FILES) {
      const answer = await server.callTool('config_apply', { preview_id: await propose(server, one) });
      expect(JSON.stringify(answer), one.why).not.toContain(CANARY);
      expect(questions.at(-1), one.why).toContain(one.file);
      expect(questions.at(-1), one.why).not.toContain(CANARY);
    }
    await server.close();
    expect(questions).toHaveLength(previews.size);
  });
});

async function browserOf(url: string) {
  const { host, port, pathname } = new URL(url);
  const send = (text: string) => exchange(Number(port), text);
  const { headers } = await send(requestText('GET', pathname, { host }));
  const base = (headers.get('location') ?? '').replace(/\/$/u, '');
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? '';
  const get = async (path: string) =>
    (await send(requestText('GET', `${base}${path}`, { host, cookie }))).body;
  const token = /name="token" value="([\w-]+)"/u.exec(await get('/'))?.[1] ?? '';
  const own = { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
  const body = `token=${token}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${body.length}` };
  const post = async (path: string) =>
    (await send(requestText('POST', `${base}${path}`, { ...own, ...form }) + body)).body;
  return { get, post };
}

/** What a reader sees: a mark can stand in the middle of a word. */
function shown(body: string): string {
  expect(body).toContain('</html>');
  return body.replaceAll(/<[^>]*>/gu, '');
}

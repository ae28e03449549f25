// `review --web` as a person starts it: the passphrase at the terminal, the link, and the end.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { CLI } from '../harness/start-process.ts';
import { startServer } from '../harness/start-server.ts';
import { atTerminal, CTRL_C, ENTER, HAS_TERMINAL } from '../harness/terminal.ts';
import { PATIENCE_MS } from '../harness/wait.ts';
import { reviewFixture, swap } from '../review/fixture.ts';

async function scene() {
  const here = await reviewFixture(new Date());
  const { base, root, write } = here.here;
  const key = write('ann.key', here.sealedAnn(), 0o600);
  const args = ['review', '--web', '--root', root, '--state-dir', join(base, 'state'), '--approval', 'human'];
  return { ...here, args: [...args, '--reviewers', join(base, 'reviewers'), '--key', key], base };
}

describe.skipIf(!HAS_TERMINAL)('review --web', () => {
  it('asks for the passphrase, shows a link that works once, and signs with the key until q ends it [WEB-1]', async () => {
    const { args, propose, service } = await scene();
    const id = await propose([swap('2', '3')]);
    const { screen, link, list, cookie, token, post } = await opened(args);
    expect((await ask(link)).status).toBe(403);
    expect((await post(`change/${id}/approve`)).status).toBe(303);
    expect((await service.open(id)).state).toBe('approved');
    expect((await service.open(id)).decisions).toMatchObject([{ reviewer: 'ann', decision: 'approve' }]);
    screen.types('q');
    await screen.sees('The session has ended');
    expect(await screen.ends()).toEqual({ status: 0, isSane: true });
    await expect(ask(list, { cookie })).rejects.toThrow();
    for (const secret of ['secret', token, cookie]) expect(screen.text()).not.toContain(secret);
  });

  it('lets an agent apply what was approved there, and tells it of the note where it was not [WEB-1]', async () => {
    const { args, here, base } = await scene();
    const flags = ['--approval', 'human', '--reviewers', join(base, 'reviewers')];
    const server = await startServer({ root: here.root, state: join(base, 'state'), flags });
    onTestFinished(() => server.close());
    const propose = async (json: number) => {
      const preview = await server.callTool('config_set', { file: 'a.yaml', path: 'replicas', json });
      return String(preview.data['preview_id']);
    };
    const [good, bad] = [await propose(3), await propose(4)];
    const apply = (preview_id: string) => server.callTool('config_apply', { preview_id });
    expect((await apply(good)).data).toMatchObject({ error: { code: 'APPROVAL_REQUIRED' } });
    const { post, screen } = await opened(args);
    expect((await post(`change/${good}/approve`)).status).toBe(303);
    expect((await post(`change/${bad}/reject`, '&note=too+many')).status).toBe(303);
    const refused = await apply(bad);
    expect(refused.data).toMatchObject({ error: { code: 'APPROVAL_DECLINED' } });
    expect(refused.text).toContain('too many');
    const done = await apply(good);
    expect(done.data).toMatchObject({ applied: true, confirmed_by: 'human' });
    const text = () => readFileSync(join(here.root, 'a.yaml'), 'utf8');
    expect(text()).toContain('replicas: 3');
    const undo = await post(`applied/${String(done.data['change_id'])}/undo`);
    const preview = /change\/\w+$/u.exec(undo.location)?.[0] ?? '';
    expect((await post(`${preview}/approve`)).status).toBe(303);
    expect(text()).toContain('replicas: 3');
    expect((await post(`${preview}/apply`)).location).toMatch(/\/applied\/\w+$/u);
    expect(text()).toContain('replicas: 2');
    screen.types('q');
    expect((await screen.ends()).status).toBe(0);
  });

  it('opens no page for a wrong passphrase, and none for a key that is not on the list [WEB-1]', async () => {
    const { args, here } = await scene();
    const wrong = atTerminal(args);
    for (let turn = 0; turn < 3; turn++) {
      await wrong.sees('Passphrase');
      wrong.types(`wrong${ENTER}`);
    }
    expect((await wrong.ends()).status).toBe(2);
    const stranger = await reviewFixture();
    const key = here.write('stranger.key', stranger.sealedAnn(), 0o600);
    const other = atTerminal([...args.slice(0, -1), key]);
    await other.sees('Passphrase');
    other.types(`secret${ENTER}`);
    expect((await other.ends()).status).toBe(2);
    for (const screen of [wrong, other]) expect(screen.text()).not.toContain('http');
    expect(other.text()).toContain('not in the reviewers file');
  });

  it('ends with Ctrl-C, and lets go of the port', async () => {
    const { args } = await scene();
    const screen = atTerminal(args);
    await screen.sees('Passphrase');
    screen.types(`secret${ENTER}`);
    await screen.sees('q ends the session');
    const link = /http:\S+/u.exec(screen.text())?.[0] ?? '';
    screen.types(CTRL_C);
    expect(await screen.ends()).toEqual({ status: 130, isSane: true });
    // By then the port may be somebody else's, who does not know the secret in the link.
    expect((await ask(link).catch(() => undefined))?.status).not.toBe(303);
  });
});

it('review --web needs a terminal: nothing stands in for a person [WEB-1]', async () => {
  const { args, propose, service, base } = await scene();
  const id = await propose([swap('2', '3')]);
  const { status, stderr, stdout } = run(args, 'secret\n');
  expect(status).toBe(2);
  expect(stderr).toContain('review needs a person at a terminal');
  expect(stdout).toBe('');
  expect((await service.open(id)).state).toBe('pending');
  expect(readFileSync(join(base, 'log.jsonl'), 'utf8')).not.toContain('page_opened');
});

it.each(['80', '65536', '-1', 'x', ''])('review --web refuses the port "%s"', async (port) => {
  const { status, stderr } = run([...(await scene()).args, `--port=${port}`]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/--port|terminal/u);
});

/** The page, as ann has opened it. */
async function opened(args: readonly string[]) {
  const screen = atTerminal(args);
  await screen.sees('Passphrase');
  screen.types(`secret${ENTER}`);
  await screen.sees('q ends the session');
  const link = /http:\/\/127\.0\.0\.1:\d+\/enter\/[\w-]+/u.exec(screen.text())?.[0] ?? '';
  const first = await ask(link);
  const { origin } = new URL(link);
  const { cookie, location } = first;
  const list = `${origin}${location}`;
  const token = /name="token" value="([\w-]+)"/u.exec((await ask(list, { cookie })).body)?.[1] ?? '';
  const own = { cookie, origin, 'sec-fetch-site': 'same-origin' };
  const post = (path: string, more = '') => ask(`${list}${path}`, own, `token=${token}${more}`);
  return { screen, link, list, cookie, token, post };
}

function run(args: readonly string[], input = '') {
  const env = { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '' };
  return spawnSync(process.execPath, [CLI, ...args], { input, env, encoding: 'utf8', timeout: PATIENCE_MS });
}

/** As a browser would, without being one. */
function ask(address: string, headers: Readonly<Record<string, string>> = {}, form?: string) {
  const type = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${form?.length}` };
  const options = form === undefined ? { headers } : { method: 'POST', headers: { ...headers, ...type } };
  return new Promise<{ status: number; location: string; cookie: string; body: string }>(
    (resolve, reject) => {
      const sent = request(address, options, (reply) => {
        let body = '';
        reply.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        reply.on('end', () => {
          const { location = '', 'set-cookie': [set = ''] = [] } = reply.headers;
          resolve({ status: reply.statusCode ?? 0, location, cookie: set.split(';')[0] ?? '', body });
        });
      });
      sent.on('error', reject);
      sent.end(form);
    },
  );
}

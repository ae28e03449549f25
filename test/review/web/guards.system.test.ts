// The page's guards, sent raw bytes: by other sites through a browser, by other programs, by slow ones.
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../../harness/wait.ts';
import { swap } from '../fixture.ts';
import { exchange, openPage, requestText } from './open-page.ts';

const SCALE = [swap('2', '3')];

describe('the address', () => {
  it('is on loopback, and holds the secret once: then a cookie stands for it, on a path of its own [WEB-2]', async () => {
    const { page, get, secretPath } = await openPage();
    expect(page.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/enter\/[\w-]{32}$/u);
    const first = await get(secretPath);
    expect(first.status).toBe(303);
    const location = first.headers.get('location') ?? '';
    expect(location).toMatch(/^\/[0-9a-f]{32}\/$/u);
    expect(first.headers.get('set-cookie')).toMatch(
      new RegExp(`^airlock_review=[\\w-]{43}; Path=${location}; HttpOnly; SameSite=Strict$`, 'u'),
    );
    expect((await get(secretPath)).status).toBe(403);
    expect((await get(location)).status).toBe(403);
  });

  it('stays shut without the secret, with a wrong one, and for a page that is fetched ahead', async () => {
    const { get, secretPath } = await openPage();
    for (const path of [
      '/',
      '/enter',
      '/enter/',
      '/history',
      `${secretPath.slice(0, -1)}${secretPath.endsWith('_') ? '-' : '_'}`,
      `${secretPath}x`,
    ])
      expect((await get(path)).status, path).toBe(403);
    const ahead = await get(secretPath, { 'sec-purpose': 'prefetch;prerender' });
    expect(ahead.status).toBe(403);
    expect((await get(secretPath)).status).toBe(303);
  });

  it('is worth nothing after ten wrong secrets, and the page ends [WEB-2]', async () => {
    const { get, secretPath, page } = await openPage();
    for (let turn = 0; turn < 10; turn++) expect((await get(`/enter/${'x'.repeat(32)}`)).status).toBe(403);
    expect((await get(secretPath)).status).toBe(403);
    expect(await page.ended).toBe('unused');
  });

  it('is worth nothing when nobody has used it for ten minutes', async () => {
    const { get, secretPath, tick } = await openPage();
    tick(10);
    expect((await get(secretPath)).status).toBe(403);
  });
});

describe('a session', () => {
  it('ends when nobody has used it for half an hour, and the key is let go [WEB-2]', async () => {
    const { enter, tick, page } = await openPage();
    const session = await enter();
    tick(29);
    expect((await session.get('/')).status).toBe(200);
    tick(29);
    expect((await session.get('/')).status).toBe(200);
    tick(30);
    expect([403, 0]).toContain((await session.get('/')).status);
    expect(await page.ended).toBe('unused');
    expect((await session.get('/')).status).toBe(0);
  });

  it('ends after eight hours, however much it is used', async () => {
    const { enter, tick } = await openPage();
    const session = await enter();
    for (let turn = 0; turn < 23; turn++) {
      tick(20);
      expect((await session.get('/')).status).toBe(200);
    }
    tick(20);
    expect([403, 0]).toContain((await session.get('/')).status);
  });

  it('ends when its person says so', async () => {
    const { enter, page } = await openPage();
    const session = await enter();
    expect((await session.post('/end')).body).toContain('The session has ended');
    expect(await page.ended).toBe('asked');
    expect((await session.get('/')).status).toBe(0);
  });

  it('is its own: neither its cookie nor its token nor its path is good for another page', async () => {
    const [one, two] = [await openPage(), await openPage()];
    const id = await two.propose(SCALE);
    const [mine, other] = [await one.enter(), await two.enter()];
    expect((await two.get(`${other.base}/`, { cookie: mine.cookie })).status).toBe(403);
    expect((await two.get(`${mine.base}/`, { cookie: other.cookie })).status).toBe(403);
    const approve = `/change/${id}/approve`;
    expect((await other.post(approve, { token: mine.token })).status).toBe(403);
    expect((await other.post(approve, { token: other.token }, { cookie: mine.cookie })).status).toBe(403);
    expect((await two.service.open(id)).state).toBe('pending');
  });

  it('is refused with two cookies of its name: one of them was set by somebody else', async () => {
    const { enter, get } = await openPage();
    const { base, cookie } = await enter();
    for (const cookies of [`airlock_review=x; ${cookie}`, `${cookie}; airlock_review=x`])
      expect((await get(`${base}/`, { cookie: cookies })).status).toBe(403);
    expect((await get(`${base}/`, { cookie: `other=1; ${cookie}; more=2` })).status).toBe(200);
  });
});

const FOREIGN_POSTS = [
  { why: 'another site', headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' } },
  {
    why: 'another port of this machine',
    headers: { origin: 'http://127.0.0.1:1', 'sec-fetch-site': 'same-site' },
  },
  { why: 'a sandboxed frame', headers: { origin: 'null' } },
  { why: 'a sender without a name', headers: { origin: undefined } },
  { why: 'a sender that does not say from where', headers: { 'sec-fetch-site': undefined } },
  { why: 'a typed address', headers: { 'sec-fetch-site': 'none' } },
  { why: 'a script', headers: { 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' } },
  { why: 'a frame', headers: { 'sec-fetch-dest': 'iframe' } },
  { why: 'nobody with a session', headers: { cookie: undefined } },
  { why: 'a form without our type', headers: { 'content-type': 'text/plain' } },
];

describe('a decision', () => {
  it.each(FOREIGN_POSTS)('is not taken from $why [WEB-3]', async ({ headers }) => {
    const { enter, propose, service } = await openPage();
    const id = await propose(SCALE);
    const session = await enter();
    const { status } = await session.post(`/change/${id}/approve`, { token: session.token }, headers);
    expect([403, 415]).toContain(status);
    expect((await service.open(id)).state).toBe('pending');
  });

  it.each([
    { why: 'no token', fields: '' },
    { why: 'a wrong token', fields: 'token=x' },
    { why: 'two tokens', fields: 'token=TOKEN&token=TOKEN' },
    { why: 'a field that the form does not have', fields: 'token=TOKEN&_method=reject' },
    { why: 'a field that objects have', fields: 'token=TOKEN&__proto__=b' },
  ])('is not taken from a form with $why', async ({ fields }) => {
    const { enter, propose, service } = await openPage();
    const id = await propose(SCALE);
    const session = await enter();
    const reply = await session.post(`/change/${id}/approve`, fields.replaceAll('TOKEN', session.token));
    expect([400, 403]).toContain(reply.status);
    expect((await service.open(id)).state).toBe('pending');
  });

  it('is not taken by another method, and no header or field makes one of another', async () => {
    const { enter, get, propose, service, send, host } = await openPage();
    const id = await propose(SCALE);
    const { base, cookie, token } = await enter();
    const target = `${base}/change/${id}/approve`;
    expect((await get(target, { cookie })).status).toBe(404);
    expect((await get(target, { cookie, 'x-http-method-override': 'POST' })).status).toBe(404);
    expect((await get(`${target}?token=${token}`, { cookie })).status).toBe(404);
    for (const method of ['HEAD', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND'])
      expect((await send(requestText(method, target, { host, cookie }))).status, method).toBe(405);
    for (const method of ['CONNECT', 'NOSUCH'])
      expect([0, 400], method).toContain((await send(requestText(method, host, { host }))).status);
    expect((await service.open(id)).state).toBe('pending');
  });
});

describe('a request', () => {
  it.each([
    { why: 'a name that was pointed at us (DNS rebinding)', host: 'evil.example:PORT' },
    { why: 'localhost', host: 'localhost:PORT' },
    { why: 'no port', host: '127.0.0.1' },
    { why: 'another port', host: '127.0.0.1:1' },
    { why: 'another spelling of the address', host: '0177.0.0.1:PORT' },
    { why: 'IPv6', host: '[::1]:PORT' },
    { why: 'a dot at the end', host: '127.0.0.1.:PORT' },
    { why: 'nothing', host: '' },
  ])('is refused for a host that is $why [WEB-3]', async ({ host }) => {
    const { send, port, secretPath, get } = await openPage();
    const text = requestText('GET', secretPath, { host: host.replace('PORT', `${port}`) });
    expect((await send(text)).status).toBe(421);
    expect((await get(secretPath)).status).toBe(303);
  });

  it('is refused without a host, and with two', async () => {
    const { send, host, secretPath } = await openPage();
    expect((await send(`GET ${secretPath} HTTP/1.1\r\n\r\n`)).status).toBe(400);
    const twice = `GET ${secretPath} HTTP/1.1\r\nHost: ${host}\r\nHost: evil.example\r\n\r\n`;
    expect([400, 421]).toContain((await send(twice)).status);
    const other = `GET ${secretPath} HTTP/1.1\r\nHost: evil.example\r\nHost: ${host}\r\n\r\n`;
    expect([400, 421]).toContain((await send(other)).status);
  });

  it.each([
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/etc/passwd',
    '/BASE/../BASE/',
    '//BASE/',
    '/BASE/history?x=1',
    '/BASE\\history',
    '/BASE/change/..%2f..%2fpreviews',
    'http://127.0.0.1/BASE/',
    '*',
    `/${'x'.repeat(400)}`,
  ])('is refused for the path %s', async (path) => {
    const { enter, get } = await openPage();
    const { base, cookie } = await enter();
    const reply = await get(path.replaceAll('/BASE', base).replaceAll('BASE', base), { cookie });
    expect([400, 403, 404]).toContain(reply.status);
    expect(reply.body).not.toContain('root:');
  });

  it('is refused from inside of a frame, as a picture, a script or a fetch of another page', async () => {
    const { enter, get } = await openPage();
    const { base, cookie } = await enter();
    for (const dest of ['iframe', 'frame', 'embed', 'object', 'image', 'script', 'style', 'empty'])
      expect((await get(`${base}/`, { cookie, 'sec-fetch-dest': dest })).status, dest).toBe(403);
    const typed = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'none' };
    expect((await get(`${base}/`, { cookie, ...typed })).status).toBe(200);
  });

  it('is refused where its body is too long, of unknown length, or in an encoding [WEB-5]', async () => {
    const { enter } = await openPage();
    const session = await enter();
    const post = (headers: Readonly<Record<string, string | undefined>>, body = `token=${session.token}`) =>
      session.post('/end', body, headers);
    expect((await post({}, `token=${session.token}&note=${'x'.repeat(70_000)}`)).status).toBe(413);
    expect((await post({ 'content-length': '999999999' })).status).toBe(413);
    expect((await post({ 'content-length': undefined }, '')).status).toBe(411);
    expect(
      (await post({ 'content-length': undefined, 'transfer-encoding': 'chunked' }, '0\r\n\r\n')).status,
    ).toBe(400);
    expect((await post({ 'content-encoding': 'gzip' })).status).toBe(400);
    expect([400, 417]).toContain((await post({ expect: '100-continue' })).status);
    expect((await session.get('/')).status).toBe(200);
  });

  it('is refused where its head is too large, or is none', async () => {
    const { send, host, get, secretPath } = await openPage();
    const large = await send(requestText('GET', '/', { host, x: 'y'.repeat(40_000) }));
    expect([431, 0]).toContain(large.status);
    expect([400, 0]).toContain((await send('\u0016\u0003\u0001 hello TLS\r\n\r\n')).status);
    expect((await get(secretPath)).status).toBe(303);
  });

  it('that never comes to its end is dropped, and holds up nobody [WEB-5]', async () => {
    const { port, host, get, secretPath } = await openPage();
    const slow = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'));
    const dropped = Promise.all(
      slow.map(
        (socket) =>
          new Promise((resolve) =>
            socket
              .resume()
              .on('close', resolve)
              .on('error', () => undefined),
          ),
      ),
    );
    for (const socket of slow) socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\nX-Slow: `);
    expect((await get(secretPath)).status).toBe(303);
    await dropped;
  });

  it('is one of few: of those that say nothing the oldest go, and lock nobody out', async () => {
    const { port, get, secretPath } = await openPage();
    const silent = Array.from({ length: 100 }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => undefined)
        .resume(),
    );
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))));
    expect((await get(secretPath)).status).toBe(303);
    await eventually(() => expect(silent.filter((socket) => !socket.destroyed).length).toBeLessThan(32));
    for (const socket of silent) socket.destroy();
  });
});

it('answers or drops whatever bytes come, never with a fault of its own, and goes on', async () => {
  const { enter, propose, port, host, get } = await openPage();
  const id = await propose(SCALE);
  const { base, cookie, token } = await enter();
  const body = `token=${token}`;
  const own = { host, cookie, origin: `http://${host}`, 'sec-fetch-site': 'same-origin' };
  const form = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': `${body.length}` };
  const whole = requestText('POST', `${base}/change/${id}/reject`, { ...own, ...form }) + body;
  const broken = fc
    .tuple(fc.nat(whole.length), fc.constantFrom('', '\0', '\r', '\n', '\u0080', ' ', ':', '%', '\r\n\r\n'))
    .map(([at, noise]) => whole.slice(0, at) + noise + whole.slice(at + 1));
  const noise = fc.uint8Array({ maxLength: 300 });
  await fc.assert(
    fc.asyncProperty(fc.oneof(broken, noise), async (bytes) => {
      expect((await exchange(port, bytes, 'and ends')).status).toBeLessThan(500);
    }),
    { numRuns: 100 },
  );
  expect((await get(`${base}/`, { cookie })).status).toBe(200);
});

describe('every answer', () => {
  it('forbids scripts, frames, keeping and guessing, whatever was asked', async () => {
    const { enter, get, send, host, propose } = await openPage();
    const id = await propose(SCALE);
    const session = await enter();
    const answers = [
      await session.get('/'),
      await session.get('/history'),
      await session.get(`/change/${id}`),
      await session.get('/nowhere'),
      await session.post(`/change/${id}/reject`),
      await session.post('/end', ''),
      await get('/'),
      await get('/favicon.ico'),
      await send(requestText('TRACE', '/', { host })),
      await send(requestText('GET', '/', { host: 'evil.example' })),
    ];
    for (const { headers, status } of answers) {
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, `${status}`).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain("form-action 'self'");
      expect(policy).toContain("base-uri 'none'");
      expect(policy).toMatch(/style-src 'sha256-[\w+/]{43}='/u);
      expect(policy).not.toMatch(/unsafe|script-src|\*|data:|http/u);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
  });

  it('leaves the log with what was refused and why, and with nothing that was read or sent [WEB-5]', async () => {
    const { enter, propose, logFile, secretPath, host, send } = await openPage();
    const id = await propose([swap('web:1', 'canary-in-a-value')]);
    const session = await enter();
    await session.get(`/change/${id}`);
    await session.post(`/change/${id}/reject`, { token: session.token, note: 'canary-in-a-note' });
    await session.post(`/change/${id}/approve`, { token: 'canary-in-a-token' });
    await send(requestText('GET', '/canary-in-a-path', { host }));
    const log = readFileSync(logFile, 'utf8');
    expect(log).toContain('page_opened');
    expect(log).toContain('"reason":"token"');
    for (const secret of ['canary', secretPath.slice(7), session.cookie, session.token, session.base])
      expect(log).not.toContain(secret);
  });
});

it('listens on 127.0.0.1 and on no other address of this machine [WEB-2]', async () => {
  const { port } = await openPage();
  for (const address of ['127.0.0.2', '::1']) {
    const isOpen = await new Promise<boolean>((resolve) => {
      const socket = connect(port, address);
      socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
      onTestFinished(() => void socket.destroy());
    });
    expect(isOpen, address).toBe(false);
  }
  expect((await exchange(port, 'GET / HTTP/1.0\r\n\r\n')).status).toBe(421);
});

// `serve --http` as a process: what protects tokens on their way, SIGHUP, and the end in good order.
import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { openAirlock } from '../../../src/server.ts';
import { sha256Hex } from '../../../src/state/canonical.ts';
import { type HttpOptions, serveOverHttp } from '../../../src/transports/http/index.ts';
import { humanFlags, person } from '../../harness/previews.ts';
import { type HttpServer, startHttp } from '../../harness/start-http.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { eventually } from '../../harness/wait.ts';

const GET = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'config_get', arguments: { file: 'a.yaml' } },
});

const headersOf = (token: string) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
});

async function start(...args: Parameters<typeof startHttp>): Promise<HttpServer> {
  const server = await startHttp(...args);
  onTestFinished(() => server.close());
  return server;
}

async function statusOf({ url }: HttpServer, token: string): Promise<number> {
  return (await fetch(url, { method: 'POST', headers: headersOf(token), body: GET })).status;
}

describe('beyond loopback', () => {
  const place = tempRoot({ 'root/a.yaml': 'a: 1\n', tokens: '' });
  afterAll(() => place.remove());

  it.each([
    { host: '0.0.0.0', more: {}, says: 'tokens would travel in the clear' },
    { host: '[::]', more: {}, says: 'tokens would travel in the clear' },
    { host: '192.0.2.1', more: {}, says: 'tokens would travel in the clear' },
    { host: 'config.example.org', more: {}, says: 'tokens would travel in the clear' },
    { host: '0.0.0.0', more: { isBehindProxy: true }, says: 'give theirs with --http-url' },
    { host: '127.0.0.1', more: { metrics: { host: '0.0.0.0', port: 0 } }, says: '--metrics: 0.0.0.0 can be' },
  ])('$host is not listened on, with $more [NET-7]', async ({ host, more, says }) => {
    const airlock = await openAirlock({ roots: [join(place.dir, 'root')], readOnly: true });
    const options: HttpOptions = {
      ...{ host, port: 0, url: undefined, certificate: undefined, isBehindProxy: false },
      authentication: { tokens: join(place.dir, 'tokens') },
      ...{ limits: { atOnce: 1, perMinute: 1 }, maxBodyBytes: 1 },
    };
    await expect(serveOverHttp(airlock, { ...options, ...more })).rejects.toThrow(says);
    airlock.sandbox.close();
  });
});

describe.runIf(hasOpenssl())('with a certificate', () => {
  const place = tempRoot({});
  afterAll(() => place.remove());
  const [cert, key] = [join(place.dir, 'cert.pem'), join(place.dir, 'key.pem')];

  it('nothing is answered in the clear, and a renewed certificate is taken (HTTP-015) [NET-7]', async () => {
    makeCertificate(cert, key);
    const server = await start(['--tls-cert', cert, '--tls-key', key], { scheme: 'https' });
    const head = `GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: close\r\n\r\n`;
    expect(await server.exchange(head)).not.toContain('200');
    const first = readFileSync(cert);
    expect(await secureGet(server, first)).toContain('a: 1');
    makeCertificate(cert, key);
    server.child.kill('SIGHUP');
    await eventually(async () => expect(await secureGet(server, readFileSync(cert))).toContain('a: 1'));
    await expect(secureGet(server, first)).rejects.toThrow(/certificate/u);
    // What cannot be used does not take the place of what can.
    writeFileSync(cert, 'none');
    server.child.kill('SIGHUP');
    await eventually(() => expect(server.output()).toContain('certificate_unusable'));
    expect(server.output()).not.toContain(server.tokens.ann);
  });
});

describe('a signal', () => {
  it('SIGHUP has the policy read again, and one that cannot be used leaves the old one in force [POL-1]', async () => {
    const place = tempRoot({ policy: 'default: direct\n' });
    onTestFinished(() => place.remove());
    const file = join(place.dir, 'policy');
    const server = await start(['--policy', file]);
    const set = async (value: number) => {
      const args = { file: 'a.yaml', path: 'a', json: value, dry_run: false };
      const params = { name: 'config_set', arguments: args };
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
      return (
        await fetch(server.url, { method: 'POST', headers: headersOf(server.tokens.ann), body })
      ).text();
    };
    const reloaded = async (text: string, event: string) => {
      writeFileSync(file, text);
      server.child.kill('SIGHUP');
      await eventually(() => expect(server.output()).toContain(event));
    };
    expect(await set(2)).toContain('"applied":true');
    await reloaded('default: direct\nrules: [{ id: fixed, paths: [a], then: deny }]\n', 'policy_reloaded');
    expect(await set(3)).toContain('POLICY_DENIED');
    await reloaded('default: whatever\n', 'policy_unusable');
    expect(await set(4)).toContain('POLICY_DENIED');
    expect(server.disk('a.yaml')).toContain('a: 2');
  });

  it('SIGHUP takes a token back that was removed (HTTP-015) [NET-8]', async () => {
    const server = await start();
    expect(await statusOf(server, server.tokens.ann)).toBe(200);
    const lines = readFileSync(server.tokensFile, 'utf8').split('\n');
    writeFileSync(server.tokensFile, lines.filter((line) => !line.startsWith('ann ')).join('\n'));
    server.child.kill('SIGHUP');
    await eventually(async () => expect(await statusOf(server, server.tokens.ann)).toBe(401));
    expect(await statusOf(server, server.tokens.bob)).toBe(200);
  });

  it('SIGTERM lets nothing new in, and what has come is answered first [NET-11]', async () => {
    const server = await start(['--http-calls-at-once', '1']);
    const headers = {
      ...headersOf(server.tokens.ann),
      host: `127.0.0.1:${server.port}`,
      'content-length': GET.length,
    };
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`POST /mcp HTTP/1.1\r\n${lines.join('')}\r\n`);
    // A second call of one principal is one too many as soon as the first has been admitted.
    await eventually(async () => expect(await statusOf(server, server.tokens.ann)).toBe(429));
    server.child.kill('SIGTERM');
    await eventually(() => expect(statusOf(server, server.tokens.bob)).rejects.toThrow());
    socket.write(GET);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*a: 1/u);
    expect(await server.exit).toBe(0);
    expect(server.log().at(-1)).toMatchObject({ event: 'stopped' });
  });
});

describe('metrics', () => {
  async function measured(...flags: readonly string[]) {
    const server = await start(flags);
    const port = server.log().find(({ event }) => event === 'metrics_listening')?.['port'];
    const ask = (token = '', path = '/metrics') =>
      fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return { server, ask };
  }

  it('count the calls by tool and code, and name nobody and no file', async () => {
    const { server, ask } = await measured('--metrics', '127.0.0.1:0');
    expect(await statusOf(server, server.tokens.ann)).toBe(200);
    const labels =
      'mcp_method_name="tools/call",gen_ai_tool_name="config_get",error_type="",config_airlock_code=""';
    // The head of an answer can be there before the call has ended.
    const shown = await eventually(async () => {
      const response = await ask();
      expect(response.headers.get('content-type')).toContain('version=0.0.4');
      const body = await response.text();
      expect(body).toContain(`mcp_server_operation_duration_seconds_count{${labels}} 1`);
      return body;
    });
    expect(shown).not.toMatch(/a\.yaml|ann/u);
    expect((await ask('', '/mcp')).status).toBe(404);
  });

  it('say how long a reviewer has kept others waiting, and how many tokens end soon', async () => {
    const place = mkdtempSync(join(tmpdir(), 'metrics-'));
    onTestFinished(() => rmSync(place, { recursive: true }));
    const asked = humanFlags({ place }, [person('rita')]);
    const { server, ask } = await measured('--metrics', '127.0.0.1:0', ...asked);
    const idle = await (await ask()).text();
    expect(idle).toContain('config_airlock_waiting_previews 0\n');
    expect(idle).toContain('config_airlock_oldest_waiting_seconds 0\n');
    // Of the three tokens one has ended, and two end in centuries.
    expect(idle).toContain('config_airlock_tokens{days="0"} 1\n');
    expect(idle).toContain('config_airlock_tokens{days="90"} 1\n');
    expect(idle).toContain('config_airlock_tokens{days="+Inf"} 3\n');
    const set = { file: 'a.yaml', path: 'a', json: 2 };
    const body = { method: 'tools/call', params: { name: 'config_set', arguments: set } };
    const response = await fetch(server.url, {
      method: 'POST',
      headers: headersOf(server.tokens.ann),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }),
    });
    expect(await response.text()).toContain('preview_id');
    const shown = await (await ask()).text();
    expect(shown).toContain('config_airlock_waiting_previews 1\n');
    expect(shown).toMatch(/config_airlock_oldest_waiting_seconds 0?\.?[0-9.e-]+\n/u);
    expect(shown).not.toContain('config_airlock_oldest_waiting_seconds 0\n');
  });

  it('beyond loopback are for a token of their own scope, which is good for nothing else [NET-4]', async () => {
    const { server, ask } = await measured('--metrics', '0.0.0.0:0', '--behind-proxy');
    const token = 'airlock_for-metrics';
    appendFileSync(server.tokensFile, `prom metrics:read 2999-12-31 sha256:${sha256Hex(token)}\n`);
    server.child.kill('SIGHUP');
    await eventually(async () => expect((await ask(token)).status).toBe(200));
    expect((await ask()).status).toBe(401);
    expect((await ask(server.tokens.ann)).status).toBe(403);
    expect(await statusOf(server, token)).toBe(403);
  });
});

/** What `config_get` answers over TLS, to whoever trusts this certificate and no other. */
function secureGet({ port, tokens }: HttpServer, ca: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { port, host: '127.0.0.1', path: '/mcp', method: 'POST', ca, agent: false };
    const headers = { ...headersOf(tokens.ann), 'content-length': GET.length };
    request({ ...options, headers }, (response) => resolve(text(response)))
      .on('error', reject)
      .end(GET);
  });
}

function makeCertificate(cert: string, key: string): void {
  const made = ['-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', cert];
  const names = ['-subj', '/CN=server', '-addext', 'subjectAltName=IP:127.0.0.1'];
  execFileSync('openssl', ['req', '-x509', ...made, ...names], { stdio: 'ignore' });
}

function hasOpenssl(): boolean {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

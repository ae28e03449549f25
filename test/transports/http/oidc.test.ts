// Tokens of an issuer: what one has to be, and what becomes of the others. The issuer is a server of this test on loopback.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/security/audit/log.ts';
import { OidcAuthenticator } from '../../../src/transports/http/oidc.ts';
import { startInProcess, toolCall } from './in-process.ts';

const RESOURCE = 'https://config.example.org/mcp';
const log = createLog({ level: 'error', format: 'json', isSilent: true });
const GET = toolCall('config_get', { file: 'a.yaml' });

type Key = Parameters<SignJWT['sign']>[0];
/** What is undefined is left out. */
type Claims = { readonly [claim in keyof JWTPayload]: unknown };
type Sign = (claims: Claims, more?: { alg?: string; kid?: string; key?: Key }) => Promise<string>;

interface Issuer {
  readonly url: string;
  readonly sign: Sign;
  /** What was asked of it, in order. */
  readonly asked: string[];
  /** What it says of itself, changed. */
  describe(discovery: object): void;
  fail(isDown: boolean): void;
}

async function startIssuer(): Promise<Issuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] };
  const asked: string[] = [];
  let [isDown, discovery] = [false, {}];
  const server = createServer(({ url = '' }, response) => {
    asked.push(url);
    const said = url === '/keys' ? keys : { issuer, jwks_uri: `${issuer}/keys`, ...discovery };
    if (isDown) response.destroy();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(said));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  const issuer = `http://127.0.0.1:${address.port}`;
  return {
    url: issuer,
    asked,
    sign: (claims, { alg = 'ES256', kid = 'one', key = privateKey } = {}) =>
      new SignJWT(JSON.parse(JSON.stringify(claims))).setProtectedHeader({ alg, kid }).sign(key),
    describe: (changed) => {
      discovery = changed;
    },
    fail: (isNow) => {
      isDown = isNow;
    },
  };
}

const SOON = Math.floor(Date.now() / 1_000) + 3_600;
const claimsOf = ({ url }: Issuer) => ({
  ...{ iss: url, aud: RESOURCE, sub: 'u-17', exp: SOON, scope: 'openid config:read config:write' },
  ...{ email: 'ann@example.org', email_verified: true },
});

const oidc = ({ url }: Issuer, claim = 'sub', pauseMs?: number) =>
  new OidcAuthenticator({ issuer: url, audience: RESOURCE, claim, resource: RESOURCE }, log, pauseMs);

it('lets in whom the issuer names, for what it says [NET-9]', async () => {
  const issuer = await startIssuer();
  const token = await issuer.sign(claimsOf(issuer));
  expect(await oidc(issuer).verifyAccessToken(token)).toEqual({
    ...{ token: '', clientId: 'u-17', expiresAt: SOON },
    scopes: ['config:read', 'config:write'],
  });
});

it.each([
  { scope: undefined, scp: ['config:read'], scopes: ['config:read'] },
  { scope: undefined, scp: 'config:write', scopes: ['config:read', 'config:write'] },
  { scope: undefined, scp: undefined, scopes: [] },
  { scope: { admin: true }, scp: undefined, scopes: [] },
  { scope: 'config:readonly xconfig:write', scp: undefined, scopes: [] },
])('reads scopes as issuers spell them: $scopes', async ({ scope, scp, scopes }) => {
  const issuer = await startIssuer();
  const token = await issuer.sign({ ...claimsOf(issuer), scope, scp });
  expect((await oidc(issuer).verifyAccessToken(token)).scopes).toEqual(scopes);
});

const { privateKey: foreign } = await generateKeyPair('ES256');
const secret = new TextEncoder().encode('a secret of more than thirty-two bytes');

it.each<{ why: string; make: (issuer: Issuer) => Promise<string> | string }>([
  { why: 'another audience', make: (i) => i.sign({ ...claimsOf(i), aud: 'https://other.example.org/mcp' }) },
  { why: 'no audience', make: (i) => i.sign({ ...claimsOf(i), aud: undefined }) },
  {
    why: 'an audience that only begins like ours',
    make: (i) => i.sign({ ...claimsOf(i), aud: `${RESOURCE}/x` }),
  },
  { why: 'another issuer', make: (i) => i.sign({ ...claimsOf(i), iss: 'https://evil.example' }) },
  { why: 'the past', make: (i) => i.sign({ ...claimsOf(i), exp: SOON - 7_200 }) },
  { why: 'the future', make: (i) => i.sign({ ...claimsOf(i), nbf: SOON }) },
  { why: 'no end', make: (i) => i.sign({ ...claimsOf(i), exp: undefined }) },
  { why: 'nobody', make: (i) => i.sign({ ...claimsOf(i), sub: undefined }) },
  { why: 'a name of two lines', make: (i) => i.sign({ ...claimsOf(i), sub: 'ann\nbob' }) },
  { why: 'a name that is a number', make: (i) => i.sign({ ...claimsOf(i), sub: 7 }) },
  { why: 'a key of somebody else', make: (i) => i.sign(claimsOf(i), { key: foreign }) },
  { why: 'a key that is not published', make: (i) => i.sign(claimsOf(i), { key: foreign, kid: 'two' }) },
  { why: 'a shared secret', make: (i) => i.sign(claimsOf(i), { key: secret, alg: 'HS256' }) },
  { why: 'no signature', make: (i) => new UnsecuredJWT(claimsOf(i)).encode() },
  {
    why: 'a signature of something else',
    make: async (i) => {
      const [head, , signature] = (await i.sign(claimsOf(i))).split('.');
      const [, body] = (await i.sign({ ...claimsOf(i), sub: 'root' })).split('.');
      return [head, body, signature].join('.');
    },
  },
  { why: 'no token at all', make: () => 'x'.repeat(100) },
])('refuses a token of $why, and says no more than that (HTTP-003) [NET-9]', async ({ make }) => {
  const issuer = await startIssuer();
  await expect(oidc(issuer).verifyAccessToken(await make(issuer))).rejects.toThrow(
    /^The token is not valid here$/u,
  );
});

it.each([
  { verified: true, is: 'taken' },
  { verified: false, is: 'refused' },
  { verified: undefined, is: 'refused' },
  { verified: 'true', is: 'refused' },
])('an address that the issuer has verified: $verified is $is [NET-9]', async ({ verified, is }) => {
  const issuer = await startIssuer();
  const token = await issuer.sign({ ...claimsOf(issuer), email_verified: verified });
  const found = await oidc(issuer, 'email')
    .verifyAccessToken(token)
    .then(({ clientId }) => clientId)
    .catch(() => 'refused');
  expect(found).toBe(is === 'taken' ? 'ann@example.org' : 'refused');
});

it('asks the issuer once for many tokens, and never for what is no token [NET-9]', async () => {
  const issuer = await startIssuer();
  const authenticator = oidc(issuer);
  await expect(authenticator.verifyAccessToken('airlock_0')).rejects.toThrow('not valid');
  expect(issuer.asked).toEqual([]);
  const token = await issuer.sign(claimsOf(issuer));
  for (let turn = 0; turn < 5; turn++) await authenticator.verifyAccessToken(token);
  expect(issuer.asked).toEqual(['/.well-known/openid-configuration', '/keys']);
});

it.each([
  { why: 'says that it is another one', discovery: { issuer: 'https://evil.example' } },
  { why: 'has no keys', discovery: { jwks_uri: undefined } },
  { why: 'has its keys in a file', discovery: { jwks_uri: 'file:///etc/passwd' } },
])('trusts no issuer that $why [NET-9]', async ({ discovery }) => {
  const issuer = await startIssuer();
  issuer.describe(discovery);
  const token = await issuer.sign(claimsOf(issuer));
  await expect(oidc(issuer).verifyAccessToken(token)).rejects.toThrow('cannot be reached');
});

it('lets nobody in while the issuer cannot be reached, says so, and tries again [NET-9]', async () => {
  const issuer = await startIssuer();
  const server = await startInProcess({ authenticator: oidc(issuer, 'sub', 0) });
  const token = await issuer.sign(claimsOf(issuer));
  issuer.fail(true);
  const { status, headers, text } = await server.call(token, GET);
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect(text).not.toContain(issuer.url);
  issuer.fail(false);
  expect((await server.call(token, GET)).status).toBe(200);
  // Its keys are known by now.
  issuer.fail(true);
  expect((await server.call(token, GET)).status).toBe(200);
});

it('asks an issuer that fails once, however many send what looks like a token [NET-9]', async () => {
  const issuer = await startIssuer();
  const file = join(mkdtempSync(join(tmpdir(), 'oidc-')), 'log');
  onTestFinished(() => rmSync(dirname(file), { recursive: true }));
  const kept = createLog({ level: 'error', format: 'json', file });
  const options = { issuer: issuer.url, audience: RESOURCE, claim: 'sub', resource: RESOURCE };
  const server = await startInProcess({ authenticator: new OidcAuthenticator(options, kept, 600_000) });
  const token = await issuer.sign(claimsOf(issuer));
  issuer.fail(true);
  const calls = Array.from({ length: 50 }, () => server.call('a.b.c', GET));
  const answers = [...(await Promise.all(calls)), await server.call('d.e.f', GET)];
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
  expect(issuer.asked).toHaveLength(1);
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  expect(lines.filter((line) => line.includes('issuer_unreachable'))).toHaveLength(1);
  // The pause is over only later, although the issuer answers again.
  issuer.fail(false);
  expect((await server.call(token, GET)).status).toBe(503);
});

it('verifies tokens by the keys that it has while the issuer fails for others [NET-9]', async () => {
  const issuer = await startIssuer();
  const server = await startInProcess({ authenticator: oidc(issuer, 'sub', 600_000) });
  const token = await issuer.sign(claimsOf(issuer));
  expect((await server.call(token, GET)).status).toBe(200);
  issuer.fail(true);
  const foreign = await issuer.sign(claimsOf(issuer), { kid: 'two' });
  await server.call(foreign, GET);
  expect((await server.call(token, GET)).status).toBe(200);
});

it('says by RFC 9728 who issues tokens, to whoever has none [NET-9]', async () => {
  const issuer = await startIssuer();
  const server = await startInProcess({ authenticator: oidc(issuer), url: 'http://127.0.0.1:8080/mcp' });
  const place = 'http://127.0.0.1:8080/.well-known/oauth-protected-resource/mcp';
  const { status, headers } = await server.call('none', GET);
  expect(status).toBe(401);
  expect(headers.get('www-authenticate')).toContain(`resource_metadata="${place}"`);
  expect(await (await server.fetch(place)).json()).toEqual({
    resource: RESOURCE,
    resource_name: 'Config Airlock',
    authorization_servers: [issuer.url],
    scopes_supported: ['config:read', 'config:write'],
    bearer_methods_supported: ['header'],
  });
});

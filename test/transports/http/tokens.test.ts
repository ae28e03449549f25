// The file that says who may come: read strictly, trusted like all files of the operator, and read again when asked.
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createLog } from '../../../src/security/audit/log.ts';
import { TokenFile } from '../../../src/transports/http/tokens.ts';
import { tempRoot } from '../../harness/temp-root.ts';
import { LINES, lineOf, rewriteTokens, startInProcess, TOKENS, toolCall } from './in-process.ts';

const log = createLog({ level: 'error', format: 'json', isSilent: true });
const HASH = `sha256:${'a'.repeat(64)}`;
const GET = toolCall('config_get', { file: 'a.yaml' });

function fileWith(text: string): string {
  const place = tempRoot({ tokens: text });
  onTestFinished(() => place.remove());
  return join(place.dir, 'tokens');
}

it('names principals, scopes and when each token expires', async () => {
  const lines = ['# who may come', '', lineOf('ann@example.org', 'config:write', '2999-01-31', 't1')];
  const file = new TokenFile(
    fileWith([...lines, lineOf('ci', 'config:read', '2999-01-31T12:00:30Z', 't2')].join('\n')),
    log,
  );
  expect(await file.verifyAccessToken('t1')).toEqual({
    ...{ token: '', clientId: 'ann@example.org' },
    // Nobody can edit what they may not read.
    scopes: ['config:read', 'config:write'],
    // A day counts to its end.
    expiresAt: Date.parse('2999-02-01T00:00:00Z') / 1_000,
  });
  expect(await file.verifyAccessToken('t2')).toMatchObject({
    scopes: ['config:read'],
    expiresAt: Date.parse('2999-01-31T12:00:30Z') / 1_000,
  });
  await expect(file.verifyAccessToken('t3')).rejects.toThrow('not valid here');
});

it.each([
  { why: 'a token itself', line: 'ann config:read 2999-01-31 airlock_123' },
  { why: 'no expiry', line: `ann config:read ${HASH}` },
  { why: 'an expiry that is none', line: `ann config:read never ${HASH}` },
  { why: 'a day that is none', line: `ann config:read 2999-02-31x ${HASH}` },
  { why: 'a month that is none', line: `ann config:read 2999-13-01 ${HASH}` },
  { why: 'no scope', line: `ann , 2999-01-31 ${HASH}` },
  { why: 'another scope', line: `ann config:read,config:admin 2999-01-31 ${HASH}` },
  { why: 'a short hash', line: `ann config:read 2999-01-31 sha256:${'a'.repeat(63)}` },
  { why: 'another hash', line: `ann config:read 2999-01-31 md5:${'a'.repeat(64)}` },
  { why: 'more than that', line: `ann config:read 2999-01-31 ${HASH} x` },
  { why: 'an invisible letter in the name', line: `a\u200bnn config:read 2999-01-31 ${HASH}` },
  { why: 'a name without end', line: `${'a'.repeat(201)} config:read 2999-01-31 ${HASH}` },
  { why: 'one token twice', line: `ann config:read 2999-01-31 ${HASH}\nbob config:read 2999-01-31 ${HASH}` },
])('with $why is refused as a whole, and the line is named [NET-8]', ({ line }) => {
  expect(() => new TokenFile(fileWith(line), log)).toThrow(/cannot use the tokens file .*: line \d/u);
});

it('that others can change is refused [NET-8]', () => {
  const file = fileWith(LINES);
  chmodSync(file, 0o666);
  expect(() => new TokenFile(file, log)).toThrow(/others may write to it/u);
});

it('is read again when asked: a token that was taken off no longer opens [NET-8]', async () => {
  const server = await startInProcess();
  const status = async (token: string) => (await server.call(token, GET)).status;
  rewriteTokens(server, LINES.replace(/^bob .*\n/mu, ''));
  expect(await status(TOKENS.bob)).toBe(200);
  server.authenticator.reload();
  expect(await status(TOKENS.bob)).toBe(401);
  expect(await status(TOKENS.ann)).toBe(200);
});

it('that cannot be used any more lets nobody in, until it can again [NET-8]', async () => {
  const server = await startInProcess();
  const status = async () => (await server.call(TOKENS.ann, GET)).status;
  rewriteTokens(server, `${LINES}ann\n`);
  server.authenticator.reload();
  expect(await status()).toBe(401);
  expect(server.log()).toContainEqual(expect.objectContaining({ level: 'error', event: 'tokens_unusable' }));
  writeFileSync(server.tokensFile, LINES);
  server.authenticator.reload();
  expect(await status()).toBe(200);
});

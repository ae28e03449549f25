// What a reviewer's key is sealed with, to the byte: with a guess that costs nothing here, in the place of one that takes
// a third of a second. test/security/key.system.test.ts has the real one.
import crypto, { createDecipheriv, createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeReviewerKey, openReviewerKey, sealReviewerKey } from '../../../src/security/index.ts';

const cheap = (passphrase: unknown, salt: unknown) =>
  createHash('sha256')
    .update(String(passphrase))
    .update(Buffer.from(Object(salt)))
    .digest();

const guessed = vi.fn(cheap);
beforeEach(() => {
  guessed.mockClear();
  vi.spyOn(crypto, 'scryptSync').mockImplementation(guessed);
  syncBuiltinESMExports();
});
afterEach(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

const bytesOf = (base64: unknown) => Buffer.from(String(base64), 'base64');

it('a reviewer key is sealed together with how it was made, and opens again', () => {
  const { key } = makeReviewerKey('ann');
  const text = sealReviewerKey(key, 'a\u0308');
  const costs = { N: 131_072, r: 8, p: 1, maxmem: 268_435_456 };
  expect(guessed.mock.calls).toEqual([['ä', expect.any(Buffer), 32, costs]]);
  const { salt, nonce, sealed, ...kind } = JSON.parse(text);
  expect([bytesOf(salt).length, bytesOf(nonce).length, text.at(-1)]).toEqual([16, 12, '\n']);
  expect(kind).toEqual({
    id: key.id,
    v: 1,
    key: 'ed25519',
    kdf: 'scrypt',
    n: 131_072,
    r: 8,
    p: 1,
    cipher: 'aes-256-gcm',
  });
  const secret = bytesOf(sealed);
  const decipher = createDecipheriv('aes-256-gcm', cheap('ä', bytesOf(salt)), bytesOf(nonce))
    .setAAD(
      Buffer.from(
        `{"cipher":"aes-256-gcm","id":"${key.id}","kdf":"scrypt","key":"ed25519","n":131072,"p":1,"r":8,"salt":"${salt}","v":1}`,
      ),
    )
    .setAuthTag(secret.subarray(-16));
  const der = Buffer.concat([decipher.update(secret.subarray(0, -16)), decipher.final()]);
  const inside = createPublicKey(createPrivateKey({ key: der, type: 'pkcs8', format: 'der' }));
  expect(inside.equals(createPublicKey(key.privateKey))).toBe(true);
  expect(openReviewerKey(text, 'ä').id).toBe(key.id);
});

it('a reviewer key whose parts have other lengths is none, whatever the passphrase', () => {
  const kept = JSON.parse(sealReviewerKey(makeReviewerKey('ann').key, 'right'));
  const ofLength = (field: string, bytes: number) => JSON.stringify({ ...kept, [field]: bytesOf64(bytes) });
  const bytesOf64 = (bytes: number) => Buffer.alloc(bytes).toString('base64');
  const told = (text: string) => {
    try {
      return openReviewerKey(text, 'right').id;
    } catch (error) {
      return String(error).slice(0, 70);
    }
  };
  const texts = [15, 17].map((n) => ofLength('salt', n)).concat([11, 13].map((n) => ofLength('nonce', n)));
  const NONE = told('{}');
  expect(NONE).toContain('it was not made by');
  for (const text of [...texts, ofLength('sealed', 16), ofLength('sealed', 0)]) expect(told(text)).toBe(NONE);
  expect(told(ofLength('sealed', 17))).toContain('the passphrase is wrong');
});

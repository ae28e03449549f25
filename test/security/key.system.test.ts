// Finding 15.7: a reviewer's key rests on its passphrase, so each guess costs what a machine can bear, and nothing that was
// sealed in a cheaper way is opened.
import { createPublicKey } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  makeReviewerKey,
  openReviewerKey,
  sealReviewerKey,
} from '../../src/security/approval/reviewer-key.ts';
import { StartError } from '../../src/security/errors/start-error.ts';
import { escapesOf } from '../harness/figures.ts';

const made = makeReviewerKey('ann');
const sealed = sealReviewerKey(made.key, 'right');

/** Those that are opened, or are refused for another reason. */
function openedOf(tries: readonly (readonly [sealed: string, passphrase: string])[], reason: string) {
  return tries.filter(([text, passphrase]) => {
    try {
      return openReviewerKey(text, passphrase) !== undefined;
    } catch (error) {
      return !(error instanceof StartError && error.message.includes(reason));
    }
  });
}

it('opens with its passphrase in any spelling of Unicode, and is the one that was made', () => {
  const { id, privateKey } = openReviewerKey(sealed, 'right');
  expect(id).toBe(made.key.id);
  expect(createPublicKey(privateKey).equals(createPublicKey(made.key.privateKey))).toBe(true);
  expect(openReviewerKey(sealReviewerKey(made.key, 'ä'), 'a\u0308').id).toBe(id);
});

it('costs each guess 128 MB, and says so in what is sealed with it [TTY-4]', () => {
  expect(JSON.parse(sealed)).toEqual({
    ...{ v: 1, key: 'ed25519', kdf: 'scrypt', n: 131_072, r: 8, p: 1, cipher: 'aes-256-gcm' },
    ...{ salt: expect.stringMatching(/^\S{24}$/), nonce: expect.stringMatching(/^\S{16}$/) },
    ...{ id: made.key.id, sealed: expect.stringMatching(/^\S+$/) },
  });
  expect(sealReviewerKey(made.key, 'right')).not.toBe(sealed);
});

it('does not open with another passphrase, nor where a byte of it was changed', () => {
  const wrong = 'cannot open the reviewer key: the passphrase is wrong';
  const kept = JSON.parse(sealed);
  const changed = ['salt', 'nonce', 'sealed'].map((field) => {
    const bytes = Buffer.from(kept[field], 'base64');
    bytes[0] = (bytes[0] ?? 0) ^ 1;
    return [JSON.stringify({ ...kept, [field]: bytes.toString('base64') }), 'right'] as const;
  });
  const tries = [[sealed, 'wrong'], [sealed, ''], ...changed] as const;
  expect(escapesOf('key', tries.length, openedOf(tries, wrong))).toEqual([]);
});

it('is not opened where it was sealed in any other way', () => {
  const { privateKey } = made.key;
  const sealedWith = (other: object) => JSON.stringify({ ...JSON.parse(sealed), ...other });
  const texts = [
    ...['', '{}'],
    String(privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'right' })),
    ...[{ n: 16_384 }, { r: 1 }, { v: 2 }, { cipher: 'aes-256-cbc' }].map(sealedWith),
    ...[{ more: 1 }, { salt: '' }, { sealed: 'AAAA' }].map(sealedWith),
  ];
  const tries = texts.map((text) => [text, 'right'] as const);
  expect(escapesOf('key', tries.length, openedOf(tries, 'made by "config-airlock keygen" of today'))).toEqual(
    [],
  );
});

// Who may approve: what a line of the reviewers file can be, what the operator is told of one that is not, and whom the
// file must be out of reach of.
import { chmodSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { currentReviewers } from '../../../src/security/approval/reviewers.ts';
import {
  createLog,
  makeReviewerKey,
  quoted,
  readReviewers,
  reviewerOf,
  StartError,
} from '../../../src/security/index.ts';
import { withoutUsers } from '../../harness/without-users.ts';
import { place } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

/** Any 32 bytes are a key, but for a few; `n` makes them differ. */
const base64Of = (n: number) =>
  Buffer.alloc(32, 7)
    .fill(n >> 8, 0, 1)
    .fill(n & 0xff, 1, 2)
    .toString('base64');
const lineOf = (name: string, n: number) => `${name} ed25519:${base64Of(n)}`;

function fileWith(text: string) {
  const here = place();
  const file = here.write('reviewers', text, 0o600);
  return {
    ...{ here, file },
    read: (forbidden = [here.root]) => readReviewers(file, forbidden),
    cannot: (reason: string) => new StartError(`cannot use the reviewers file ${quoted(file)}: ${reason}`),
  };
}

describe('the reviewers file', () => {
  it('names who may approve, in its order, between comments and empty lines', () => {
    const names = ['ann', 'a.b@c+d-e_f', 'n'.repeat(64)];
    const [one = '', two = '', three = ''] = names.map((name, n) => lineOf(name, n));
    const { read } = fileWith(
      `# who\r\n\r\n  \t\n${one} \t\n${two.replace(' ', ' \t ')}\r\n#${lineOf('eve', 9)}\n${three}`,
    );
    const reviewers = read();
    expect(reviewers.map(({ name }) => name)).toEqual(names);
    for (const [n, { id, publicKey }] of reviewers.entries()) {
      expect(publicKey.asymmetricKeyType).toBe('ed25519');
      const raw = publicKey.export({ type: 'spki', format: 'der' }).subarray(-32);
      expect(raw.toString('base64')).toBe(base64Of(n));
      expect(id).toMatch(/^[\w-]{16}$/u);
    }
    expect(new Set(reviewers.map(({ id }) => id)).size).toBe(3);
  });

  it('maps a reviewer to the principals as whom they call', () => {
    const { read } = fileWith(
      `${lineOf('ann', 1)} principal=ann@example.org\tprincipal=auth0|7 \n${lineOf('bob', 2)}\n`,
    );
    expect(read().map(({ principals }) => principals)).toEqual([['ann@example.org', 'auth0|7'], []]);
  });

  const good = lineOf('ann', 1);
  const NOT_A_LINE = 'is not "name ed25519:BASE64", with principal=TEXT behind it or without';
  const NOBODY = 'it names nobody; "config-airlock keygen NAME" prints a line for it';
  const TWICE = 'repeats a name or a key';
  it.each([
    { why: 'nobody', text: '# nobody\n', says: NOBODY },
    { why: 'a line that begins with a space', text: `\n ${good}\n`, says: `line 2 ${NOT_A_LINE}` },
    { why: 'a line with more behind it', text: `${good} x\n`, says: `line 1 ${NOT_A_LINE}` },
    { why: 'a principal without a name', text: `${good} principal=\n`, says: `line 1 ${NOT_A_LINE}` },
    { why: 'a name only', text: `${good}\nbob\n`, says: `line 2 ${NOT_A_LINE}` },
    { why: 'a key only', text: good.slice(3), says: `line 1 ${NOT_A_LINE}` },
    { why: 'a name that is too long', text: lineOf('n'.repeat(65), 1), says: `line 1 ${NOT_A_LINE}` },
    { why: 'a name with a colon', text: lineOf('a:b', 1), says: `line 1 ${NOT_A_LINE}` },
    { why: 'another kind of key', text: good.replace('ed25519', 'rsa'), says: `line 1 ${NOT_A_LINE}` },
    { why: 'a second spelling', text: `${good.slice(0, -2)}d=`, says: 'line 1 holds no Ed25519 key' },
    { why: 'one name in capitals too', text: `${good}\n${lineOf('Ann', 2)}\n`, says: `line 2 ${TWICE}` },
    { why: 'one name twice', text: `${good}\n${lineOf('ann', 2)}\n`, says: `line 2 ${TWICE}` },
    { why: 'one key twice', text: `#\n${good}\n${lineOf('bob', 1)}\n`, says: `line 3 ${TWICE}` },
  ])('stops the start, and says where: $why', ({ text, says }) => {
    const { read, cannot } = fileWith(text);
    expect(read).toThrow(cannot(says));
  });

  it('names a thousand at most', () => {
    const lines = Array.from({ length: 1001 }, (_, n) => lineOf(`r${n}`, n));
    expect(fileWith(lines.slice(1).join('\n')).read()).toHaveLength(1000);
    const { read, cannot } = fileWith(lines.join('\n'));
    expect(read).toThrow(cannot('it names more than 1000'));
  });
});

describe('the place of the reviewers file', () => {
  const ours = () => fileWith(lineOf('ann', 1));

  it('is there', () => {
    const { read, cannot, file } = ours();
    rmSync(file);
    expect(read).toThrow(cannot('it does not exist, or may not be read'));
  });

  it('is outside of every root and the state directory', () => {
    const { here, read, cannot } = ours();
    const inside = cannot('it is inside a root or the state directory; put it somewhere else');
    expect(() => read([here.base, here.root])).toThrow(inside);
    expect(() => read([here.root, here.base])).toThrow(inside);
    expect(read([])).toHaveLength(1);
  });

  it('is one that nobody else could change, itself or by a folder on the way to it [APR-7]', () => {
    const { here, read, file } = ours();
    chmodSync(file, 0o620);
    expect(read).toThrow(/others may write to it/u);
    chmodSync(file, 0o600);
    chmodSync(here.base, 0o775);
    expect(read).toThrow(/others can replace what stands in "[^"]+" on the way to it/u);
    chmodSync(here.base, 0o755);
    expect(read()).toHaveLength(1);
  });

  it('is as it is where the system knows neither users nor modes', () => {
    const { read, file } = ours();
    chmodSync(file, 0o666);
    withoutUsers();
    expect(read()).toHaveLength(1);
  });
});

describe('whoever is on the list', () => {
  const logOf = (base: string) => createLog({ level: 'info', format: 'json', file: join(base, 'log.jsonl') });

  it('may approve now, and nobody once the file cannot be used, of which the log tells', () => {
    const { here, file } = fileWith(lineOf('ann', 1));
    const log = logOf(here.base);
    const source = { file, forbidden: [here.root] };
    expect(currentReviewers(source, log).map(({ name }) => name)).toEqual(['ann']);
    expect(statSync(join(here.base, 'log.jsonl')).size).toBe(0);
    expect(currentReviewers({ ...source, forbidden: [here.base] }, log)).toEqual([]);
    expect(here.logged()).toMatchObject([{ level: 'error', event: 'reviewers_unusable' }]);
    expect(currentReviewers(undefined, log)).toEqual([]);
    expect(here.logged()).toHaveLength(1);
  });

  it('is found by the key', () => {
    const keys = ['ann', 'bob', 'eve'].map((name) => makeReviewerKey(name));
    const [ann, bob] = keys;
    const reviewers = fileWith(`${ann?.line}\n${bob?.line}\n`).read();
    expect(keys.map(({ key }) => reviewerOf(key, reviewers)?.name)).toEqual(['ann', 'bob', undefined]);
  });
});

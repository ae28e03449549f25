// Who holds a lock, and when that one is certainly dead: each doubt alone, by what /proc would say.
import fs from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  bootedAtMs,
  isCertainlyDead,
  parseOwner,
  thisProcess,
} from '../../../src/security/locking/lock-owner.ts';

const NOBODY = 4_194_304; // above the largest pid that Linux gives out
const OWNER = thisProcess();

afterEach(() => vi.restoreAllMocks());

describe('an owner', () => {
  it.each([
    ...['', 'null', '1', '"pid"', '[]', '{}'].map((text) => ({ why: text, text })),
    ...['1', 0, -1, 1.5, 2 ** 53, null].map((pid) => ({
      why: `pid ${pid}`,
      text: JSON.stringify({ ...OWNER, pid }),
    })),
    ...['started', 'boot', 'namespace', 'host', 'nonce'].flatMap((name) => [
      { why: `no ${name}`, text: JSON.stringify({ ...OWNER, [name]: undefined }) },
      { why: `a number for ${name}`, text: JSON.stringify({ ...OWNER, [name]: 1 }) },
    ]),
    ...['0'.repeat(31), '0'.repeat(33), 'G'.repeat(32), `${'0'.repeat(32)}/`, `/${'0'.repeat(32)}`].map(
      (nonce) => ({
        why: `nonce ${nonce.slice(-3)}`,
        text: JSON.stringify({ ...OWNER, nonce }),
      }),
    ),
  ])('is nobody who was not written in full: $why', ({ text }) => {
    expect(parseOwner(text)).toBeUndefined();
  });
});

describe('the owner is certainly dead', () => {
  const now = Date.now();
  it.each([
    { why: 'it is this process', is: false, owner: {} },
    { why: 'nobody has its number', is: true, owner: { pid: NOBODY } },
    { why: 'it was on another machine', is: false, owner: { pid: NOBODY, host: 'other' } },
    { why: 'it was in another container', is: false, owner: { pid: NOBODY, namespace: 'pid:[1]' } },
    { why: 'its number belongs to a later one', is: true, owner: { started: '1' } },
    { why: 'it does not know when it was started', is: false, owner: { started: '' } },
    {
      why: 'the machine has another run, and it wrote in this one',
      is: false,
      owner: { pid: NOBODY, boot: 'x' },
    },
  ])('$is, where $why', ({ owner, is }) => {
    expect(isCertainlyDead({ ...OWNER, ...owner }, now)).toBe(is);
  });

  it.each([
    { boot: 'the last one', written: -1, is: true },
    { boot: 'the last one', written: 60_000, is: false },
    { boot: '', written: -1, is: false },
  ])('$is, where it wrote $written ms after the start, in the run "$boot"', ({ boot, written, is }) => {
    expect(isCertainlyDead({ ...OWNER, boot }, bootedAtMs() - 1_000 + written)).toBe(is);
  });

  it.each([
    { why: 'it looks without procfs', owner: { started: '1' }, self: { started: '' }, is: false },
    {
      why: 'it looks without procfs, and there is none of that number',
      owner: { pid: NOBODY },
      self: { started: '' },
      is: true,
    },
    { why: 'it does not know its own run', owner: { boot: 'x' }, self: { boot: '' }, is: false },
    {
      why: 'neither knows its run, and there is none of that number',
      owner: { pid: NOBODY, boot: '' },
      self: { boot: '' },
      is: true,
    },
  ])('$is, where $why', ({ owner, self, is }) => {
    expect(isCertainlyDead({ ...OWNER, ...owner }, 0, { ...OWNER, ...self })).toBe(is);
  });

  const readingStat = (answer: (path: string) => string | undefined) => {
    const real = fs.openSync;
    vi.spyOn(fs, 'openSync').mockImplementation((path, ...rest) => {
      const elsewhere = answer(String(path));
      if (elsewhere === undefined) return real(path, ...rest);
      throw Object.assign(new Error(elsewhere), { errno: -1, code: elsewhere });
    });
  };
  it('not, where nothing can be looked at', () => {
    readingStat(() => 'EACCES');
    expect(isCertainlyDead({ ...OWNER, started: '1' }, now)).toBe(false);
  });

  it.each([
    { code: 'ESRCH', is: true },
    { code: 'EPERM', is: false },
  ])('$is, where the system says $code of its number', ({ code, is }) => {
    vi.spyOn(process, 'kill').mockImplementation(() => {
      throw Object.assign(new Error(code), { errno: -1, code });
    });
    expect(isCertainlyDead(OWNER, now)).toBe(is);
  });
});

import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';
import { readStable } from '../../../src/security/sandbox/snapshot.ts';
import { decodeUtf8 } from '../../../src/security/sandbox/utf8.ts';
import { end } from '../../harness/end.ts';
import { sha256 } from '../../harness/sha256.ts';
import { CONTAINMENTS, codeOf, place, refusalOf } from '../fixture.ts';

const limits = (fileSizeBytes: number) => ({ limits: { ...DEFAULT_LIMITS, fileSizeBytes } });

describe.each(CONTAINMENTS)('a snapshot (%s)', (containment) => {
  it.each([
    { id: 'FILE-009', text: '\ufeffa: 1\n', why: 'a byte order mark' },
    { id: 'FILE-012', text: 'a: 1\r\nb: 2\r\n', why: 'CRLF' },
    { id: 'FILE-013', text: 'a: 1\rb\u0085c\u2028d\n', why: 'mixed line ends' },
    { id: 'FILE-014', text: 'a: 1', why: 'no final newline' },
    { id: 'FILE-015', text: 'a: 1  \t# c\t \n', why: 'trailing white space' },
    { id: 'FILE-016', text: '', why: 'nothing at all' },
    { id: 'FILE-011', text: 'a: \0\n', why: 'a NUL, which is valid UTF-8 and the parser has to refuse' },
  ])('$id keeps $why', ({ text }) => {
    const { open, write } = place();
    write('root/a.yaml', text);
    const sandbox = open(containment);
    const snapshot = sandbox.open(sandbox.parse('a.yaml')).read();
    expect(snapshot.text).toBe(text);
    expect(snapshot.sha256).toBe(sha256(text));
    expect(snapshot.sizeBytes).toBe(Buffer.byteLength(text));
  });

  it('FILE-002 has a limit that is exact to the byte [EDT-6]', () => {
    const { open, write } = place();
    write('root/at.yaml', 'x'.repeat(100));
    write('root/above.yaml', 'x'.repeat(101));
    const sandbox = open(containment, limits(100));
    expect(sandbox.open(sandbox.parse('at.yaml')).read().sizeBytes).toBe(100);
    const refusal = refusalOf(() => sandbox.open(sandbox.parse('above.yaml')));
    expect(refusal?.code).toBe('FILE_TOO_LARGE');
    expect(refusal?.clues.limit).toEqual({ name: 'file_size', allowed: 100, actual: 101, unit: 'bytes' });
  });

  it('FILE-001 refuses a sparse file of 10 GB by its size alone', () => {
    const { open, write } = place();
    const fd = openSync(write('root/sparse.yaml', ''), 'r+');
    ftruncateSync(fd, 10_000_000_000);
    closeSync(fd);
    const sandbox = open(containment);
    expect(codeOf(() => sandbox.open(sandbox.parse('sparse.yaml')))).toBe('FILE_TOO_LARGE');
  });

  it('can be taken once from an open file', () => {
    const { open, write } = place();
    write('root/a.yaml', 'a: 1\n');
    const sandbox = open(containment);
    const file = sandbox.open(sandbox.parse('a.yaml'));
    file.read();
    expect(codeOf(() => file.read())).toBe('Error');
    file.close();
    file.close();
  });
});

describe('reading', () => {
  it.each([
    { id: 'FILE-007', bytes: [0xff], at: 0, why: 'a byte that is never used' },
    { id: 'FILE-007', bytes: [0x61, 0xc0, 0x80], at: 1, why: 'an overlong NUL' },
    { id: 'FILE-007', bytes: [0xed, 0xa0, 0x80], at: 0, why: 'a surrogate in UTF-8 (CESU)' },
    { id: 'FILE-007', bytes: [0x61, 0x62, 0xe2, 0x82], at: 2, why: 'a character cut off at the end' },
    { id: 'FILE-007', bytes: [0xc3, 0xa4, 0xc3, 0x28], at: 2, why: 'a character cut off in the middle' },
    { id: 'FILE-007', bytes: [0xf4, 0x90, 0x80, 0x80], at: 0, why: 'beyond the last code point' },
    { id: 'FILE-010', bytes: [0x7f, 0x45, 0x4c, 0x46, 0x02, 0xb0], at: 5, why: 'a program' },
    { id: 'FILE-010', bytes: [0x1f, 0x8b, 0x08], at: 1, why: 'a gzip file' },
  ])('$id refuses $why and says where', ({ bytes, at }) => {
    const { open, write } = place();
    write('root/a.yaml', Uint8Array.from(bytes));
    const sandbox = open();
    const refusal = refusalOf(() => sandbox.open(sandbox.parse('a.yaml')).read());
    expect([refusal?.code, refusal?.message]).toEqual(['NOT_UTF8', expect.stringContaining(`byte ${at} `)]);
  });

  it('accepts exactly the bytes that encode to themselves [EDT-6]', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'binary' }), (bytes, text) => {
        const all = Buffer.concat([Buffer.from(text.toWellFormed()), bytes]);
        const lossless = Buffer.from(all.toString('utf8')).equals(all);
        expect(codeOf(() => decodeUtf8(all, 'a.yaml'))).toBe(lossless ? 'no error' : 'NOT_UTF8');
        if (lossless) expect(Buffer.from(decodeUtf8(all, 'a.yaml')).equals(all)).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('FILE-005 is bounded by the bytes that come, where the size says 0', () => {
    // A file of /proc claims no size; as a held entry it is read like any other.
    const entry = (path: string) => ({
      facts: statOf(path),
      openForReading: () => openSync(path, 'r'),
      close: () => {},
    });
    expect(codeOf(() => readStable(entry('/proc/self/maps'), 1000, 'maps'))).toBe('FILE_TOO_LARGE');
    expect(codeOf(() => readStable(entry('/proc/version'), 1, 'version'))).toBe('FILE_TOO_LARGE');
    expect(readStable(entry('/proc/version'), 10_000, 'version').bytes.length).toBeGreaterThan(10);
  });

  it('FILE-003, FILE-004 gives whole states only, while another process writes in place [EDT-6]', async () => {
    const { open, root, write } = place();
    write('root/a.yaml', 'a'.repeat(50_000));
    const path = join(root, 'a.yaml');
    const script = `const fs = require('fs'); process.stdout.write('x');
      for (;;) for (const c of 'ab') fs.writeFileSync(${JSON.stringify(path)}, c.repeat(50000 + Math.random() * 50000));`;
    const writer = spawn(process.execPath, ['-e', script]);
    onTestFinished(() => end(writer));
    await once(writer.stdout, 'data');
    const sandbox = open('fd-walk', limits(90_000));
    const codes = new Set<string>();
    for (let i = 0; i < 300; i += 1) {
      codes.add(codeOf(() => sandbox.open(sandbox.parse('a.yaml')).read()));
    }
    const known = ['no error', 'FILE_CHANGED', 'FILE_TOO_LARGE'];
    expect([...codes].filter((code) => !known.includes(code))).toEqual([]);
  });
});

function statOf(path: string) {
  expect(execFileSync('stat', ['-c', '%s', path]).toString().trim()).toBe('0');
  const none = { dev: 0n, ino: 0n, mtimeNs: 0n, ctimeNs: 0n };
  return { ...none, kind: 'file' as const, sizeBytes: 0, mode: 0o444, links: 1, uid: 0, gid: 0 };
}

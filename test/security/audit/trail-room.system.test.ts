// What a trail keeps in memory and on the disk as it grows, and where it takes no more.
import { readFileSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ChainReader } from '../../../src/security/audit/chain-reader.ts';
import { TrailFacts } from '../../../src/security/audit/facts.ts';
import { isNoted, readHead, writeHead } from '../../../src/security/audit/record.ts';
import { codeOf } from '../fixture.ts';
import { EACH, NOT_WHOLE, toldBy, trailGround } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const reject = (preview: string) => ({ action: 'reject', reviewer: 'ann', preview });
const NOTHING = () => ({ previews: new Set<string>(), changes: new Set<string>(), at: '~' });

describe('a trail', () => {
  it.each([
    { rotateBytes: 100, quotaBytes: 100, is: 'no error' },
    { rotateBytes: 100, quotaBytes: 99, is: 'NO_SPACE' },
    { rotateBytes: 1, quotaBytes: 3, is: 'no error' },
    { rotateBytes: 1, quotaBytes: 2, is: 'NO_SPACE' },
  ])('of files of $rotateBytes bytes has room in $quotaBytes or not: $is', ({ is, ...options }) => {
    const { trail } = trailGround(options.rotateBytes === 1 ? 3 : 1, options);
    expect(codeOf(() => trail.requireRoom())).toBe(is);
  });

  it('forgets what is no longer kept when it begins a file, and not before', () => {
    const { append, again, trail, folder, parsed } = trailGround(0, { kept: NOTHING });
    append(reject('p'));
    const other = again();
    for (const each of [trail, other]) expect(each.statusOf('p').rejectedBy).toBe('ann');
    again(EACH).append(() => [reject('q')]);
    for (const each of [trail, other])
      expect([each.statusOf('p').rejectedBy, each.statusOf('q').rejectedBy]).toEqual([undefined, 'ann']);
    expect(parsed(2)[0]).toMatchObject({ action: 'checkpoint', outcome: 'kept' });
    // Without being told what is kept, nothing goes.
    const reader = new ChainReader(folder);
    reader.readOn();
    expect(reader.facts.ofPreview('q').rejectedBy).toBe('ann');
  });

  it('begins a file though the checkpoint before the last cannot be removed', () => {
    const { append, verify, folder } = trailGround(3, EACH);
    vi.spyOn(folder, 'remove').mockImplementation(() => {
      throw new Error('EIO');
    });
    append(reject('p'));
    vi.restoreAllMocks();
    expect(verify()).toMatchObject({ isWhole: true });
  });

  it('has lost its head where there is a file of it, whatever is in that', () => {
    const { file, trail } = trailGround();
    writeFileSync(file(), '', { mode: 0o600 });
    expect(toldBy(() => trail.append(() => [reject('p')]))).toEqual(NOT_WHOLE);
    expect(readFileSync(file(), 'utf8')).toBe('');
  });
});

it('a log whose trail the disk does not take says what could not be done', () => {
  const { here, trail } = trailGround();
  vi.spyOn(trail, 'append').mockImplementation(() => {
    throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 });
  });
  const log = here.state().log.withTrail(trail);
  const told = toldBy(() => log.audit({ action: 'apply', outcome: 'kept', file: 'a.yaml' }));
  expect(told?.message).toMatch(/^Cannot record this in the audit trail: /u);
});

it('a head that can be read is read once', () => {
  const { folder } = trailGround();
  writeHead(folder, { seq: 1, sha256: 'a'.repeat(64), file: 1, size: 1 });
  const read = vi.spyOn(folder, 'read');
  readHead(folder);
  expect(read).toHaveBeenCalledTimes(1);
});

it.each([
  { record: { action: 'propose' }, is: true },
  { record: { action: 'propose', outcome: 'intent', confirmed_by: 'human' }, is: true },
  { record: { action: 'commit', outcome: 'applied', confirmed_by: 'human' }, is: true },
  { record: { action: 'commit', outcome: 'intent', confirmed_by: 'direct' }, is: true },
  { record: { action: 'commit', outcome: 'intent', confirmed_by: 'preview' }, is: false },
  { record: { action: 'commit', outcome: 'failed', confirmed_by: 'direct' }, is: false },
  { record: { action: 'recover', outcome: 'applied' }, is: false },
])('the head may be behind $record: $is', ({ record, is }) => expect(isNoted(record)).toBe(is));

it('a checkpoint has the decisions, the rejections and the changes, and nothing that is none', () => {
  const [time, prev] = ['2026-01-01T00:00:00.000Z', 'a'.repeat(64)];
  const facts = new TrailFacts();
  const signed = { by: 'ann' };
  const records = [
    { action: 'approve', preview: 'p', reviewer: 'ann', signed, seq: 5, prev },
    { action: 'reject', preview: 'q', reviewer: 'bob', prev },
    { action: 'reject', preview: 'r', reviewer: 'bob' },
    { action: 'reject', preview: 'r', prev },
    { action: 'commit', change_id: 'c', preview: 'p', outcome: 'intent', file: 'a/b.yaml' },
    { action: 'commit', change_id: 'd', outcome: 'applied', file: 'B.yaml' },
    { action: 'commit', outcome: 'applied' },
    { action: 'commit', change_id: 'e', preview: 's', outcome: 'intent' },
    { action: 'commit', change_id: 'e', outcome: 'failed' },
  ];
  for (const record of records) facts.note({ time, ...record });
  const kept = { previews: new Set(['p', 'q', 'r', 's']), changes: new Set(['c', 'd', 'e']), at: '~' };
  const week = '2026-01-08T00:00:00.000Z';
  const said = [...facts.records(kept)];
  expect(said).toEqual([
    { action: 'approve', preview: 'p', until: week, reviewer: 'ann', signed, seq: 5, prev },
    { action: 'reject', preview: 'q', until: week, reviewer: 'bob', prev: '' },
    { action: 'commit', change_id: 'c', preview: 'p', until: week, outcome: 'intent' },
    { action: 'commit', change_id: 'd', outcome: 'applied' },
  ]);
});

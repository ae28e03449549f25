// What a lock or a journal may say, and what our own names are: a repository can bring such files along, so what
// is not exactly well formed says nothing.
import { describe, expect, it } from 'vitest';
import { type Intent, readFolderIntent, readIntent } from '../../../src/security/locking/intent.ts';
import {
  BATCH_ID,
  batchOf,
  breakerNameOf,
  freshBatchId,
  freshDraftName,
  isBreakerName,
  isJournalName,
  isOwnName,
  isTempName,
  journalNameOf,
  newNameOf,
  oldNameOf,
} from '../../../src/security/paths/denylist.ts';
import { Malformed } from '../../../src/security/records/fields.ts';

const BATCH = '0123456789ab'.repeat(2);
const FILE = { name: 'a.yaml', base: 'a'.repeat(64), result: 'b'.repeat(64) };
const FOLDER = { folder: { root: 'one', path: ['d', 'e'] }, files: [FILE] };
const JOURNAL = { folder: { root: undefined, path: [] }, ino: '12' };
const INTENT: Intent = { ...FOLDER, batch: BATCH, journal: JOURNAL };

describe('an intent', () => {
  it('is read back as it was written', () => {
    expect(readIntent(JSON.parse(JSON.stringify(INTENT)))).toEqual(INTENT);
    expect(readIntent({ ...FOLDER, batch: BATCH })).toEqual({ ...FOLDER, batch: BATCH, journal: undefined });
    const two = { ...FOLDER, files: [FILE, { ...FILE, name: `${'ä'.repeat(127)}b` }] };
    expect(readFolderIntent(two)).toEqual(two);
    expect(readFolderIntent({ ...FOLDER, folder: { path: [] } }).folder).toEqual({
      root: undefined,
      path: [],
    });
  });

  it.each([
    { why: 'is nothing', given: undefined },
    { why: 'is a text', given: 'x' },
    { why: 'is null', given: null },
    { why: 'has no batch', given: { ...INTENT, batch: undefined } },
    { why: 'has a number for its batch', given: { ...INTENT, batch: 1 } },
    { why: 'has a list for its batch', given: { ...INTENT, batch: [BATCH] } },
    { why: 'has a batch that is none', given: { ...INTENT, batch: `${BATCH}0` } },
    { why: 'has a journal without a folder', given: { ...INTENT, journal: { ino: '12' } } },
    { why: 'has a journal without a number', given: { ...INTENT, journal: { folder: JOURNAL.folder } } },
    { why: 'has a journal whose number is none', given: { ...INTENT, journal: { ...JOURNAL, ino: 12 } } },
    { why: 'has no folder', given: { ...INTENT, folder: undefined } },
    { why: 'has a folder without a path', given: { ...INTENT, folder: { root: 'one' } } },
    { why: 'has a root that is no text', given: { ...INTENT, folder: { root: 1, path: [] } } },
    { why: 'has a path that is no list', given: { ...INTENT, folder: { path: 'd' } } },
    { why: 'has no files', given: { ...INTENT, files: [] } },
    { why: 'has files that are no list', given: { ...INTENT, files: { 0: FILE } } },
    { why: 'has one good file and one bad', given: { ...INTENT, files: [FILE, {}] } },
    { why: 'names a file twice', given: { ...INTENT, files: [FILE, { ...FILE, base: 'c'.repeat(64) }] } },
    ...[
      '',
      '.',
      '..',
      'a/b',
      '/a',
      'a\\b',
      'a\0',
      'a\n/b',
      'x'.repeat(256),
      'ä'.repeat(128),
      1,
      undefined,
    ].flatMap((name) => [
      {
        why: `names a file ${JSON.stringify(name)?.slice(0, 9)}`,
        given: { ...INTENT, files: [{ ...FILE, name }] },
      },
      {
        why: `goes into ${JSON.stringify(name)?.slice(0, 9)}`,
        given: { ...INTENT, folder: { path: ['d', name] } },
      },
    ]),
    { why: 'names a file of ours', given: { ...INTENT, files: [{ ...FILE, name: '.Config-Airlock.lock' }] } },
    ...['', 'a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64), 1, ['a'.repeat(64)]].flatMap(
      (hash) => [
        {
          why: `has the base ${String(hash).slice(0, 3)}`,
          given: { ...INTENT, files: [{ ...FILE, base: hash }] },
        },
        {
          why: `has the result ${String(hash).slice(0, 3)}`,
          given: { ...INTENT, files: [{ ...FILE, result: hash }] },
        },
      ],
    ),
    { why: 'changes nothing', given: { ...INTENT, files: [{ ...FILE, result: FILE.base }] } },
  ])('that $why says nothing', ({ given }) => {
    expect(() => readIntent(given)).toThrow(Malformed);
  });

  it('may name three dots, for that is a file like any other', () => {
    expect(readFolderIntent({ ...FOLDER, files: [{ ...FILE, name: '...' }] }).files[0]?.name).toBe('...');
  });
});

describe('a name of our own', () => {
  it('is told by its shape', () => {
    expect(newNameOf(BATCH, 3)).toBe(`.config-airlock-${BATCH}.3.new`);
    expect(oldNameOf(BATCH, 0)).toBe(`.config-airlock-${BATCH}.0.old`);
    expect(journalNameOf(BATCH)).toBe(`.config-airlock-${BATCH}.journal`);
    expect(breakerNameOf('a'.repeat(32))).toBe(`.config-airlock.lock.${'a'.repeat(32)}`);
    expect(freshDraftName()).toMatch(/^\.config-airlock-[0-9a-f]{24}\.draft$/);
    const made = [
      newNameOf(BATCH, 3),
      oldNameOf(BATCH, 999_999),
      journalNameOf(BATCH),
      breakerNameOf('a'.repeat(32)),
    ];
    expect(made.map(isTempName)).toEqual([true, true, false, false]);
    expect(made.map(isJournalName)).toEqual([false, false, true, false]);
    expect(made.map(isBreakerName)).toEqual([false, false, false, true]);
    expect(isTempName(freshDraftName())).toBe(true);
    expect(made.slice(0, 3).map(batchOf)).toEqual([BATCH, BATCH, BATCH]);
  });

  it.each([
    { is: isTempName, good: `.config-airlock-${BATCH}.0.new` },
    { is: isTempName, good: `.config-airlock-${BATCH}.draft` },
    { is: isJournalName, good: `.config-airlock-${BATCH}.journal` },
    { is: isBreakerName, good: `.config-airlock.lock.${'0'.repeat(32)}` },
  ])('and by nothing less or more: $good', ({ is, good }) => {
    expect(is(good)).toBe(true);
    const changed = (id: RegExp, by: (found: string) => string) => good.replace(id, by);
    const id = /[0-9a-f]{24,32}/u;
    const bad = [
      `x${good}`,
      `${good}x`,
      changed(/\./u, () => 'x'),
      changed(/c/u, () => 'C'),
      good.toUpperCase(),
    ];
    for (const by of [
      (is: string) => is.slice(1),
      (is: string) => `0${is}`,
      (is: string) => `g${is.slice(1)}`,
    ])
      bad.push(changed(id, by));
    for (const number of ['..', '.x.', '.1234567.', 'x0.']) bad.push(changed(/\.0\./u, () => number));
    for (const dot of [/\.(?=[a-z]+$)/u, /(?<=airlock)\.(?=lock)/u, /(?<=lock)\.(?=0)/u])
      bad.push(changed(dot, () => 'x'));
    for (const name of bad) if (name !== good) expect([name, is(name)]).toEqual([name, false]);
  });

  it('is hidden from every request, in every case', () => {
    expect(['.config-airlock', '.CONFIG-AIRLOCK.yaml', 'x.config-airlock'].map(isOwnName)).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('has a number of its own, of 24 digits', () => {
    expect(freshBatchId()).not.toBe(freshBatchId());
    expect([freshBatchId(), BATCH, `${BATCH}0`, `x${BATCH}`].map((id) => BATCH_ID.test(id))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

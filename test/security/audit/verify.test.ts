// What verifying says, to the word: which is the first record that is not as it was, where it stands, and what is worth knowing.
import { appendFileSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeHead } from '../../../src/security/audit/record.ts';
import { ChangeStore, createLog, sha256Hex } from '../../../src/security/index.ts';
import { trailGround } from './ground.ts';

const ZEROS = '0'.repeat(64);
const UNFINISHED = 'ends with a record that was never finished: its process was killed, or the power cut';
const [FIRST, SECOND] = ['audit-000001.jsonl', 'audit-000002.jsonl'];
type Ground = ReturnType<typeof trailGround>;

describe('a trail that is not whole', () => {
  it.each<{ why: string; harm: (ground: Ground) => void; damage: object; records: number }>([
    {
      why: 'a head that is none',
      harm: ({ head }) => writeFileSync(head, '{}'),
      ...{ records: 3, damage: { how: 'head mismatch', seq: 3, file: FIRST, line: 3 } },
    },
    {
      why: 'no head',
      harm: ({ head }) => rmSync(head),
      ...{ records: 3, damage: { how: 'head mismatch', seq: 3, file: FIRST, line: 3 } },
    },
    {
      why: 'a head that is none, and nothing else',
      harm: ({ head, file }) => {
        writeFileSync(head, '{}');
        rmSync(file());
      },
      ...{ records: 0, damage: { how: 'head mismatch', seq: 0, file: '', line: 0 } },
    },
    {
      why: 'a head of another last line',
      harm: ({ folder }) => writeHead(folder, { seq: 3, sha256: 'a'.repeat(64), file: 1, size: 1 }),
      ...{ records: 3, damage: { how: 'edited', seq: 3, file: FIRST, line: 3 } },
    },
    {
      why: 'a tail that was cut',
      harm: ({ rewrite }) => rewrite((lines) => lines.slice(0, 2)),
      ...{ records: 2, damage: { how: 'tail cut', seq: 2, file: FIRST, line: 2 } },
    },
    {
      why: 'no file',
      harm: ({ file }) => rmSync(file()),
      ...{ records: 0, damage: { how: 'tail cut', seq: 0, file: '', line: 0 } },
    },
    {
      why: 'two lines that changed places',
      harm: ({ rewrite }) => rewrite(([a = '', b = '', c = '']) => [b, a, c]),
      ...{ records: 0, damage: { how: 'reordered', seq: 1, file: FIRST, line: 1 } },
    },
    {
      why: 'no first line',
      harm: ({ rewrite }) => rewrite((lines) => lines.slice(1)),
      ...{ records: 0, damage: { how: 'dropped', seq: 1, file: FIRST, line: 1 } },
    },
    {
      why: 'a line that stands there twice',
      harm: ({ rewrite }) => rewrite(([a = '', b = '']) => [a, b, b]),
      ...{ records: 2, damage: { how: 'reordered', seq: 3, file: FIRST, line: 3 } },
    },
    {
      why: 'a line too few, and one that is none behind it',
      harm: ({ rewrite }) => rewrite(([a = '', , c = '']) => [a, c, 'null']),
      ...{ records: 1, damage: { how: 'dropped', seq: 2, file: FIRST, line: 2 } },
    },
    {
      why: 'a line that is none',
      harm: ({ rewrite }) => rewrite(([a = '', , c = '']) => [a, 'null', c]),
      ...{ records: 1, damage: { how: 'edited', seq: 2, file: FIRST, line: 2 } },
    },
    {
      why: 'a first line that stands behind another',
      harm: ({ rewrite }) => rewrite(([a = '', ...rest]) => [a.replace(ZEROS, 'a'.repeat(64)), ...rest]),
      ...{ records: 0, damage: { how: 'edited', seq: 1, file: FIRST, line: 1 } },
    },
  ])('has $why (AUDI-005)', ({ harm, damage, records }) => {
    const ground = trailGround(3);
    const hashes = ['', ...ground.lines()].map((line) => (line === '' ? ZEROS : sha256Hex(line)));
    harm(ground);
    expect(ground.verify()).toEqual({ isWhole: false, records, sha256: hashes[records], notes: [], damage });
  });

  it.each([2, 3])('has a record that somebody edited, in its middle or at its end: %d', (seq) => {
    const { rewrite, verify } = trailGround(3);
    rewrite((lines) => lines.map((line) => line.replace(`f${seq}`, 'f9')));
    expect(verify()).toMatchObject({ isWhole: false, damage: { how: 'edited', seq, line: seq } });
  });

  it.each<{ why: string; harm: (ground: Ground) => void; damage: object }>([
    {
      why: 'lacks its first file',
      harm: ({ file }) => rmSync(file(1)),
      damage: { how: 'file missing', seq: 1, file: FIRST, line: 0 },
    },
    {
      why: 'lacks a file in between',
      harm: ({ file }) => rmSync(file(2)),
      damage: { how: 'file missing', seq: 2, file: SECOND, line: 0 },
    },
    {
      why: 'has a link in the place of a file',
      harm: ({ file, here }) => {
        rmSync(file(2));
        symlinkSync(join(here.outside, 's.yaml'), file(2));
      },
      damage: { how: 'file missing', seq: 2, file: SECOND, line: 0 },
    },
    {
      why: 'was edited at the end of a file',
      harm: ({ rewrite }) => rewrite((lines) => lines.map((line) => line.replace('f2', 'f9')), 2),
      damage: { how: 'edited', seq: 2, file: SECOND, line: 1 },
    },
    {
      why: 'was cut in its last file',
      harm: ({ file }) => truncateSync(file(3)),
      damage: { how: 'tail cut', seq: 2, file: SECOND, line: 1 },
    },
  ])('over several files $why', ({ harm, damage }) => {
    const ground = trailGround(3, 1);
    expect(ground.verify()).toMatchObject({ isWhole: true, records: 3, notes: [] });
    harm(ground);
    expect(ground.verify()).toMatchObject({ isWhole: false, notes: [], damage });
  });
});

describe('a whole trail', () => {
  it('may be empty', () => {
    const { verify, folder, file } = trailGround();
    const empty = { isWhole: true, records: 0, sha256: ZEROS, notes: [] };
    expect(verify(true)).toEqual(empty);
    writeHead(folder, { seq: 0, sha256: ZEROS, file: 1, size: 0 });
    writeFileSync(file(), '', { mode: 0o600 });
    expect(verify(true)).toEqual(empty);
  });

  it.each([
    { why: 'what a preview is', noted: { action: 'propose', outcome: 'kept' }, notes: [] },
    { why: 'how a commit ended', noted: { action: 'commit', outcome: 'applied' }, notes: [] },
    { why: 'what is to be done', noted: { action: 'commit', outcome: 'intent' }, notes: ['3'] },
    { why: 'what a crash left', noted: { action: 'recover', outcome: 'applied' }, notes: ['3'] },
  ])('may go on behind its head with $why', ({ noted, notes }) => {
    const { trail, verify, head } = trailGround(2);
    const before = readFileSync(head);
    trail.append(noted, noted, noted, { action: 'propose' });
    writeFileSync(head, before);
    const { isWhole, records, notes: found } = verify();
    expect([isWhole, records]).toEqual([true, 6]);
    expect(found).toEqual(
      notes.map((by) => `the head is behind by ${by}: a process was killed while it wrote`),
    );
  });

  it.each(['{"action"', '\0\0\n', '{"action"}\0'])('may end with what was never finished: %j', (rest) => {
    const { verify, file } = trailGround(2, 1);
    appendFileSync(file(2), rest);
    expect(verify()).toMatchObject({ isWhole: true, records: 2, notes: [`${SECOND} ${UNFINISHED}`] });
  });
});

describe('the changes that are kept', () => {
  function withChanges(...sorts: readonly ('recorded' | 'missing' | 'open' | 'torn')[]) {
    const ground = trailGround(1);
    const { state, here, auditIndex, trail } = ground;
    const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'log.jsonl') });
    const roots = ZEROS;
    const store = new ChangeStore({
      folder: state.changes,
      auditIndex: auditIndex(),
      log,
      roots,
      now: () => new Date(),
    });
    for (const sort of sorts) {
      const { id, text } = store.draft({
        ...{ caller: { name: 'test', version: '1' }, policy: ZEROS, origin: { kind: 'edit' } },
        ...{ files: [], confirmed_by: 'direct' },
      });
      state.changes.put(`${id}.json`, sort === 'torn' ? text.slice(1) : text);
      if (sort === 'open') state.changes.put(`${id}.open`, '');
      if (sort === 'recorded') trail.append({ action: 'commit', outcome: 'applied', change_id: id });
    }
    return ground;
  }

  it('are in the trail, but for those that are being made or that a power cut took', () => {
    const { verify } = withChanges('recorded', 'open', 'torn', 'recorded');
    expect(verify(true)).toMatchObject({ isWhole: true, records: 3 });
  });

  it('are missed where the trail does not know of one', () => {
    const { verify } = withChanges('recorded', 'missing');
    const damage = { how: 'commit missing', seq: 3, file: FIRST, line: 2 };
    expect(verify(true)).toMatchObject({ isWhole: false, records: 2, damage });
    expect(verify()).toMatchObject({ isWhole: true });
  });

  it('are missed where all of the trail is gone, and its head', () => {
    const { verify, file, head } = withChanges('recorded');
    for (const gone of [file(), head]) rmSync(gone);
    const damage = { how: 'file missing', seq: 1, file: FIRST, line: 0 };
    expect(verify(true)).toEqual({ isWhole: false, records: 0, sha256: ZEROS, notes: [], damage });
  });

  it('are not what is told where the chain does not hold in the first place', () => {
    const { verify, rewrite } = withChanges('recorded');
    rewrite((lines) => lines.slice(0, 1));
    expect(verify(true)).toMatchObject({ isWhole: false, damage: { how: 'tail cut' } });
  });
});

describe('a preview', () => {
  const applied = (change_id: string, more = {}) => ({
    ...{ action: 'commit', outcome: 'applied', preview: 'p', change_id },
    ...more,
  });

  it('that was applied twice is told, with the first time that it was too often', () => {
    const { trail, verify } = trailGround(1);
    trail.append(applied('a'), applied('b'), applied('c'));
    const damage = { how: 'applied twice', seq: 3, file: FIRST, line: 3 };
    expect(verify()).toMatchObject({ isWhole: false, records: 4, damage });
  });

  it.each([
    { why: 'the same change is told of twice', second: applied('a', { action: 'recover' }) },
    { why: 'another is applied', second: applied('b', { preview: 'q' }) },
    { why: 'a second try did not come to it', second: applied('b', { outcome: 'refused' }) },
    { why: 'a record names no change', second: applied('', { change_id: undefined }) },
    { why: 'a change has no preview', second: applied('b', { preview: undefined }) },
  ])('was applied once where $why', ({ second }) => {
    const { trail, verify } = trailGround();
    trail.append(applied('a'), applied('z', { preview: undefined }), second);
    expect(verify()).toMatchObject({ isWhole: true, records: 3 });
  });
});

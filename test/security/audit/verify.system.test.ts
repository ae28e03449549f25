// What verifying says, to the word: which is the first record that is not as it was, where it stands, and what is worth knowing.
import { appendFileSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeHead } from '../../../src/security/audit/record.ts';
import { ChangeStore, createLog, sha256Hex } from '../../../src/security/index.ts';
import { EACH, trailGround } from './ground.ts';

const ZEROS = '0'.repeat(64);
const UNFINISHED = 'ends with an unfinished record: its process was killed, or the power failed';
const [FIRST, SECOND] = ['audit-000001.jsonl', 'audit-000002.jsonl'];
type Ground = ReturnType<typeof trailGround>;

describe('a trail that is not whole', () => {
  interface Row {
    readonly why: string;
    readonly harm: (ground: Ground) => void;
    readonly how: string;
    /** The record that is missed, in the line of its number. */
    readonly seq: number;
    /** Before it, or up to it. */
    readonly records: number;
  }
  const none = ({ head }: Ground) => writeFileSync(head, '{}');
  const gone = ({ file }: Ground) => rmSync(file());
  const to =
    (change: (lines: readonly string[]) => readonly string[]) =>
    ({ rewrite }: Ground) =>
      rewrite(change);
  const another = ({ folder }: Ground) =>
    writeHead(folder, { seq: 3, sha256: 'a'.repeat(64), file: 1, size: 1 });
  const [swapped, twice] = [to(([a = '', b = '', c = '']) => [b, a, c]), to(([a = '', b = '']) => [a, b, b])];
  const [tooFew, noLine] = [
    to(([a = '', , c = '']) => [a, c, 'null']),
    to(([a = '', , c = '']) => [a, 'null', c]),
  ];
  const strange = to(([a = '', ...rest]) => [a.replace(ZEROS, 'a'.repeat(64)), ...rest]);

  it.each<Row>([
    { why: 'a head that is none', harm: none, how: 'head mismatch', seq: 3, records: 3 },
    { why: 'no head', harm: ({ head }) => rmSync(head), how: 'head mismatch', seq: 3, records: 3 },
    {
      why: 'a head that is none, and nothing else',
      harm: (ground) => [none(ground), gone(ground)],
      ...{ how: 'head mismatch', seq: 0, records: 0 },
    },
    { why: 'a head of another last line', harm: another, how: 'edited', seq: 3, records: 3 },
    { why: 'a tail that was cut', harm: to((all) => all.slice(0, 2)), how: 'tail cut', seq: 2, records: 2 },
    { why: 'no file', harm: gone, how: 'tail cut', seq: 0, records: 0 },
    { why: 'two lines that changed places', harm: swapped, how: 'reordered', seq: 1, records: 0 },
    { why: 'no first line', harm: to((all) => all.slice(1)), how: 'dropped', seq: 1, records: 0 },
    { why: 'a line that stands there twice', harm: twice, how: 'reordered', seq: 3, records: 2 },
    { why: 'a line too few, and one that is none', harm: tooFew, how: 'dropped', seq: 2, records: 1 },
    { why: 'a line that is none', harm: noLine, how: 'edited', seq: 2, records: 1 },
    { why: 'a first line behind another', harm: strange, how: 'edited', seq: 1, records: 0 },
  ])('has $why (AUDI-005)', ({ harm, how, seq, records }) => {
    const ground = trailGround(3);
    const hashes = ['', ...ground.lines()].map((line) => (line === '' ? ZEROS : sha256Hex(line)));
    harm(ground);
    const damage = { how, seq, file: seq === 0 ? '' : FIRST, line: seq };
    expect(ground.verify()).toEqual({ isWhole: false, records, sha256: hashes[records], notes: [], damage });
  });

  it.each([2, 3])('has a record that somebody edited, in its middle or at its end: %d', (seq) => {
    const { rewrite, verify } = trailGround(3);
    rewrite((lines) => lines.map((line) => line.replace(`f${seq}`, 'f9')));
    expect(verify()).toMatchObject({ isWhole: false, damage: { how: 'edited', seq, line: seq } });
  });

  const replaced = ({ file, here }: Ground) => {
    rmSync(file(2));
    symlinkSync(join(here.outside, 's.yaml'), file(2));
  };
  const edited = ({ rewrite }: Ground) =>
    rewrite((lines) => lines.map((line) => line.replace('f2', 'f9')), 2);
  const cut = ({ file }: Ground) => truncateSync(file(3));

  it.each<{ why: string; harm: (ground: Ground) => void; at: readonly [string, number, string, number] }>([
    { why: 'lacks its first file', harm: gone, at: ['file missing', 1, FIRST, 0] },
    { why: 'lacks one between', harm: ({ file }) => rmSync(file(2)), at: ['file missing', 2, SECOND, 0] },
    { why: 'has a link in the place of a file', harm: replaced, at: ['file missing', 2, SECOND, 0] },
    { why: 'was edited at the end of a file', harm: edited, at: ['edited', 3, SECOND, 2] },
    { why: 'was cut in its last file', harm: cut, at: ['tail cut', 3, SECOND, 2] },
  ])('over several files $why', ({ harm, at: [how, seq, file, line] }) => {
    const ground = trailGround(3, EACH);
    expect(ground.verify()).toMatchObject({ isWhole: true, records: 5, notes: [] });
    harm(ground);
    const damage = { how, seq, file, line };
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
    const { append, verify, head } = trailGround(2);
    const before = readFileSync(head);
    append(noted, noted, noted, { action: 'propose' });
    writeFileSync(head, before);
    const { isWhole, records, notes: found } = verify();
    expect([isWhole, records]).toEqual([true, 6]);
    expect(found).toEqual(
      notes.map((by) => `the head is behind by ${by}: a process was killed while it wrote`),
    );
  });

  it.each(['{"action"', '\0\0\n', '{"action"}\0'])('may end with what was never finished: %j', (rest) => {
    const { verify, file } = trailGround(2, EACH);
    appendFileSync(file(2), rest);
    expect(verify()).toMatchObject({ isWhole: true, records: 3, notes: [`${SECOND} ${UNFINISHED}`] });
  });
});

describe('the changes that are kept', () => {
  function withChanges(...sorts: readonly ('recorded' | 'missing' | 'open' | 'torn' | 'direct')[]) {
    const ground = trailGround(1);
    const { state, here, append, trail } = ground;
    const log = createLog({ level: 'error', format: 'json', file: join(here.base, 'log.jsonl') });
    const store = new ChangeStore({ folder: state.changes, trail, log, roots: ZEROS, now: () => new Date() });
    for (const sort of sorts) {
      const { id, text } = store.draft({
        ...{ caller: { name: 'test', version: '1' }, policy: ZEROS, origin: { kind: 'edit' } },
        ...{ files: [], confirmed_by: 'direct' },
        ...(sort === 'direct' ? {} : { preview: 'p'.repeat(43) }),
      });
      state.changes.put(`${id}.${sort === 'open' ? 'open' : 'json'}`, sort === 'torn' ? text.slice(1) : text);
      if (sort === 'recorded') append({ action: 'commit', outcome: 'applied', change_id: id });
    }
    return ground;
  }

  it('are in the trail, but for those that are being made or that a power cut took', () => {
    const { verify } = withChanges('recorded', 'open', 'torn', 'direct', 'recorded');
    expect(verify(true)).toMatchObject({ isWhole: true, records: 3 });
  });

  it('are missed where the trail does not know of one', () => {
    const { verify } = withChanges('recorded', 'missing');
    const damage = { how: 'commit missing', seq: 3, file: FIRST, line: 2 };
    expect(verify(true)).toMatchObject({ isWhole: false, records: 2, damage });
    expect(verify()).toMatchObject({ isWhole: true });
  });

  it('are missed where only a refused call names one', () => {
    const { append, state, verify } = withChanges('missing');
    const [name = ''] = state.changes.names();
    append({ action: 'config_revert', outcome: 'refused', change_id: name.replace('.json', '') });
    expect(verify(true)).toMatchObject({ isWhole: false, damage: { how: 'commit missing', seq: 3 } });
  });

  it('are missed where all of the trail is gone, and its head', () => {
    const { verify, file, head } = withChanges('direct');
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

describe('a checkpoint', () => {
  it('that says less of a kept preview than the records before it is told of, though its seal is whole [APR-5]', () => {
    const { append, state, again, verify } = trailGround(1, EACH);
    const preview = 'p'.repeat(43);
    state.previews.put(`${preview}.json`, '');
    append({ action: 'reject', preview, reviewer: 'ann' });
    append({ action: 'reject', preview: 'q', reviewer: 'ann' });
    expect(verify(true)).toMatchObject({ isWhole: true, records: 5 });
    const nothing = { previews: new Set<string>(), changes: new Set<string>(), at: '~' };
    again({ kept: () => nothing }).append(() => [{ action: 'propose' }]);
    const damage = { how: 'checkpoint edited', seq: 7, file: 'audit-000004.jsonl', line: 2 };
    expect(verify(true)).toMatchObject({ isWhole: false, records: 7, damage });
  });
});

describe('a preview', () => {
  const applied = (change_id: string, more = {}) => ({
    ...{ action: 'commit', outcome: 'applied', preview: 'p', change_id },
    ...more,
  });

  it('that was applied twice is told, with the first time that it was too often', () => {
    const { append, verify } = trailGround(1);
    append(applied('a'), applied('b'), applied('c'));
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
    const { append, verify } = trailGround();
    append(applied('a'), applied('z', { preview: undefined }), second);
    expect(verify()).toMatchObject({ isWhole: true, records: 3 });
  });

  const [approve, reject] = ['approve', 'reject'].map((action) => {
    return { action, preview: 'p', reviewer: 'ann', signed: {} };
  });
  const human = applied('a', { confirmed_by: 'human' });
  const intent = { ...human, outcome: 'intent' };
  const signed = { decision: { part: 'p' } };
  const part = { action: 'part', preview: 'whole', reviewer: 'bob', signed };
  it.each([
    { why: 'rejected before', records: [approve, reject, intent], how: 'applied though rejected' },
    { why: 'rejected, and has no intent', records: [reject, applied('a')], how: 'applied though rejected' },
    { why: 'approved by nobody', records: [intent, approve, human], how: 'applied without approval' },
    {
      why: 'part of a rejected one',
      records: [approve, { ...reject, preview: 'whole' }, part, intent],
      how: 'applied though rejected',
    },
    { why: 'approved in part only', records: [{ ...approve, action: 'part' }, human] },
  ])('that was $why is not applied [APR-5]', ({ records, how = 'applied without approval' }) => {
    const { append, verify } = trailGround();
    for (const record of records) append({ ...record });
    const seq = records.findIndex((record) => record?.action === 'commit') + 1;
    const damage = { how, seq, file: FIRST, line: seq };
    expect(verify()).toMatchObject({ isWhole: false, records: records.length, damage });
  });

  it('may be rejected between the intent and the end, and a rejected one refused', () => {
    const { append, verify } = trailGround();
    for (const record of [approve, intent, reject, human]) append({ ...record });
    append({ ...reject, preview: 'q' }, applied('b', { preview: 'q', outcome: 'refused' }));
    expect(verify()).toMatchObject({ isWhole: true, records: 6 });
  });
});

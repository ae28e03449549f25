// What a commit leaves in the log, whom it asks in between, and what it leaves to the next start.
import fs, { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Log, Refusal, VerifiedEdit } from '../../../src/security/index.ts';
import { sha256 } from '../../harness/sha256.ts';
import { codeOf, fingerprint, refusalOf } from '../fixture.ts';
import { committed, failing } from './accident.ts';
import { callsOf, committing, type Ground, ground, logIn, own, told, verdictAt } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const ONE = ['d/a.yaml'];
const TWO = ['d/a.yaml', 'd/b.yaml'];
const NEVER = { call: 'never', act: () => {} };
const said = (here: Ground) =>
  told(here, 'commit').map(({ event, outcome, code }) => [event, outcome, code].join(' ').trim());

describe('a commit', () => {
  it('has an intent and an outcome in the log, with all that is known about it', () => {
    const about = { caller: { name: 'client', version: '1' }, requestId: 'request' };
    const { here, made } = committed(ONE, NEVER, about);
    const record = {
      ...{ level: 'info', event: 'audit', action: 'commit', file: 'd/a.yaml', base_sha256: sha256('old\n') },
      ...{
        result_sha256: sha256('new: d/a.yaml\n'),
        paths: ['a'],
        change_id: here.record.id,
        confirmed_by: 'direct',
      },
      ...{ caller: { name: 'client', version: '1' }, request_id: 'request' },
    };
    expect(told(here, 'commit')).toEqual([
      { ...record, outcome: 'intent' },
      { ...record, outcome: 'applied' },
    ]);
    expect(made.at(-1)).toBe('unlink .lock');
  });

  it('keeps its record once all new contents are made, and before the first file changes', () => {
    const here = ground(TWO);
    const calls = callsOf((heed) => {
      const changes = { keep: () => heed('keep', ''), finish: () => heed('finish', ''), forget: () => {} };
      committing(here, heed, { changes });
    });
    expect(calls.filter((call) => /^(?:create.*new|keep|rename|finish|unlink .lock)/u.test(call))).toEqual([
      ...['createExclusive .new', 'createExclusive .new', 'keep', 'rename .new a.yaml', 'rename .new b.yaml'],
      ...['finish', 'unlink .lock'],
    ]);
  });

  it('changes nothing where its record cannot be kept: a fault of ours is not hidden', () => {
    const here = ground(ONE);
    const before = fingerprint(here.root);
    const keep = () => {
      throw new TypeError('a fault');
    };
    const changes = { keep, finish: () => {}, forget: () => {} };
    expect(() => committing(here, () => {}, { changes, log: logIn(here, 'commit') })).toThrow('a fault');
    expect(fingerprint(here.root)).toBe(before);
    expect(said(here)).toEqual(['audit failed INTERNAL']);
  });

  it.each([
    { code: 'READ_ONLY', outcome: 'refused', readOnly: true, level: 'direct' },
    { code: 'PREVIEW_REQUIRED', outcome: 'refused', readOnly: false, level: 'preview' },
    { code: 'POLICY_DENIED', outcome: 'refused', readOnly: false, level: 'deny' },
  ] as const)(
    'that the policy does not allow is $code, and nothing is touched',
    ({ code, outcome, readOnly, level }) => {
      const here = ground(ONE);
      const verdict = verdictAt(level, here.edits);
      const policy = here.policy({ readOnly });
      const calls = callsOf((heed) => {
        const act = () => committing(here, heed, { policy, verdict, log: logIn(here, 'commit') });
        expect(codeOf(act)).toBe(code);
      });
      expect(calls).toEqual([]);
      expect(said(here)).toEqual([`audit ${outcome} ${code}`]);
    },
  );

  it('of nothing new writes nothing, not even a word', () => {
    const here = ground(TWO);
    const [first] = here.edits;
    if (first === undefined) throw new Error('there are two');
    const noop = VerifiedEdit.prove(first.snapshot, [{ start: 0, end: 3, insert: 'old' }], () => []);
    const policy = here.policy({ readOnly: true });
    expect(callsOf((heed) => committing({ ...here, edits: [noop] }, heed, { policy }))).toEqual([]);
    committing({ ...here, edits: [noop, ...here.edits.slice(1)] }, () => {}, { log: logIn(here, 'commit') });
    expect(told(here, 'commit').map(({ file }) => file)).toEqual(['d/b.yaml', 'd/b.yaml']);
  });

  it('takes one result for a file, under whatever name', () => {
    const TWICE = 'one commit was handed two results for the same file';
    const here = ground(ONE);
    const twice = { ...here, edits: [...here.edits, ...here.edits] };
    const log = logIn(here, 'commit');
    expect(() => committing(twice, () => {}, { log })).toThrow(TWICE);
    expect(told(here, 'commit')).toEqual([]);
    const two = ground(TWO);
    const before = fingerprint(join(two.root, 'd'));
    const heed = (call: string, name: string) => {
      if (call === 'hold' && name === 'b.yaml')
        renameSync(join(two.root, 'd/a.yaml'), join(two.root, 'd/b.yaml'));
    };
    expect(() => committing(two, heed)).toThrow(TWICE);
    renameSync(join(two.root, 'd/b.yaml'), join(two.root, 'd/a.yaml'));
    writeFileSync(join(two.root, 'd/b.yaml'), 'old\n');
    chmodSync(join(two.root, 'd/b.yaml'), 0o640);
    expect(fingerprint(join(two.root, 'd'))).toBe(before);
  });

  it('says which bytes a changed file has, and nothing where it is gone', () => {
    const edit = (name: string) => ({
      call: `hold ${name}`,
      act: (here: Ground) => writeFileSync(join(here.root, 'd', name), 'x\n'),
    });
    const { refusal, texts, left, records } = committed(TWO, edit('b.yaml'));
    expect(refusal?.message).toBe(
      'Cannot write this file: it is no longer what the edit was made for. Read it again and repeat the edit.',
    );
    expect([refusal?.code, refusal?.where, refusal?.clues]).toEqual([
      'FILE_CHANGED',
      { file: 'd/b.yaml' },
      { actualSha256: sha256('x\n') },
    ]);
    expect([texts, left]).toEqual([['old', 'x'], []]);
    expect(records).toEqual(['refused d/a.yaml FILE_CHANGED', 'refused d/b.yaml FILE_CHANGED']);
    const gone = committed(ONE, {
      call: 'look a.yaml',
      act: (here) => writeFileSync(join(here.root, 'd/a.yaml'), 'y\n'),
    });
    expect([gone.refusal?.where, gone.refusal?.clues]).toStrictEqual([{ file: 'd/a.yaml' }, {}]);
  });

  it('whose new contents cannot be made durable says of which file', () => {
    const here = ground(TWO);
    let flushes = 0;
    vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
      if (fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('.new')) flushes += 1;
      if (flushes === 2) failing('ENOSPC')(here);
    });
    const refusal = refusalOf(() => committing(here, () => {}));
    expect([refusal?.code, refusal?.message, refusal?.where]).toEqual([
      'NO_SPACE',
      'Cannot write this file: the disk is full. Free some space and try again.',
      { file: 'd/b.yaml' },
    ]);
    expect(own(here)).toEqual([]);
  });

  it('that was written is written, though its lock does not go: the next start sees to that', () => {
    const done = committed(TWO, { call: 'unlink .lock', act: failing('EIO') });
    expect([done.refusal, done.texts]).toEqual([undefined, ['new: d/a.yaml', 'new: d/b.yaml']]);
    expect(done.left).toEqual(['d/.lock']);
    expect(done.records.slice(2)).toEqual(['applied d/a.yaml', 'applied d/b.yaml']);
    done.here.start();
    expect(own(done.here)).toEqual([]);
  });

  it('that failed leaves what cannot be removed to the next start', () => {
    const { here, refusal, left } = committed(TWO, {
      ...{ call: 'rename .new a.yaml', act: failing('EIO'), after: 'unlink .new' },
    });
    expect([refusal?.code, left]).toEqual(['IO_ERROR', ['d/.new', 'd/.new']]);
    here.start();
    expect(own(here)).toEqual([]);
  });

  it('changes nothing where its intent cannot be recorded [AUD-1]', () => {
    const here = ground(ONE);
    vi.spyOn(Log.prototype, 'noteAll').mockImplementation(() => {
      throw new Refusal('IO_ERROR', 'the log is full');
    });
    expect(codeOf(() => committing(here, () => {}))).toBe('IO_ERROR');
    expect([readFileSync(join(here.root, 'd/a.yaml'), 'utf8'), own(here)]).toEqual(['old\n', []]);
  });

  it.each([
    { lost: 'noteAll', code: 'no error', text: 'new: d/a.yaml\n' },
    { lost: 'auditAll', code: 'IO_ERROR', text: 'old\n' },
  ] as const)('says so where its outcome cannot be recorded: $lost', ({ lost, code, text }) => {
    const here = ground(ONE);
    const log = logIn(here, 'commit');
    const real = log[lost].bind(log);
    vi.spyOn(Log.prototype, lost).mockImplementation((make) => {
      const records = make({ seq: 0, sha256: '' });
      if (records[0]?.outcome !== 'intent') throw new Refusal('IO_ERROR', 'the log is full');
      real(() => records);
    });
    const heed = (call: string) => {
      if (call === 'rename' && lost === 'auditAll') failing('EIO')(here);
    };
    expect(codeOf(() => committing(here, heed, { log }))).toBe(code);
    expect(readFileSync(join(here.root, 'd/a.yaml'), 'utf8')).toBe(text);
    expect(told(here, 'commit').map(({ level, event }) => `${level} ${event}`)).toEqual([
      'info audit',
      'error audit_outcome_lost',
    ]);
  });
});

// What a commit leaves in the log, whom it asks in between, and what it does about the end of a batch that was decided.
import fs, { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Log, Refusal, VerifiedEdit } from '../../../src/security/index.ts';
import { sha256 } from '../../harness/sha256.ts';
import { codeOf, fingerprint, refusalOf } from '../fixture.ts';
import { committed, failing } from './accident.ts';
import { callsOf, committing, type Ground, ground, logIn, own, plain, tidying, told } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const ONE = ['d/a.yaml'];
const TWO = ['d/a.yaml', 'd/b.yaml'];
const NEVER = { call: 'never', act: () => {} };
const said = (here: Ground) =>
  told(here, 'commit').map(({ event, outcome, code }) => [event, outcome, code].join(' ').trim());

describe('a commit', () => {
  it('has an intent and an outcome in the log, with all that is known about it', () => {
    const about = { changeId: 'change', caller: { name: 'client', version: '1' }, requestId: 'request' };
    const { here, made } = committed(ONE, NEVER, { about });
    const record = {
      ...{ level: 'info', event: 'audit', action: 'commit', file: 'd/a.yaml', base_sha256: sha256('old\n') },
      ...{
        result_sha256: sha256('new: d/a.yaml\n'),
        paths: ['a'],
        change_id: 'change',
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

  it('asks once all is durable that has to be, and once more before the first file changes', () => {
    const here = ground(TWO);
    const calls = callsOf((heed) => {
      const log = logIn(here, 'commit');
      const about = { onStaged: () => heed('staged', ''), onWriting: () => heed('writing', '') };
      committing(here, heed, { log, about });
    });
    const events = calls.filter((call) =>
      /^(?:create.*old|staged|writing|link .draft .journal|rename)/u.test(call),
    );
    expect(events).toEqual([
      ...['createExclusive .0.old', 'createExclusive .1.old', 'staged', 'writing', 'link .draft .journal'],
      ...['rename .0.new a.yaml', 'rename .1.new b.yaml'],
    ]);
  });

  it.each([
    { when: 'onStaged', records: ['failed INTERNAL'] },
    { when: 'onWriting', records: ['intent', 'failed INTERNAL'] },
  ])('changes nothing where $when is a fault of ours, which is not hidden', ({ when, records }) => {
    const here = ground(ONE);
    const before = fingerprint(here.root);
    const about = {
      [when]: () => {
        throw new TypeError('a fault');
      },
    };
    expect(() => committing(here, () => {}, { about, log: logIn(here, 'commit') })).toThrow('a fault');
    expect(fingerprint(here.root)).toBe(before);
    expect(said(here)).toEqual(records.map((each) => `audit ${each}`));
  });

  it.each([
    { code: 'READ_ONLY', outcome: 'refused', policy: { readOnly: true } },
    { code: 'PREVIEW_REQUIRED', outcome: 'refused', policy: { approval: 'preview' } },
  ] as const)(
    'that the policy does not allow is $code, and nothing is touched',
    ({ code, outcome, policy }) => {
      const here = ground(ONE);
      const calls = callsOf((heed) => {
        const act = () => committing(here, heed, { policy: here.policy(policy), log: logIn(here, 'commit') });
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
    vi.spyOn(fs, 'fsyncSync').mockImplementation((fd) => {
      if (fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('.1.new')) failing('ENOSPC')(here);
    });
    const refusal = refusalOf(() => committing(here, () => {}));
    expect([refusal?.code, refusal?.message, refusal?.where]).toEqual([
      'NO_SPACE',
      'Cannot write this file: the disk is full. Free some space and try again.',
      { file: 'd/b.yaml' },
    ]);
    expect(own(here)).toEqual([]);
  });

  it.each([
    { why: 'its old contents do not go', call: 'unlink .0.old', nth: 1, left: ['d/.0.old', 'd/.journal'] },
    { why: 'the folder cannot be made durable', call: 'sync', nth: 5, left: ['d/.journal'] },
    { why: 'its journal does not go', call: 'unlink .journal', nth: 1, left: ['d/.journal'] },
  ])(
    'that was written is written, though $why: the next start sees to that',
    ({ call, nth, left, ...row }) => {
      expect(row.why).not.toBe('');
      const done = committed(TWO, { call, nth, act: failing('EIO'), isForGood: true });
      expect([done.refusal, done.texts]).toEqual([undefined, ['new: d/a.yaml', 'new: d/b.yaml']]);
      expect(done.left).toEqual(left);
      expect(done.records.slice(2)).toEqual(['applied d/a.yaml', 'applied d/b.yaml']);
    },
  );

  it.each([{ call: 'unlink .1.new' }, { call: 'unlink .0.old' }])(
    'that failed leaves what cannot be removed ($call) to the next start',
    ({ call }) => {
      const here = ground(TWO);
      const heed = (made: string, name: string) => {
        const it = `${made} ${plain(name)}`;
        if (it === call || it === 'rename .0.new a.yaml') failing('EIO')(here);
      };
      expect(refusalOf(() => committing(here, heed))?.code).toBe('IO_ERROR');
      expect(own(here).map(plain)).toEqual([`d/${call.slice('unlink '.length)}`]);
      tidying(here);
      expect(own(here)).toEqual([]);
    },
  );

  it.each([
    { lost: 'noteAll', code: 'no error', text: 'new: d/a.yaml\n' },
    { lost: 'auditAll', code: 'IO_ERROR', text: 'old\n' },
  ] as const)('says so where its outcome cannot be recorded: $lost', ({ lost, code, text }) => {
    const here = ground(ONE);
    vi.spyOn(Log.prototype, lost).mockImplementation(() => {
      throw new Refusal('IO_ERROR', 'the log is full');
    });
    const heed = (call: string) => {
      if (call === 'rename' && lost === 'auditAll') failing('EIO')(here);
    };
    expect(codeOf(() => committing(here, heed, { log: logIn(here, 'commit') }))).toBe(code);
    expect(readFileSync(join(here.root, 'd/a.yaml'), 'utf8')).toBe(text);
    expect(told(here, 'commit').map(({ level, event }) => `${level} ${event}`)).toEqual([
      'info audit',
      'error audit_outcome_lost',
    ]);
  });
});

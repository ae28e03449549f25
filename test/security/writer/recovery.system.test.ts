// What becomes of a change that died, told by what somebody did to its files in between; what the audit trail says of it;
// and what keeps it open.
import fs, { existsSync, readFileSync, rmSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { walk } from '../../../src/security/containment/held.ts';
import {
  type Approval,
  type AuditOutcome,
  commitEdits,
  DEFAULT_LIMITS,
  Log,
  openSandbox,
  openState,
  type Policy,
  Refusal,
  recoverRoots,
  Verdict,
} from '../../../src/security/index.ts';
import { lockFolder } from '../../../src/security/locking/lock.ts';
import { thisProcess } from '../../../src/security/locking/lock-owner.ts';
import { LOCK_NAME } from '../../../src/security/paths/denylist.ts';
import { draftOf } from '../../harness/change-draft.mjs';
import { jsonLines } from '../../harness/json-lines.ts';
import { sha256 } from '../../harness/sha256.ts';
import { judged } from '../../harness/verdict.mjs';
import { fingerprint, type Place, refusalOf, rewritten } from '../fixture.ts';
import { bury, changesIn, committing, died, type Ground, ground, logIn, own, ownNamed } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const FILES = ['d/a.yaml', 'd/b.yaml'];
const OLD = 'old\n';

const write = (here: Ground, file: string, text: string) => writeFileSync(join(here.root, file), text);
const textsOf = (here: Ground) =>
  here.files.map((file) => readFileSync(join(here.root, file), 'utf8').trim());
const trailOf = ({ base }: Place) => {
  const file = join(base, 'state/audit/audit-000001.jsonl');
  return existsSync(file) ? jsonLines(readFileSync(file, 'utf8')) : [];
};
const recordedOf = (here: Place) =>
  trailOf(here).flatMap(({ action, outcome, file }) => (action === 'recover' ? [`${outcome} ${file}`] : []));
const noticesOf = (here: Place) =>
  here
    .logged()
    .flatMap(({ event, ...is }) =>
      event === 'recovered' || event === 'recovery_waiting'
        ? [[is['level'], event, is['state'] ?? is['code'] ?? is['reason'], is['file']].join(' ')]
        : [],
    );
const both = (outcome: string) => FILES.map((file) => `${outcome} ${file}`);
/** As a server that starts with another policy. */
function startedWith(here: Ground, changes: Partial<Policy>): void {
  const sandbox = openSandbox(here.policy(changes), here.state().log);
  recoverRoots(sandbox, here.state());
  sandbox.close();
}

const FINISHED = { log: ['warn recovered finished d/a.yaml'], texts: ['new: d/a.yaml', 'new: d/b.yaml'] };
const CONFLICT = { log: ['error recovered conflict d/a.yaml'], records: both('unknown') };

interface Story {
  readonly why: string;
  readonly when: Parameters<typeof died>[0];
  readonly act?: (here: Ground) => void;
  readonly log: readonly string[];
  readonly records: readonly string[];
  readonly texts: readonly string[];
}

const STORIES: readonly Story[] = [
  { why: 'its record was made', when: 'before its record', log: [], records: [], texts: ['old', 'old'] },
  {
    why: 'its first file was replaced',
    when: 'before its first file',
    log: ['warn recovered undone d/a.yaml'],
    records: both('rolled_back'),
    texts: ['old', 'old'],
  },
  {
    why: 'its second file was replaced',
    when: 'between its files',
    ...FINISHED,
    records: [...both('intent'), ...both('applied')],
  },
  {
    why: 'it could say how it ended',
    when: 'after its last file',
    log: [],
    records: [],
    texts: FINISHED.texts,
  },
  {
    why: 'its first file was replaced, and somebody edited that',
    when: 'before its first file',
    act: (here) => write(here, 'd/a.yaml', 'mine\n'),
    ...{ ...CONFLICT, texts: ['mine', 'old'] },
  },
  {
    why: 'its second file was replaced, and somebody edited that',
    when: 'between its files',
    act: (here) => write(here, 'd/b.yaml', 'mine\n'),
    ...{ ...CONFLICT, texts: ['new: d/a.yaml', 'mine'] },
  },
  {
    why: 'its second file was replaced, and somebody edited the first on top of it',
    when: 'between its files',
    act: (here) => write(here, 'd/a.yaml', 'mine\n'),
    ...{ ...CONFLICT, texts: ['mine', 'old'] },
  },
  {
    why: 'its second file was replaced, and somebody put that in its place',
    when: 'between its files',
    act: (here) => write(here, 'd/b.yaml', 'new: d/b.yaml\n'),
    ...{ ...FINISHED, records: both('applied') },
  },
  {
    why: 'its second file was replaced, and somebody deleted the new contents and the lock',
    when: 'between its files',
    act: (here) => {
      for (const end of ['.new', '.lock']) rmSync(ownNamed(here, end));
    },
    ...{ ...FINISHED, records: [...both('intent'), ...both('applied')] },
  },
];

describe('a batch that died', () => {
  it.each(STORIES)('before $why is what it can be, and the trail says so [WRT-6]', ({ when, act, ...is }) => {
    const here = died(when, FILES);
    act?.(here);
    here.start();
    expect([noticesOf(here), recordedOf(here), textsOf(here)]).toEqual([is.log, is.records, is.texts]);
    expect(own(here)).toEqual([]);
    expect(changesIn(here)).toEqual(is.texts.includes('old') && !is.texts.includes('mine') ? [] : ['.json']);
    const after = fingerprint(here.root);
    here.start();
    expect([fingerprint(here.root), recordedOf(here)]).toEqual([after, is.records]);
  });

  it('has a record of each file with what it was and became', () => {
    const here = died('between its files', FILES);
    here.start();
    expect(trailOf(here).slice(-2)).toMatchObject(
      FILES.map((file) => ({
        ...{ action: 'recover', outcome: 'applied', file, base_sha256: sha256(OLD) },
        ...{ result_sha256: sha256(`new: ${file}\n`), change_id: here.record.id, confirmed_by: 'direct' },
      })),
    );
  });

  it.each(['d/x.yaml', 'e/x.yaml'])(
    'is brought to its end by its own server that wants to write %s',
    (file) => {
      const here = died('between its files', ['d/a.yaml', 'e/b.yaml']);
      const path = here.write(`root/${file}`, OLD);
      const sandbox = here.open();
      here.commit(sandbox, [rewritten(sandbox, file, 'mine\n')]);
      expect([textsOf(here), readFileSync(path, 'utf8')]).toEqual([
        ['new: d/a.yaml', 'new: e/b.yaml'],
        'mine\n',
      ]);
      here.start();
      expect(own(here)).toEqual([]);
    },
  );

  it('is BUSY to a server with another state directory, which touches nothing, until its own has ended it [WRT-6]', () => {
    const here = died('between its files', FILES);
    const other = openState({ dir: join(here.base, 'other') }, here.policy(), logIn(here, 'other'));
    const sandbox = here.open();
    const writing = () => {
      const edits = [rewritten(sandbox, 'd/b.yaml', 'mine\n')];
      const verdict = judged(Verdict, sandbox, edits);
      commitEdits(sandbox, edits, { state: other, draft: draftOf(edits), verdict });
    };
    const before = fingerprint(here.root);
    recoverRoots(sandbox, other);
    const refusal = refusalOf(writing);
    expect([refusal?.code, refusal?.message]).toEqual([
      'BUSY',
      expect.stringContaining('The operator should start the server that wrote it once more'),
    ]);
    expect(fingerprint(here.root)).toBe(before);
    here.start();
    writing();
    expect(textsOf(here)).toEqual(['new: d/a.yaml', 'mine']);
    other.dir.close();
  });

  it('is BUSY to a server of other roots with the same state directory [WRT-6]', () => {
    const here = died('between its files', FILES);
    const roots = [{ name: undefined, dir: join(here.root, 'd') }];
    const policy = here.policy({ roots });
    const other = openState({ dir: join(here.base, 'state') }, policy, logIn(here, 'other'));
    const sandbox = openSandbox(policy, other.log);
    const before = fingerprint(here.root);
    recoverRoots(sandbox, other);
    const edits = [rewritten(sandbox, 'b.yaml', 'mine\n')];
    const verdict = judged(Verdict, sandbox, edits);
    const refusal = refusalOf(() =>
      commitEdits(sandbox, edits, { state: other, draft: draftOf(edits), verdict }),
    );
    expect([refusal?.code, fingerprint(here.root)]).toEqual(['BUSY', before]);
    here.start();
    expect(textsOf(here)).toEqual(FINISHED.texts);
    for (const each of [sandbox, other.dir]) each.close();
  });
});

function refusing(
  call: 'renameSync' | 'readSync' | 'fsyncSync',
  code: string,
  isMeant: (...args: readonly unknown[]) => boolean,
): void {
  const real = fs[call];
  vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
    if (isMeant(...args)) throw Object.assign(new Error(code), { code, errno: -1 });
    return Reflect.apply(real, fs, args);
  });
}

const KEEPERS: readonly {
  why: string;
  with?: Partial<Policy>;
  during?: () => void;
  says: readonly string[];
}[] = [
  {
    why: 'the policy no longer lets one of its files through',
    with: { deny: ['d/b.yaml'] },
    says: ['error recovery_waiting PATH_DENIED d/a.yaml'],
  },
  {
    why: 'one of its files is longer than is allowed now',
    with: { limits: { ...DEFAULT_LIMITS, fileSizeBytes: 3 } },
    says: ['error recovery_waiting FILE_TOO_LARGE d/a.yaml'],
  },
  {
    why: 'the system does not let it be renamed',
    during: () => refusing('renameSync', 'EACCES', (_from, to) => String(to).endsWith('/b.yaml')),
    says: ['error recovery_waiting PERMISSION_DENIED d/a.yaml'],
  },
  {
    why: 'its names cannot be made durable',
    during: () => {
      let syncs = 0;
      // The first one is of the lock.
      const isMeant = (fd: unknown) => fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('/d') && ++syncs === 2;
      refusing('fsyncSync', 'EIO', isMeant);
    },
    says: ['error recovery_waiting IO_ERROR d/a.yaml'],
  },
  {
    why: 'one of its files cannot be read',
    during: () =>
      refusing('readSync', 'EIO', (fd) => fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('/d/b.yaml')),
    says: ['error recovery_waiting IO_ERROR d/a.yaml'],
  },
  {
    why: 'nothing can be recorded',
    during: () =>
      vi.spyOn(Log.prototype, 'auditAll').mockImplementation(() => {
        throw new Refusal('IO_ERROR', 'the log is full');
      }),
    says: ['error recovery_waiting IO_ERROR d/a.yaml'],
  },
  {
    why: 'the trail cannot be read',
    during: () =>
      refusing('readSync', 'EIO', (fd) => fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('.jsonl')),
    says: ['error recovery_waiting IO_ERROR d/a.yaml'],
  },
];

describe('a batch in halves', () => {
  it.each(KEEPERS)('stays as it is, locked, where $why', ({ during, says, ...row }) => {
    const here = died('between its files', FILES);
    const files = () => [
      ...textsOf(here),
      ...changesIn(here),
      own(here).some((name) => name.endsWith('.lock')),
    ];
    const before = files();
    during?.();
    startedWith(here, row.with ?? {});
    vi.restoreAllMocks();
    expect([noticesOf(here), files()]).toEqual([says, before]);
    // The process that tried it lives.
    bury(here);
    here.start();
    expect([textsOf(here), own(here)]).toEqual([FINISHED.texts, []]);
  });

  it('is finished by a server that asks for signatures only where there is one [APR-3]', () => {
    const here = died('between its files', FILES);
    startedWith(here, { approval: 'human' });
    expect([textsOf(here), recordedOf(here)]).toEqual([['new: d/a.yaml', 'old'], CONFLICT.records]);
  });

  it('is not finished where the trail has lost a change that is kept [APR-5]', () => {
    const here = died('between its files', FILES);
    const lost = vi.spyOn(here.state().changes, 'requireAccounted').mockImplementation(() => {
      throw new Refusal('IO_ERROR', 'it is not whole');
    });
    here.start();
    expect([textsOf(here), lost.mock.calls.length]).toEqual([['new: d/a.yaml', 'old'], 1]);
  });

  it.each([{ change: 'c'.repeat(43) }, { state: 'ab'.repeat(16) }])(
    'is left alone where its folder is locked for another batch: %j',
    (other) => {
      const here = died('between its files', FILES);
      const lock = ownNamed(here, '.lock');
      const said = JSON.parse(readFileSync(lock, 'utf8'));
      writeFileSync(lock, JSON.stringify({ ...said, batch: { ...said.batch, ...other } }));
      here.start();
      expect([textsOf(here), noticesOf(here)]).toEqual([['new: d/a.yaml', 'old'], []]);
    },
  );

  it('is left to whoever is at work in one of its folders', () => {
    const here = died('between its files', ['d/a.yaml', 'e/b.yaml']);
    unlinkSync(join(here.root, 'e', LOCK_NAME));
    const other = lockFolder(walk(here.directory, ['e'], ''), { waitMs: 0, isOver: () => true });
    here.start();
    expect([noticesOf(here), textsOf(here)]).toEqual([[], ['new: d/a.yaml', 'old']]);
    other.release();
    bury(here);
    here.start();
    expect(textsOf(here)).toEqual(['new: d/a.yaml', 'new: e/b.yaml']);
  });

  it('whose folder is gone cannot be finished', () => {
    const here = died('between its files', ['d/a.yaml', 'e/b.yaml']);
    rmSync(join(here.root, 'e'), { recursive: true });
    here.start();
    expect(recordedOf(here)).toEqual(['unknown d/a.yaml', 'unknown e/b.yaml']);
    expect(own(here)).toEqual([]);
  });
});

/** What the state directory says of a change of two files, and what stands in them. */
interface Evidence {
  readonly why: string;
  readonly isPreview?: boolean;
  readonly approval?: Approval;
  readonly isFinished?: boolean;
  readonly said?: readonly AuditOutcome[];
  readonly now: readonly string[];
  readonly records: readonly string[];
  readonly kept: readonly string[];
}
const NEW = FINISHED.texts;

const BEGUN = { isPreview: true, said: ['intent'] } as const;
const EVIDENCE: readonly Evidence[] = [
  { why: 'it began', said: ['intent'], now: NEW, records: both('applied'), kept: ['.json'] },
  { why: 'it began', said: ['intent'], now: ['old', 'old'], records: both('rolled_back'), kept: [] },
  {
    why: 'how it ended, whatever the files say',
    said: ['intent', 'applied'],
    now: ['old', 'old'],
    records: [],
    kept: ['.json'],
  },
  { why: 'that it was undone', said: ['intent', 'rolled_back'], now: ['old', 'old'], records: [], kept: [] },
  { why: 'that a preview began', ...BEGUN, now: NEW, records: both('applied'), kept: ['.json'] },
  {
    why: 'that a preview began, where that is enough',
    ...{ ...BEGUN, approval: 'preview', now: ['new: d/a.yaml', 'old'], kept: ['.json'] },
    records: [...both('intent'), ...both('applied')],
  },
  { why: 'nothing of a preview', isPreview: true, now: NEW, records: [], kept: [] },
  { why: 'nothing of a preview', isPreview: true, now: ['new: d/a.yaml', 'old'], records: [], kept: [] },
  { why: 'nothing of a direct write', now: NEW, records: both('applied'), kept: ['.json'] },
  { why: 'nothing of a direct write', now: ['old', 'old'], records: [], kept: [] },
  { why: 'nothing of a direct write', now: ['mine', 'old'], records: both('unknown'), kept: ['.json'] },
  {
    why: 'nothing of a direct write',
    now: ['new: d/a.yaml', 'old'],
    records: [...both('intent'), ...both('applied')],
    kept: ['.json'],
  },
  {
    why: 'nothing of it, where a person has to be asked by now',
    approval: 'preview',
    now: ['new: d/a.yaml', 'old'],
    records: both('unknown'),
    kept: ['.json'],
  },
  {
    why: 'that it began, of one that had ended',
    isFinished: true,
    said: ['intent'],
    now: NEW,
    records: both('applied'),
    kept: ['.json'],
  },
  {
    why: 'nothing of a direct write that had ended',
    isFinished: true,
    now: NEW,
    records: both('applied'),
    kept: ['.json'],
  },
  {
    why: 'nothing of a preview that was applied: then somebody cut it',
    isFinished: true,
    isPreview: true,
    now: NEW,
    records: [],
    kept: ['.json'],
  },
];

describe('a change of which the trail says', () => {
  it.each(EVIDENCE)(
    '$why, with $now in its files: $records [APR-4] [APR-5] [AUD-6]',
    ({ said = [], ...is }) => {
      const here = ground(FILES);
      const { changes, log } = here.state();
      // The first record of all is durable, whatever it is: a trail that has none has lost it.
      log.audit({ action: 'propose', outcome: 'kept', file: 'd/a.yaml' });
      const preview =
        is.isPreview === true ? { preview: 'P'.repeat(43), confirmed_by: 'preview' as const } : {};
      const record = changes.draft({ ...draftOf(here.edits), ...preview });
      changes.keep(record);
      for (const outcome of said)
        log.audit({ action: 'commit', outcome, file: 'd/a.yaml', change_id: record.id, ...preview });
      if (is.isFinished === true) changes.finish(record.id);
      for (const [index, text] of is.now.entries()) write(here, FILES[index] ?? '', `${text}\n`);
      startedWith(here, is.approval === undefined ? {} : { approval: is.approval });
      const isHalf = is.records.includes('intent d/a.yaml');
      expect([textsOf(here), recordedOf(here)]).toEqual([isHalf ? NEW : is.now, is.records]);
      expect([changesIn(here), own(here)]).toEqual([is.kept, []]);
    },
  );

  it('anything is none any more where somebody has written to its record, and goes once that is old', () => {
    const here = died('between its files', FILES);
    const LEFT = own(here);
    const path = join(here.base, 'state/changes', `${here.record.id}.open`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('test', 'eve'));
    here.start();
    expect([textsOf(here), changesIn(here), own(here)]).toEqual([['new: d/a.yaml', 'old'], ['.open'], LEFT]);
    utimesSync(path, 1, 1);
    here.start();
    expect(changesIn(here)).toEqual([]);
  });
});

describe('a record that somebody put into the state directory', () => {
  it.each(['.env', '../outside/s.yaml', '.git/config.yaml', 'a.sh', '/etc/hosts'])(
    'writes no file that a request could not: %s [WRT-6]',
    (file) => {
      const here = ground(FILES);
      const text = 'secret: sentinel\n';
      for (const name of ['root/.env', 'root/.git/config.yaml', 'root/a.sh']) here.write(name, text);
      const [one] = draftOf(here.edits).files;
      const forged = {
        ...one,
        file,
        base: text,
        base_sha256: sha256(text),
        edits: [{ start: 0, end: 6, insert: 'x' }],
      };
      const files = [
        ...draftOf(here.edits).files.slice(0, 1),
        { ...one, ...forged, result_sha256: sha256(text.replace('secret', 'x')) },
      ];
      const { changes } = here.state();
      changes.keep(changes.draft({ ...draftOf(here.edits), files: files as never }));
      write(here, 'd/a.yaml', 'new: d/a.yaml\n');
      const before = [fingerprint(here.root), fingerprint(here.outside)];
      here.start();
      expect([fingerprint(here.root), fingerprint(here.outside)]).toEqual(before);
    },
  );
});

describe('a lock that a repository brought along', () => {
  const DEAD = { ...thisProcess(), pid: 4_194_304 };
  it.each([
    { why: 'of a batch of another server', batch: () => ({ state: 'ab'.repeat(16) }), left: [LOCK_NAME] },
    { why: 'of a batch of this server that there is none of', batch: stateIn, left: [] },
    {
      why: 'of a change that has ended',
      batch: (here: Ground) => ({ ...stateIn(here), change: ended(here) }),
      left: [],
    },
    { why: 'of one file', batch: () => undefined, left: [] },
  ])('makes nobody write anything: $why [WRT-6]', ({ batch, left }) => {
    const here = ground(FILES);
    const said = batch(here);
    for (const file of FILES) write(here, file, 'old\n');
    const lock = said === undefined ? DEAD : { ...DEAD, batch: { change: 'c'.repeat(43), ...said } };
    here.write(`root/d/${LOCK_NAME}`, JSON.stringify(lock));
    const records = recordedOf(here);
    here.start();
    expect([textsOf(here), own(here)]).toEqual([['old', 'old'], left.map((name) => `d/${name}`)]);
    expect([recordedOf(here), noticesOf(here)]).toEqual([records, []]);
  });

  function stateIn(here: Ground) {
    return { state: here.state().dir.id };
  }

  function ended(here: Ground): string {
    committing(here, () => {});
    return here.record.id;
  }
});

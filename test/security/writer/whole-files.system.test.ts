// Files that come and go: written as safely as those that change. A commit that dies at any of its calls that change a disk
// leaves all as it was or all as it should be, once a server has started; and nothing is made where something stands.
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VerifiedEdit } from '../../../src/security/edits/verified-edit.ts';
import { requireApart } from '../../../src/security/sandbox/absence.ts';
import type { Sandbox } from '../../../src/security/sandbox/sandbox.ts';
import { recoverRoots } from '../../../src/security/writer/commit.ts';
import { onDiskCalls } from '../../harness/disk-calls.mjs';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { timesOf } from '../../harness/runs.ts';
import { CONTAINMENTS, codeOf, codeOfLater, fingerprint, type Place, place, rewritten } from '../fixture.ts';
import { changesIn, dying, own } from './mortal.ts';

function created(sandbox: Sandbox, file: string, text: string, mode?: number): VerifiedEdit {
  const snapshot = sandbox.openAbsent(sandbox.parse(file));
  const edits = [{ start: 0, end: 0, insert: text }];
  return VerifiedEdit.prove(snapshot, edits, () => [{ op: 'create', doc: 0, path: '', line: 1 }], {
    fileOp: 'create',
    mode,
  });
}

function deleted(sandbox: Sandbox, file: string): VerifiedEdit {
  const snapshot = sandbox.open(sandbox.parse(file)).read();
  const edits = [{ start: 0, end: snapshot.text.length, insert: '' }];
  return VerifiedEdit.prove(snapshot, edits, () => [{ op: 'delete', doc: 0, path: '', line: 1 }], {
    fileOp: 'delete',
  });
}

type Act = (sandbox: Sandbox) => VerifiedEdit;
const CREATE: Act = (sandbox) => created(sandbox, 'n/m/new.yaml', 'new\n');
const DELETE: Act = (sandbox) => deleted(sandbox, 'd/gone.yaml');
const CHANGE: Act = (sandbox) => rewritten(sandbox, 'd/a.yaml', 'new\n');
const COMMITS = [
  { why: 'a file and its folders', acts: [CREATE] },
  { why: 'a deletion', acts: [DELETE] },
  { why: 'a file that comes, one that goes and one that changes', acts: [CREATE, CHANGE, DELETE] },
];

function ground() {
  const here = place(memoryDisk());
  here.write('root/d/gone.yaml', 'old\n', 0o640);
  here.write('root/d/a.yaml', 'old\n', 0o640);
  return here;
}

/** `old`, `new`, or what else there is of each file that the acts are about. */
function statesOf(here: Place, acts: readonly Act[]): string {
  const read = (file: string) => {
    const path = join(here.root, file);
    return existsSync(path)
      ? `${(statSync(path).mode & 0o777).toString(8)} ${readFileSync(path, 'utf8')}`
      : 'none';
  };
  const known = new Map([
    [CREATE, { file: 'n/m/new.yaml', none: 'old', '644 new\n': 'new' }],
    [DELETE, { file: 'd/gone.yaml', '640 old\n': 'old', none: 'new' }],
    [CHANGE, { file: 'd/a.yaml', '640 old\n': 'old', '640 new\n': 'new' }],
  ]);
  const found = acts.map((act) => {
    const { file = '', ...states } = known.get(act) ?? {};
    return Object.entries(states).find(([text]) => text === read(file))?.[1] ?? 'torn';
  });
  return [...new Set([...found, ...own(here)])].join(' and ');
}

describe.each(COMMITS)('$why', ({ acts }) => {
  it('is all old or all new, and has one record, at whatever call its commit dies [WRT-6] [WRT-11]', async () => {
    const seen = new Set<string>();
    for (let step = 1, isOver = false; !isOver; step += 1) {
      const here = await ground();
      const sandbox = here.open();
      await here.state();
      const edits = acts.map((act) => act(sandbox));
      isOver = await dying(
        here,
        (state) => here.commit(sandbox, edits, undefined, state),
        (at) => at === step,
      );
      (await here.start()).close();
      const state = statesOf(here, acts);
      seen.add(state);
      expect([step, ['old', 'new'].includes(state) ? 'whole' : state]).toEqual([step, 'whole']);
      expect([step, await changesIn(here)]).toEqual([step, state === 'new' ? ['applied'] : []]);
      if (isOver) expect([step, state]).toEqual([step, 'new']);
    }
    expect([...seen].sort()).toEqual(['new', 'old']);
  });

  it('is all the same where its recovery dies too, at whatever call [WRT-6]', async () => {
    for (let step = 1, isOver = false; !isOver; step += timesOf(2, 1)) {
      const here = await ground();
      const sandbox = here.open();
      await here.state();
      const edits = acts.map((act) => act(sandbox));
      const died = await dying(
        here,
        (state) => here.commit(sandbox, edits, undefined, state),
        // Between the files of the batch; of a single one, right after it came or went.
        (_, call) => /^(?:rename .new a.yaml|unlink (?:gone.yaml|\.new))$/u.test(call),
      );
      expect(died).toBe(false);
      isOver = await dying(
        here,
        (state) => recoverRoots(here.open(), state),
        (at) => at === step,
      );
      (await here.start()).close();
      expect([step, ['old', 'new'].includes(statesOf(here, acts))]).toEqual([step, true]);
    }
  });
});

describe.each(CONTAINMENTS)('under %s, a file is created', (containment) => {
  it('with the folders that are missing, and no more rights than its folder gives [WRT-11]', async () => {
    const here = place();
    mkdirSync(join(here.root, 'p'), { mode: 0o750 });
    const sandbox = here.open(containment);
    await here.commit(sandbox, [
      created(sandbox, 'p/q/r.yaml', 'a: 1\n'),
      created(sandbox, 'b.yaml', 'b: 1\n', 0o600),
    ]);
    const modes = ['p/q', 'p/q/r.yaml', 'b.yaml'].map((name) => statSync(join(here.root, name)).mode & 0o777);
    expect(modes).toEqual([0o750, 0o640, 0o600]);
    expect(readFileSync(join(here.root, 'p/q/r.yaml'), 'utf8')).toBe('a: 1\n');
    expect(readdirSync(here.root, { recursive: true })).toHaveLength(4);
  });

  const TAKEN = [
    { why: 'a file', make: (path: string) => writeFileSync(path, 'there\n'), code: 'FILE_EXISTS' },
    { why: 'a folder', make: (path: string) => mkdirSync(path), code: 'NOT_REGULAR_FILE' },
    { why: 'a FIFO', make: (path: string) => void execFileSync('mkfifo', [path]), code: 'NOT_REGULAR_FILE' },
    {
      why: 'a link that leads nowhere',
      make: (path: string) => symlinkSync('../outside/none.yaml', path),
      code: 'SYMLINK_REFUSED',
    },
    {
      why: 'a link to a file outside',
      make: (path: string) => symlinkSync('../outside/s.yaml', path),
      code: 'SYMLINK_REFUSED',
    },
  ];

  it.each(TAKEN)(
    'never where $why stands, at first or in the last moment [CON-8]',
    async ({ make, code }) => {
      const here = place();
      const sandbox = here.open(containment);
      const edit = created(sandbox, 'new.yaml', 'a: 1\n');
      make(join(here.root, 'new.yaml'));
      const [before, outside] = [fingerprint(here.root), fingerprint(here.outside)];
      expect(codeOf(() => sandbox.openAbsent(sandbox.parse('new.yaml')))).toBe(code);
      expect(await codeOfLater(() => here.commit(sandbox, [edit]))).toBe('FILE_EXISTS');
      expect([fingerprint(here.root), fingerprint(here.outside)]).toEqual([before, outside]);
    },
  );

  it('never through a folder that became a link, or left the root [CON-8]', async () => {
    const here = place();
    mkdirSync(join(here.root, 'd'));
    const sandbox = here.open(containment);
    const edits = [created(sandbox, 'd/e/new.yaml', 'a: 1\n')];
    const outside = fingerprint(here.outside);
    renameSync(join(here.root, 'd'), join(here.base, 'moved'));
    symlinkSync('../outside', join(here.root, 'd'));
    expect(await codeOfLater(() => here.commit(sandbox, edits))).toBe('SYMLINK_REFUSED');
    expect(codeOf(() => sandbox.openAbsent(sandbox.parse('d/e/new.yaml')))).toBe('SYMLINK_REFUSED');
    expect(fingerprint(here.outside)).toBe(outside);
    expect(readdirSync(join(here.base, 'moved'))).toEqual([]);
  });

  it.each([
    ['New.yaml', 'new.yaml'],
    ['D/x.yaml', 'd/y.yaml'],
    ['ｎew.yaml', 'new.yaml'],
  ])('never as %s beside %s [CON-8]', (file, other) => {
    const here = place();
    here.write(`root/${other}`, 'a: 1\n');
    const sandbox = here.open(containment);
    expect(codeOf(() => sandbox.openAbsent(sandbox.parse(file)))).toBe('FILE_EXISTS');
  });

  it.each([
    ['New.yaml', 'new.yaml'],
    ['a.yaml', 'a.yaml/b.yaml'],
    ['a.yaml/b.yaml', 'a.yaml'],
  ])('never as %s together with %s [CON-8]', (...files) => {
    const sandbox = place().open(containment);
    expect(codeOf(() => requireApart(files.map((file) => sandbox.parse(file))))).toBe('FILE_EXISTS');
  });

  it('never under a denied name, in any spelling, nor in the place of a file of the operator [CON-8]', async () => {
    const here = place();
    const own = here.write('root/policy.json', '{}');
    const sandbox = here.open(containment, { deny: ['secrets.yaml'], operatorFiles: [own] });
    rmSync(own);
    for (const file of ['Secrets.yaml', 'x/SECRETS.yaml', 'policy.json', 'Policy.json', '.git/config.yaml'])
      expect([file, codeOf(() => sandbox.openAbsent(sandbox.parse(file)))]).toEqual([file, 'PATH_DENIED']);
  });
});

describe('a file is deleted', () => {
  const SINCE: readonly {
    readonly why: string;
    readonly act: (path: string, here: Place) => void;
    readonly code: string;
  }[] = [
    { why: 'it was changed', act: (path) => writeFileSync(path, 'b: 2\n'), code: 'FILE_CHANGED' },
    { why: 'it is gone', act: (path) => rmSync(path), code: 'FILE_CHANGED' },
    {
      why: 'its mode was changed',
      act: (path) => writeFileSync(rmed(path), 'a: 1\n', { mode: 0o600 }),
      code: 'FILE_CHANGED',
    },
    {
      why: 'it got a second name',
      act: (path, here) => linkSync(path, join(here.outside, 'x')),
      code: 'HARD_LINK_REFUSED',
    },
    {
      why: 'it became a link',
      act: (path, here) => symlinkSync(join(here.outside, 's.yaml'), rmed(path)),
      code: 'SYMLINK_REFUSED',
    },
  ];

  it.each(SINCE)('only as it was shown: not where $why [WRT-11]', async ({ act, code }) => {
    const here = place();
    const path = here.write('root/a.yaml', 'a: 1\n', 0o644);
    const sandbox = here.open();
    const edit = deleted(sandbox, 'a.yaml');
    act(path, here);
    const [before, outside] = [fingerprint(here.root), fingerprint(here.outside)];
    expect(await codeOfLater(() => here.commit(sandbox, [edit]))).toBe(code);
    expect([fingerprint(here.root), fingerprint(here.outside)]).toEqual([before, outside]);
  });

  it('and put back, with its mode, where another file of the batch cannot be written [WRT-11]', async () => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n', 0o640);
    const sandbox = here.open();
    const edits = [deleted(sandbox, 'a.yaml'), created(sandbox, 'b.yaml', 'b: 1\n')];
    const before = fingerprint(here.root);
    const isOver = await failingAt(here, () => here.commit(sandbox, edits));
    expect(isOver).toBe('FILE_EXISTS');
    rmSync(join(here.root, 'b.yaml'));
    expect(fingerprint(here.root)).toBe(before);
  });
});

function rmed(path: string): string {
  rmSync(path);
  return path;
}

/** Another program takes the name of the new file in the moment in which the other one is deleted. */
async function failingAt(here: Place, act: () => Promise<unknown>): Promise<string> {
  const path = join(here.root, 'b.yaml');
  const stop = onDiskCalls((name, args) => {
    if (name.startsWith('link') && String(args[1]).endsWith('/b.yaml')) writeFileSync(path, 'theirs\n');
  });
  try {
    return await codeOfLater(act);
  } finally {
    stop();
  }
}

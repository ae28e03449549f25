// What a sandbox says of itself, what it takes and from whom, and what a listing meets on its way.
import fs, { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  commitEdits,
  createLog,
  DEFAULT_LIMITS,
  openSandbox,
  SafePath,
  SandboxFile,
  Verdict,
} from '../../../src/security/index.ts';
import { draftOf } from '../../harness/change-draft.mjs';
import { judged } from '../../harness/verdict.mjs';
import { withoutUsers } from '../../harness/without-users.ts';
import { codeOf, place, refusalOf, rewritten } from '../fixture.ts';

afterEach(() => vi.restoreAllMocks());

const failure = (code: string) => Object.assign(new Error(code), { errno: -1, code });

describe('a sandbox', () => {
  it('says what it is', () => {
    const here = place();
    const schemas = ['a/**', '**/*.yaml', 'b/**'].map((pattern, index) => ({
      pattern,
      name: `${index}.json`,
      schema: true,
    }));
    const roots = [
      { name: 'one', dir: here.root },
      { name: 'two', dir: here.outside },
    ];
    const sandbox = here.open('fd-walk', { schemas, roots });
    expect([sandbox.containment, sandbox.isRunningAsRoot, sandbox.rootNames]).toEqual([
      ...['fd-walk', process.geteuid?.() === 0, ['one', 'two']],
    ]);
    expect(sandbox.rootHandles.map(({ realPath: place }) => place)).toEqual([here.root, here.outside]);
    const names = (file: string) => sandbox.schemasFor(sandbox.parse(file)).map(({ name }) => name);
    expect([names('@one/a/x.yaml'), names('@two/b/x.json')]).toEqual([['0.json', '1.json'], ['2.json']]);
    expect(sandbox.policyFingerprint).toMatch(/^[0-9a-f]{64}$/);
    const other = here.open('fd-walk', { schemas, roots: [...roots].reverse() });
    expect(other.policyFingerprint).toBe(sandbox.policyFingerprint);
  });

  it('opens where the system knows no users, and then for nobody in particular', () => {
    withoutUsers();
    expect(place().open('fd-walk').isRunningAsRoot).toBe(false);
  });

  it('says why it takes nothing that was not made here, or for another', async () => {
    const [here, there] = [place(), place()];
    here.write('root/a.yaml', 'a: 1\n');
    there.write('root/a.yaml', 'a: 1\n');
    const [sandbox, other] = [here.open(), there.open()];
    const named = SafePath.parse('@x/a.yaml', ['x']);
    const edit = rewritten(sandbox, 'a.yaml', 'a: 2\n');
    expect(() => sandbox.open(Object.create(sandbox.parse('a.yaml')))).toThrow(
      new TypeError('only a SafePath that was parsed can be opened'),
    );
    expect(() => sandbox.open(named)).toThrow(new TypeError('the path was parsed for another sandbox'));
    const verdict = judged(Verdict, sandbox, [edit]);
    const request = { state: here.state(), draft: draftOf([edit]), verdict };
    await expect(commitEdits(sandbox, [Object.create(edit)], request)).rejects.toThrow(
      new TypeError('only a VerifiedEdit that was proven can be committed'),
    );
    await expect(here.commit(other, [edit])).rejects.toThrow(
      new TypeError('the snapshot was read through another sandbox'),
    );
    const made: readonly (readonly [unknown, string])[] = [
      [SafePath, 'a SafePath is made by parsing only'],
      [SandboxFile, 'a SandboxFile is made by opening a path only'],
      [sandbox.constructor, 'a Sandbox is made by openSandbox only'],
      [edit.snapshot.constructor, 'a Snapshot is made by reading a file only'],
    ];
    for (const [type, message] of made) {
      if (typeof type !== 'function') throw new Error(message);
      expect(() => Reflect.construct(type, [Symbol(), {}, [], {}])).toThrow(new TypeError(message));
    }
  });

  it('holds a file with its path and size, and lets go of it', () => {
    const here = place();
    here.write('root/d/a.yaml', '12345');
    const sandbox = here.open();
    const before = fs.readdirSync('/proc/self/fd').length;
    const file = sandbox.open(sandbox.parse('d/a.yaml'));
    expect([`${file.path}`, file.sizeBytes]).toEqual(['d/a.yaml', 5]);
    expect(fs.readdirSync('/proc/self/fd')).toHaveLength(before + 1);
    file.close();
    expect(fs.readdirSync('/proc/self/fd')).toHaveLength(before);
    sandbox.close();
    expect(fs.readdirSync('/proc/self/fd')).toHaveLength(before - 1);
  });

  it('says which of its doors the machine closed', () => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n');
    const sandbox = here.open();
    const path = sandbox.parse('a.yaml');
    const held = sandbox.open(path);
    vi.spyOn(fs, 'openSync').mockImplementation(() => {
      throw failure('EIO');
    });
    vi.spyOn(fs, 'readdirSync').mockImplementation(() => {
      throw failure('EIO');
    });
    const told = (act: () => unknown) => refusalOf(act)?.message.split(':')[0];
    expect(told(() => sandbox.open(path))).toBe('Cannot open this file');
    expect(told(() => held.read())).toBe('Cannot read this file');
    expect(told(() => sandbox.list({ limit: 1 }))).toBe('Cannot list the files');
    vi.restoreAllMocks();
    expect(
      refusalOf(() => here.open('fd-walk', { limits: { ...DEFAULT_LIMITS, fileSizeBytes: 4 } }).open(path))
        ?.message,
    ).toMatch(/^Cannot use this file: it has 5 bytes/);
    rmSync(here.root, { recursive: true });
    expect(refusalOf(() => sandbox.list({ limit: 1 }))).toMatchObject({ code: 'IO_ERROR', where: {} });
  });
});

describe('the start', () => {
  it.skipIf(process.getuid?.() !== 0)('says in the log what the operator has to know', () => {
    const asked = vi.spyOn(process, 'geteuid');
    const events = (
      uid: number,
      containment: 'fd-walk' | 'checked',
      operatorFiles: readonly string[] = [],
    ) => {
      asked.mockReturnValue(uid);
      const here = place();
      chownSync(here.write('log.jsonl', '', 0o600), uid, uid);
      here.open(containment, { operatorFiles }).close();
      return here
        .logged()
        .map(({ level, event, containment }) => `${level} ${event} ${containment ?? ''}`.trim());
    };
    expect(events(1000, 'fd-walk')).toEqual(['info sandbox_opened fd-walk']);
    expect(events(0, 'fd-walk', ['/etc/hostname'])).toEqual([
      'info sandbox_opened fd-walk',
      'warn running_as_root',
    ]);
    expect(events(1000, 'checked')).toEqual([
      'info sandbox_opened checked',
      'warn containment_not_race_free checked',
    ]);
  });

  it('AUDI-007 ends where a limit is none, or the log is in a root [AUD-8]', () => {
    const here = place();
    const started = (changes: object) => () => here.open('fd-walk', changes);
    expect(started({ limits: { ...DEFAULT_LIMITS, depth: 0 } })).toThrow(
      'limit depth must be a whole number above 0',
    );
    expect(started({ limits: { ...DEFAULT_LIMITS, depth: 1 } })).not.toThrow();
    expect(() =>
      openSandbox(here.policy(), Object.create(createLog({ level: 'error', format: 'json' }))),
    ).toThrow('only a Log made by createLog keeps the audit records');
    const roots = [
      { name: 'a', dir: here.root },
      { name: 'b', dir: here.outside },
    ];
    const log = createLog({ level: 'error', format: 'json', file: join(here.outside, 'log') });
    expect(() => openSandbox(here.policy({ roots }), log)).toThrow(
      'the log file is inside a root; put it somewhere else',
    );
    expect(codeOf(() => openSandbox(here.policy(), log).close())).toBe('no error');
  });
});

describe('a listing', () => {
  const paths = ({ files }: { readonly files: readonly { readonly path: SafePath }[] }) =>
    files.map(({ path }) => `${path}`);

  it('goes on in the root of its cursor', () => {
    const here = place();
    for (const file of ['root/a.yaml', 'root/b.yaml', 'outside/a.yaml']) here.write(file, '');
    const roots = [
      { name: 'one', dir: here.root },
      { name: 'two', dir: here.outside },
    ];
    const sandbox = here.open('fd-walk', { roots });
    const list = (limit: number, after?: string) => {
      const listing = sandbox.list({ limit, after });
      return [...paths(listing), listing.next, listing.truncated];
    };
    expect(list(9)).toEqual(['@one/a.yaml', '@one/b.yaml', '@two/a.yaml', '@two/s.yaml', undefined, false]);
    expect(list(2)).toEqual(['@one/a.yaml', '@one/b.yaml', '@one/b.yaml', false]);
    expect(list(1, '@one/b.yaml')).toEqual(['@two/a.yaml', '@two/a.yaml', false]);
    expect(list(9, '@two/a.yaml')).toEqual(['@two/s.yaml', undefined, false]);
    expect(list(0)).toEqual(['@one/a.yaml', '@one/a.yaml', false]);
  });

  it('knows its way past a folder and a file of nearly one name', () => {
    const here = place();
    for (const file of ['a/a/x.yaml', 'a/b.yaml', 'a/c/d.yaml', 'b/a/x.yaml', 'b/c/d.yaml'])
      here.write(`root/${file}`, '');
    const sandbox = here.open();
    expect(paths(sandbox.list({ limit: 9, after: 'a/b.yaml' }))).toEqual([
      'a/c/d.yaml',
      'b/a/x.yaml',
      'b/c/d.yaml',
    ]);
    expect(paths(sandbox.list({ limit: 9, after: 'a/c/d.yaml' }))).toEqual(['b/a/x.yaml', 'b/c/d.yaml']);
    expect(paths(sandbox.list({ limit: 9, after: 'a' }))).toHaveLength(5);
  });

  it('ends at its budget of entries to the one, and says where to go on', () => {
    const here = place();
    for (const name of ['a', 'b', 'c']) here.write(`root/${name}.yaml`, '');
    const list = (listEntries: number, pattern?: string) => {
      const listing = here
        .open('fd-walk', { limits: { ...DEFAULT_LIMITS, listEntries } })
        .list({ limit: 9, pattern });
      return [listing.files.length, listing.truncated, listing.next !== undefined];
    };
    expect([list(4), list(3), list(2)]).toEqual([
      [3, false, false],
      [3, true, true],
      [2, true, true],
    ]);
    expect(list(2, 'none*.yaml')).toEqual([0, true, true]);
  });

  it('looks 64 folders deep, and says that there is more', () => {
    const here = place();
    const deep = (depth: number) => `${'d/'.repeat(depth)}a.yaml`;
    for (const depth of [63, 64]) here.write(`root/${deep(depth)}`, '');
    const listing = here.open().list({ limit: 9 });
    expect([paths(listing), listing.truncated]).toEqual([[deep(63)], true]);
    rmSync(join(here.root, deep(63), '..', 'd'), { recursive: true });
    expect(here.open().list({ limit: 9 }).truncated).toBe(false);
  });

  it('shows what there is, where the disk does not say of what kind', () => {
    const here = place();
    here.write('root/d/a.yaml', '');
    here.write('root/b.yaml', '');
    mkdirSync(join(here.root, 'c.yaml'));
    const real = fs.readdirSync;
    vi.spyOn(fs, 'readdirSync').mockImplementation((path) => {
      const kinds = ['isFile', 'isDirectory', 'isSymbolicLink'].map((kind) => [kind, () => false]);
      return real(path, { withFileTypes: true }).map((entry) =>
        Object.assign(Object.create(entry), { name: entry.name, ...Object.fromEntries(kinds) }),
      );
    });
    const sandbox = here.open();
    expect(paths(sandbox.list({ limit: 9 }))).toEqual(['b.yaml', 'd/a.yaml']);
  });

  it.each(['EACCES', 'EPERM', 'ENOENT', 'ENOTDIR'])('goes past what it may not see: %s', (code) => {
    const here = place();
    here.write('root/d/a.yaml', '');
    here.write('root/e.yaml', '');
    const sandbox = here.open();
    const closed = (call: 'openSync' | 'readdirSync' | 'lstatSync', at: number) => {
      const real = fs[call];
      let calls = 0;
      vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
        calls += 1;
        if (calls === at) throw failure(code);
        return Reflect.apply(real, fs, args);
      });
      const listing = sandbox.list({ limit: 9 });
      vi.restoreAllMocks();
      return [paths(listing), listing.truncated];
    };
    expect(closed('readdirSync', 2)).toEqual([['e.yaml'], false]);
    expect(closed('readdirSync', 1)).toEqual([[], false]);
    expect(closed('openSync', 1)).toEqual([['e.yaml'], false]);
    expect(closed('lstatSync', 1)).toEqual([['e.yaml'], false]);
    expect(closed('lstatSync', 2)).toEqual([['d/a.yaml'], false]);
  });

  it('does not go past any other failure', () => {
    const here = place();
    writeFileSync(join(here.root, 'a.yaml'), '');
    const sandbox = here.open();
    vi.spyOn(fs, 'lstatSync').mockImplementation(() => {
      throw failure('EIO');
    });
    expect(codeOf(() => sandbox.list({ limit: 9 }))).toBe('IO_ERROR');
  });
});

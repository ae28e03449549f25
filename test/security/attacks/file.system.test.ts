// Files of unusual bytes, sizes, modes and places, through a real client: what is refused leaves no trace,
// and what is written differs in the touched value alone.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Outcome } from '../../harness/clients.ts';
import { end } from '../../harness/end.ts';
import { type ProcessOptions, startProcess } from '../../harness/start-process.ts';
import type { RunningServer } from '../../harness/start-server.ts';
import { nextData } from '../../harness/wait.ts';
import { isRoot } from '../fixture.ts';
import { openSide, type Side } from './attack.ts';
import { KEPT_BYTES, MODES, REFUSED_BYTES } from './file-rows.ts';
import { codeIn, leaksOf } from './ground.ts';

const LIMIT = 100_000;
const NOBODY = fileURLToPath(new URL('./children/as-nobody.mjs', import.meta.url));
const RESTLESS = fileURLToPath(new URL('./children/restless.mjs', import.meta.url));
const SET = { path: 'a', value: '2' };

let side: Side;
beforeAll(async () => {
  side = await openSide(['--log-level', 'error', '--max-file-size', String(LIMIT)]);
});
afterAll(() => side.close());
afterEach(() => side.ground.refill());

function put(contents: string | Uint8Array, mode = 0o644): string {
  const file = side.ground.write('root/f/x.yaml', contents);
  chmodSync(file, mode);
  return file;
}

/** Sets `a` to 2 in f/x.yaml, or whatever is said. */
function write(server: RunningServer, args: Readonly<Record<string, unknown>> = {}) {
  return server.callTool('config_set', { file: 'f/x.yaml', ...SET, dry_run: false, ...args });
}

/** Every way to the file answers with the code, tells nothing, and changes nothing, names of files included. */
async function expectRefused(code: string): Promise<void> {
  const { ground, server, ways } = side;
  const before = [ground.sentinels(), ground.inside()];
  for (const way of ways.filter(({ kind }) => kind !== 'cursor')) {
    const outcome = await server.callTool(way.tool, way.arguments('f/x.yaml'));
    expect(leaksOf(outcome, ground)).toEqual([]);
    if (outcome.isError) expect(codeIn(outcome), way.name).toBe(code);
    // To validate is to say what is wrong with it, and its text can be read to be mended.
    else if (way.tool === 'config_get') expectReadAsText(outcome);
    else expect([way.tool, outcome.data['valid']], way.name).toEqual(['config_validate', false]);
  }
  expect([ground.sentinels(), ground.inside()]).toEqual(before);
}

function expectReadAsText({ text, data }: Outcome): void {
  expect(data).toMatchObject({ view: 'source', note: expect.stringMatching(/^This is not valid/) });
  expect(text).not.toMatch(/[^\P{Cc}\n\r\t]/u);
}

describe('a file that holds', () => {
  it.each(REFUSED_BYTES)('$why is $code, and is never mended ($id) [EDT-6]', async ({ bytes, code }) => {
    put(bytes);
    await expectRefused(code);
  });

  it('ill-formed bytes is told where (FILE-007)', async () => {
    put(Buffer.from([0x61, 0x3a, 0x20, 0x22, 0xff, 0x22]));
    expect((await side.server.callTool('config_get', { file: 'f/x.yaml' })).text).toContain('line 1');
  });

  it.each(KEPT_BYTES)('$why keeps it, byte for byte ($id)', async ({ before, after }) => {
    const file = put(before);
    const preview = await write(side.server, { dry_run: true });
    expect(codeIn(preview)).toBe('ok');
    expect(readFileSync(file, 'utf8')).toBe(before);
    // What the diff shows is what cannot be mistaken.
    expect(preview.text).not.toMatch(/[\p{Cf}\u2028\u2029]|(?![\n\t\r])\p{Cc}|\r(?!\n)/u);
    expect(codeIn(await write(side.server))).toBe('ok');
    expect(readFileSync(file, 'utf8')).toBe(after);
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    expect(Reflect.get({}, 'x')).toBeUndefined();
  });
});

describe('a file of', () => {
  const filled = (size: number): string => `a: 1\n#${'x'.repeat(size - 7)}\n`;

  it('exactly the limit is read and written; one byte more is not (FILE-002) [EDT-6]', async () => {
    const file = put(filled(LIMIT));
    expect(statSync(file).size).toBe(LIMIT);
    expect(codeIn(await write(side.server))).toBe('ok');
    put(filled(LIMIT + 1));
    await expectRefused('FILE_TOO_LARGE');
  });

  it('the limit does not grow over it (FILE-006)', async () => {
    const file = put(filled(LIMIT));
    const before = [side.ground.inside(), readFileSync(file)];
    for (const args of [{ value: '22' }, { json: 'x'.repeat(200_000), value: undefined }]) {
      expect(codeIn(await write(side.server, args))).toBe('FILE_TOO_LARGE');
    }
    expect([side.ground.inside(), readFileSync(file)]).toEqual(before);
  });
});

describe('a file that never rests', () => {
  it.each(['grow', 'shrink', 'touch'])(
    'while another program keeps writing to it (%s) is answered whole or not at all (FILE-003, FILE-004) [EDT-6]',
    async (how) => {
      const file = put(`a: 1\n# ${'x'.repeat(4_000)}\n`);
      const child = spawn(process.execPath, [RESTLESS, file, how], { stdio: ['ignore', 'pipe', 'inherit'] });
      onTestFinished(() => end(child));
      await nextData(child.stdout);
      const seen = new Set<string>();
      for (let round = 0; round < 40; round++) {
        const outcome = await side.server.callTool('config_get', { file: 'f/x.yaml', path: 'a' });
        seen.add(codeIn(outcome));
        if (!outcome.isError) expect(outcome.text).toBe('1');
        seen.add(codeIn(await write(side.server, { value: '1 # x' })));
      }
      await end(child);
      // A torn read would be NOT_UTF8, a node that is not there, or text that is not the file's.
      expect(['ok', 'FILE_CHANGED', 'FILE_TOO_LARGE']).toEqual(expect.arrayContaining([...seen]));
      expect(readdirSync(dirname(file))).toEqual([basename(file)]);
    },
  );
});

describe('a file of mode', () => {
  const rows = MODES.map(({ mode, result }) => ({ name: mode.toString(8), mode, result }));

  it.each(rows)('$name keeps what of it is safe (FILE-017) [WRT-1]', async ({ mode, result }) => {
    const file = put('a: 1\n', mode);
    const outcome = await write(side.server);
    if (typeof result === 'string') {
      expect([codeIn(outcome), readFileSync(file, 'utf8')]).toEqual([result, 'a: 1\n']);
      expect(statSync(file).mode & 0o7777).toBe(mode);
    } else {
      expect([codeIn(outcome), readFileSync(file, 'utf8')]).toEqual(['ok', 'a: 2\n']);
      expect((statSync(file).mode & 0o7777).toString(8)).toBe(result.toString(8));
    }
    expect(readdirSync(dirname(file))).toEqual([basename(file)]);
  });

  it.each(['077', '000', '777'])('0640 keeps it under umask %s (FILE-020)', async (umask) => {
    const file = put('a: 1\n', 0o640);
    await withServer({ launcher: ['sh', '-c', `umask ${umask}; exec "$@"`, 'sh'] }, async (server) => {
      expect(codeIn(await write(server))).toBe('ok');
    });
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['a: 2\n', 0o640]);
  });
});

describe('where the system says no', () => {
  it.skipIf(!isRoot)(
    'a folder without write permission stays as it is (FILE-023; needs root to become nobody)',
    async () => {
      const file = put('a: 1\n', 0o666);
      chownSync(file, 65_534, 65_534);
      for (const folder of [side.ground.base, side.ground.root]) chmodSync(folder, 0o755);
      await withServer({ launcher: [process.execPath, NOBODY] }, async (server) => {
        for (const mode of [0o555, 0o311]) {
          chmodSync(dirname(file), mode);
          const outcome = await write(server);
          expect([codeIn(outcome), leaksOf(outcome, side.ground)]).toEqual(['PERMISSION_DENIED', []]);
          expect(codeIn(await server.callTool('config_get', { file: 'f/x.yaml' }))).toBe('ok');
          expect([readFileSync(file, 'utf8'), readdirSync(dirname(file))]).toEqual(['a: 1\n', ['x.yaml']]);
        }
        chmodSync(dirname(file), 0o600);
        expect(codeIn(await server.callTool('config_get', { file: 'f/x.yaml' }))).toBe('PERMISSION_DENIED');
      });
      chmodSync(dirname(file), 0o755);
    },
  );

  it.skipIf(!isRoot)(
    'a file of somebody else does not change hands (FILE-018; needs root to become nobody) [WRT-1]',
    async () => {
      const file = put('a: 1\n', 0o666);
      chmodSync(dirname(file), 0o777);
      for (const folder of [side.ground.base, side.ground.root]) chmodSync(folder, 0o755);
      await withServer({ launcher: [process.execPath, NOBODY] }, async (server) => {
        expect(codeIn(await write(server))).toBe('PERMISSION_DENIED');
        chmodSync(file, 0o600);
        expect(codeIn(await server.callTool('config_get', { file: 'f/x.yaml' }))).toBe('PERMISSION_DENIED');
        expect([readFileSync(file, 'utf8'), statSync(file).uid]).toEqual(['a: 1\n', 0]);
        // Theirs, but of a group that they are not in: told before anybody approves it.
        chownSync(file, 65_534, 0);
        const previewed = await server.callTool('config_set', { file: 'f/x.yaml', path: 'a', value: '2' });
        expect([codeIn(previewed), JSON.stringify(previewed)]).toEqual([
          'PERMISSION_DENIED',
          expect.stringContaining('belongs to a group'),
        ]);
        // Once it is their own, nothing holds them.
        chownSync(file, 65_534, 65_534);
        expect(codeIn(await write(server))).toBe('ok');
      });
      expect([readFileSync(file, 'utf8'), readdirSync(dirname(file))]).toEqual(['a: 2\n', ['x.yaml']]);
    },
  );

  it.skipIf(!isRoot)('root keeps the owner of the file (FILE-018; needs root)', async () => {
    const file = put('a: 1\n', 0o600);
    chownSync(file, 65_534, 65_533);
    expect(codeIn(await write(side.server))).toBe('ok');
    const { uid, gid, mode } = lstatSync(file);
    expect([uid, gid, mode & 0o7777]).toEqual([65_534, 65_533, 0o600]);
  });

  it.skipIf(!canSetFlags())(
    'an immutable or append-only file stays as it is (FILE-021; needs chattr)',
    async () => {
      const file = put('a: 1\n');
      for (const flag of ['i', 'a']) {
        execFileSync('chattr', [`+${flag}`, file]);
        const outcome = await write(side.server);
        const names = readdirSync(dirname(file));
        execFileSync('chattr', [`-${flag}`, file]);
        expect([codeIn(outcome), leaksOf(outcome, side.ground), names]).toEqual([
          'PERMISSION_DENIED',
          [],
          ['x.yaml'],
        ]);
        expect(readFileSync(file, 'utf8')).toBe('a: 1\n');
      }
    },
  );

  it.skipIf(!canMount())('a read-only mount stays as it is (FILE-024; needs unshare and mount)', async () => {
    const file = put('a: 1\n');
    await withServer(
      { launcher: mounted('mount --bind "$R" "$R" && mount -o remount,bind,ro "$R"') },
      async (server) => {
        const outcome = await write(server);
        expect([codeIn(outcome), leaksOf(outcome, side.ground)]).toEqual(['PERMISSION_DENIED', []]);
        expect(outcome.text).toContain('read-only');
      },
    );
    expect([readFileSync(file, 'utf8'), readdirSync(dirname(file))]).toEqual(['a: 1\n', ['x.yaml']]);
  });

  it.skipIf(!canMount())(
    'a file that is mounted alone says what to mount instead (FILE-022; needs unshare and mount)',
    async () => {
      const file = put('a: 1\n');
      const other = side.ground.write('outside/mounted.yaml', 'a: 1\n');
      const before = side.ground.sentinels();
      await withServer({ launcher: mounted(`mount --bind "${other}" "${file}"`) }, async (server) => {
        const outcome = await write(server);
        expect([codeIn(outcome), leaksOf(outcome, side.ground)]).toEqual(['IO_ERROR', []]);
        expect(outcome.text).toMatch(/mount its directory/);
      });
      expect([readFileSync(other, 'utf8'), readdirSync(dirname(file))]).toEqual(['a: 1\n', ['x.yaml']]);
      expect(side.ground.sentinels()).toEqual(before);
    },
  );

  it.skipIf(!canMount())(
    'a full disk changes nothing, and neither does one without inodes (FILE-025, FILE-026) [WRT-8]',
    async () => {
      const file = put('a: 1\n');
      const full = `mount -t tmpfs -o size=64k,nr_inodes=4 none "$R/f" && printf 'a: 1\\n' > "$R/f/x.yaml" && printf '# %050000d\\n' 0 >> "$R/f/x.yaml"`;
      await withServer({ launcher: mounted(full) }, async (server) => {
        const outcome = await write(server);
        expect([codeIn(outcome), leaksOf(outcome, side.ground)]).toEqual(['NO_SPACE', []]);
        expect(await server.callTool('config_get', { file: 'f/x.yaml', path: 'a' })).toMatchObject({
          text: '1',
        });
        expect((await server.callTool('config_list', { pattern: 'f/*' })).data['files']).toHaveLength(1);
      });
      expect(readFileSync(file, 'utf8')).toBe('a: 1\n');
    },
  );

  it.skipIf(process.platform === 'win32')(
    'a limit of the process for the size of a file changes nothing (FILE-025; RLIMIT_FSIZE) [WRT-8]',
    async () => {
      const text = `a: 1\n# ${'0'.repeat(50_000)}\n`;
      const file = put(text);
      await withServer({ launcher: ['sh', '-c', 'ulimit -f 32; exec "$@"', 'sh'] }, async (server) => {
        const outcome = await write(server);
        expect([codeIn(outcome), leaksOf(outcome, side.ground)]).toEqual(['NO_SPACE', []]);
        expect(outcome.text).toContain('ulimit');
        expect(codeIn(await server.callTool('config_get', { file: 'f/x.yaml', path: 'a' }))).toBe('ok');
      });
      expect([readFileSync(file, 'utf8'), readdirSync(dirname(file))]).toEqual([text, ['x.yaml']]);
    },
  );

  it.skipIf(!canMount())(
    "a /proc that is none, or somebody else's, is not trusted (PATH-041; needs unshare and mount)",
    async () => {
      put('a: 1\n');
      await withServer({ launcher: mounted('mount -t tmpfs none /proc') }, async (server) => {
        const { data } = await server.callTool('list_capabilities');
        expect(data['containment']).toBe('cwd-walk');
        expect(codeIn(await write(server))).toBe('ok');
        expect(codeIn(await server.callTool('config_get', { file: '../outside/s.yaml' }))).toBe(
          'PATH_INVALID',
        );
      });
    },
  );
});

async function withServer(
  options: ProcessOptions,
  work: (server: RunningServer) => Promise<void>,
): Promise<void> {
  const server = await startProcess({ root: side.ground.root, flags: ['--log-level', 'error'], ...options });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

/** Runs the server in a mount namespace of its own; `$R` is the root. */
function mounted(script: string): readonly string[] {
  return ['unshare', '-m', 'sh', '-c', `R="${side.ground.root}"; ${script} && exec "$@"`, 'sh'];
}

function canMount(): boolean {
  return isRoot && spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
}

function canSetFlags(): boolean {
  if (!isRoot) return false;
  const probe = join(process.env['TMPDIR'] ?? '/tmp', `airlock-probe-${process.pid}`);
  const script = `touch "${probe}" && chattr +i "${probe}" && chattr -i "${probe}"; e=$?; rm -f "${probe}"; exit $e`;
  return spawnSync('sh', ['-c', script]).status === 0;
}

// `npm run demo` shows what it says, fails when the server does not do it, and the README quotes it truly.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { sectionOf } from './documents/tables.ts';
import { PATIENCE_MS } from './harness/wait.ts';

const HOME = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'airlock-demo-test-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the demo', () => {
  const plain = run(HOME);

  it('ends well, and fits into 100 columns without colours when nobody watches', () => {
    expect(plain.stdout + plain.stderr).not.toContain('✗');
    expect(plain.status).toBe(0);
    expect(stripVTControlCharacters(plain.stdout)).toBe(plain.stdout);
    expect(Math.max(...plain.stdout.split('\n').map((line) => Array.from(line).length))).toBeLessThanOrEqual(
      100,
    );
  });

  it('shows the same in colour', () => {
    const coloured = run(HOME, { FORCE_COLOR: '1' });
    expect(coloured.stdout).toContain('\u001b[32m+  replicas: 3');
    expect(withoutHashes(stripVTControlCharacters(coloured.stdout))).toBe(withoutHashes(plain.stdout));
  });

  it('leaves nothing behind', () => {
    expect(readdirSync(folder).filter((name) => name.startsWith('config-airlock-demo'))).toEqual([]);
  });

  it('is quoted truly in the README', () => {
    const quoted = sectionOf(readFileSync(join(HOME, 'README.md'), 'utf8'), 'demo');
    const excerpt = /```\n(.*?)```/s.exec(quoted ?? '')?.[1] ?? 'nothing is quoted';
    expect(plain.stdout).toContain(excerpt);
  });
});

it.each([
  { name: 'does not start', cli: 'process.exit(2);' },
  { name: 'hangs up', cli: forThePerson("process.stdin.once('data', () => process.exit(0));") },
  { name: 'writes where it should preview', cli: eager() },
])('the demo fails with a server that $name', ({ name, cli }) => {
  const home = join(folder, name.replaceAll(' ', '-'));
  for (const part of ['scripts', 'examples']) cpSync(join(HOME, part), join(home, part), { recursive: true });
  symlinkSync(join(HOME, 'node_modules'), join(home, 'node_modules'), 'junction');
  symlinkSync(join(HOME, 'dist'), join(home, 'real'), 'junction');
  mkdirSync(join(home, 'dist'));
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(home, 'dist', 'cli.js'), cli);
  const { status, stdout } = run(home);
  expect(stdout).toContain('✗');
  expect(status).toBe(1);
});

/** The person's own commands are left alone. */
function forThePerson(serving: string): string {
  return `if (process.argv[2] === '--root') {\n${serving}\n} else await import('../real/cli.js');`;
}

/** The real server behind a man in the middle who turns every preview into a write. */
function eager(): string {
  return forThePerson(`
    const { spawn } = await import('node:child_process');
    const { fileURLToPath } = await import('node:url');
    const real = fileURLToPath(new URL('../real/cli.js', import.meta.url));
    const server = spawn(process.execPath, [real, ...process.argv.slice(2)], { stdio: ['pipe', 'inherit', 'inherit'] });
    process.stdin.on('data', (data) => server.stdin.write(String(data).replace('"json":3', '"json":3,"dry_run":false')));
    process.stdin.on('end', () => server.stdin.end());
    server.on('exit', () => process.exit());
  `);
}

function run(home: string, more: Record<string, string> = {}): SpawnSyncReturns<string> {
  const { NO_COLOR: _, FORCE_COLOR: __, ...env } = process.env;
  return spawnSync(process.execPath, [join(home, 'scripts', 'demo.mjs')], {
    encoding: 'utf8',
    env: { ...env, ...more, TMPDIR: folder, TEMP: folder },
    timeout: PATIENCE_MS,
  });
}

/** What differs from run to run, where it is shown: ids and times. */
function withoutHashes(text: string): string {
  return text.replaceAll(
    /(?:pv|ch)_\w{10}|<secret:\w+>|[0-9a-f]{8,}|\d{4}-\d\d-\d\d [\d:]+Z|\d+ (?:ms|minutes?)/g,
    '…',
  );
}

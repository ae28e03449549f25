// `npm run demo` shows what it says, fails when the server does not do it, and the README quotes it truly.
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

  it('is quoted truly in the README', () => {
    const quoted = sectionOf(readFileSync(join(HOME, 'README.md'), 'utf8'), 'demo');
    const excerpt = /```\n(.*?)```/s.exec(quoted ?? '')?.[1] ?? 'nothing is quoted';
    expect(plain.stdout).toContain(excerpt);
  });
});

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

// The two programs of proof/ find what they look for: they are run on the built server, and on one that promises nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { REPOSITORY } from './harness/installed-package.ts';
import { CLI } from './harness/start-process.ts';
import { tempRoot } from './harness/temp-root.ts';

const findings = z.object({ findings: z.array(z.object({ what: z.string(), outcome: z.string() })) });

function redteam(server: string, only: string) {
  const place = tempRoot();
  onTestFinished(() => place.remove());
  const file = join(place.dir, 'report.json');
  const args = ['--server', server, '--only', only, '--attempts', '5', '--json', file];
  const program = join(REPOSITORY, 'proof/redteam/run.mjs');
  const { status, stdout } = spawnSync(process.execPath, [program, ...args], { encoding: 'utf8' });
  const made = findings.parse(JSON.parse(readFileSync(file, 'utf8'))).findings;
  const fell = made.filter(({ outcome }) => outcome === 'fell').map(({ what }) => what);
  return { status, stdout, fell, count: made.length };
}

it.runIf(process.platform === 'linux')('nothing falls that a preview and the sandbox are to hold', () => {
  const server = `"${process.execPath}" "${CLI}" --root {root} --state-dir {state} --approval preview`;
  const { status, fell, count, stdout } = redteam(server, 'containment,secrets,approval');
  expect(fell).toEqual([]);
  expect(count).toBeGreaterThan(50);
  expect(status).toBe(0);
  expect(stdout).toContain('Nothing fell.');
});

it('this server changes exactly the asked lines of the files, and a library others as well', () => {
  const program = join(REPOSITORY, 'proof/lossless/run.mjs');
  const { stdout } = spawnSync(process.execPath, [program, '--edits', '4'], { encoding: 'utf8' });
  const [airlock = '', , yaml = ''] = stdout.split('\n').slice(2);
  expect(airlock).toMatch(
    /^\| config-airlock \| \d{2} \| \d{2} \(100 %\) \| 0 \(0 %\) \| 0 \(0 %\) \| 0 \(0 %\) \|$/,
  );
  expect(yaml).toMatch(/`yaml`, document API \| \d{2} \| \d+ \([\d.]+ %\) \| [1-9]/);
});

// The two programs of proof/ find what they look for: they are run on the built server, and on one that promises nothing.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** Reads and writes whatever it is asked for. */
const NAIVE = `import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
const properties = { path: { type: 'string' }, content: { type: 'string' } };
const tools = [
  { name: 'read_it', inputSchema: { type: 'object', properties: { path: properties.path }, required: ['path'] } },
  { name: 'write_it', inputSchema: { type: 'object', properties, required: ['path', 'content'] } },
];
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  let result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'naive', version: '1' } };
  if (method === 'tools/list') result = { tools };
  if (method === 'tools/call') {
    const { path, content } = params.arguments;
    let text = 'ok';
    try {
      if (params.name === 'read_it') text = readFileSync(path, 'utf8');
      else writeFileSync(path, content);
    } catch (error) {
      text = error.code;
    }
    result = { content: [{ type: 'text', text }] };
  }
  console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
`;

it.runIf(process.platform === 'linux')('of a server that promises nothing, everything falls that can', () => {
  const place = tempRoot();
  onTestFinished(() => place.remove());
  const program = join(place.dir, 'naive.mjs');
  writeFileSync(program, NAIVE);
  const { status, fell } = redteam(
    `"${process.execPath}" "${program}"`,
    'containment,secrets,injection,approval',
  );
  expect(status).toBe(1);
  for (const what of [
    'read by ..',
    'change by a link to a file',
    'create by a link to a folder',
    'read .env',
    'create .envrc',
    'terminal codes, in what is read',
    'change a file in one call, which nobody has seen before',
    'change one line after somebody has changed another',
  ])
    expect(fell).toContain(what);
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

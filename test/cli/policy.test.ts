// What an operator is told about a policy on the command line, before any server reads it.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { CLI } from '../harness/start-server.ts';
import { tempRoot } from '../harness/temp-root.ts';

function run(files: Readonly<Record<string, string>>, args: readonly string[], input = '') {
  const temp = tempRoot(files);
  onTestFinished(() => temp.remove());
  const named = args.map((word) => (word in files ? join(temp.dir, word) : word));
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(temp.dir, 'home') };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...named], {
    encoding: 'utf8',
    env,
    input,
  });
  return { status, stderr, stdout: stdout.replaceAll(`${temp.dir}/`, '') };
}

const GOOD =
  'rules:\n  - { id: replicas, paths: spec.replicas, value: { maximum: 5 }, then: direct, else: human }\n';

it.each([
  { why: 'nothing', text: GOOD, status: 0, says: /^p\.yaml: nothing found in its 1 rule\.\n$/ },
  {
    why: 'a doubt',
    text: `default: direct\n${GOOD}`,
    status: 1,
    says: /^p\.yaml:1: warning: default: [^\n]+\n$/,
  },
  {
    why: 'a fault',
    text: `${GOOD}default: none\n`,
    status: 2,
    says: /^p\.yaml:3: fault: default: [^\n]+\n$/,
  },
])('policy lint tells $why by its exit code and a line', ({ text, status, says }) => {
  const ran = run({ 'p.yaml': text }, ['policy', 'lint', 'p.yaml']);
  expect(ran).toEqual({ status, stderr: '', stdout: expect.stringMatching(says) });
});

it('policy lint prints the same as JSON', () => {
  const { status, stdout } = run({ 'p.yaml': `default: direct\n${GOOD}` }, [
    'policy',
    'lint',
    'p.yaml',
    '--json',
  ]);
  expect(status).toBe(1);
  expect(JSON.parse(stdout)).toEqual({
    ok: true,
    faults: [],
    warnings: [{ line: 1, path: 'default', message: expect.stringContaining('nobody is asked') }],
  });
});

it.each([
  { words: ['policy'], says: 'unknown command "policy"; did you mean policy lint?' },
  { words: ['policy', 'lin'], says: 'unknown command "policy lin"; did you mean policy lint?' },
  {
    words: ['policy', 'lint', 'broken.yaml'],
    says: 'broken.yaml": Cannot read this as YAML: invalid at line 3',
  },
  { words: ['policy', 'lint', '/nowhere.yaml'], says: 'cannot read "/nowhere.yaml"' },
])('one line says what is wrong with $words', ({ words, says }) => {
  const { status, stdout, stderr } = run({ 'broken.yaml': 'rules:\n  - {\n' }, words);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^config-airlock: [^\n]+\n$/);
  expect(stderr).toContain(says);
});

// `hook claude-code` is what a host runs before its own tools: recorded inputs of each kind go in, and each write to a file of
// the server has to be denied.
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCommand } from '../harness/run-command.ts';

const FILES = ['deploy/web.yaml', 'deploy/db.json', 'src/main.ts', '.git/config', 'prod/x.yaml'];

interface Project {
  readonly root: string;
  readonly outside: string;
  readonly state: string;
  readonly args: readonly string[];
}

function project(): Project {
  const base = mkdtempSync(join(tmpdir(), 'hook-'));
  onTestFinished(() => rmSync(base, { recursive: true }));
  const [root, outside] = [join(base, 'project'), join(base, 'elsewhere')];
  for (const file of FILES.map((one) => join(root, one))) {
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, 'a: 1\n');
  }
  mkdirSync(outside);
  writeFileSync(join(outside, 'own.yaml'), 'a: 1\n');
  symlinkSync(join(root, 'deploy'), join(outside, 'link'));
  symlinkSync(join(root, 'deploy', 'new.yaml'), join(outside, 'dangling.txt'));
  symlinkSync(join(outside, 'own.yaml'), join(root, 'deploy', 'to-outside.yaml'));
  const state = join(base, 'state');
  const args = ['hook', 'claude-code', '--root', root, '--deny', 'prod/**', '--state-dir', state];
  return { root, outside, state, args };
}

/** The input of a tool, with the places of a project in it. */
function within({ root, outside, state }: Project, input: object): object {
  const text = JSON.stringify(input);
  return JSON.parse(text.replaceAll('ROOT', root).replaceAll('OUTSIDE', outside).replaceAll('STATE', state));
}

/** What the host would do, with the reason that its model is shown. */
async function asked(
  stage: Project,
  tool_name: string,
  tool_input: object,
  cwd = stage.root,
): Promise<{ readonly status: number; readonly reason: string | undefined }> {
  const input = {
    session_id: 'e1d2',
    transcript_path: '/home/dev/.claude/projects/x/e1d2.jsonl',
    cwd,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name,
    tool_input,
    tool_use_id: 'toolu_01',
  };
  const { status, stdout } = await runCommand(stage.args, { input: JSON.stringify(input) });
  if (stdout === '') return { status, reason: undefined };
  const { hookSpecificOutput: said } = JSON.parse(stdout);
  expect(said.hookEventName).toBe('PreToolUse');
  expect(said.permissionDecision).toBe('deny');
  return { status, reason: said.permissionDecisionReason };
}

const change = { old_string: 'a: 1', new_string: 'a: 2' };

describe('a tool that writes a file', () => {
  const SERVED = /config-airlock only/;
  const DENIED = /denied by config-airlock/;
  test.each([
    ['Edit', { file_path: 'ROOT/deploy/web.yaml', ...change, replace_all: false }, SERVED],
    ['Edit', { file_path: 'deploy/web.yaml', ...change }, SERVED],
    ['Edit', { file_path: './src/../deploy/web.yaml', ...change }, SERVED],
    ['Edit', { file_path: 'OUTSIDE/link/web.yaml', ...change }, SERVED],
    ['Edit', { file_path: 'ROOT/prod/x.yaml', ...change }, DENIED],
    ['Edit', { file_path: 'ROOT/deploy/to-outside.yaml', ...change }, SERVED],
    ['MultiEdit', { file_path: 'ROOT/deploy/web.yaml', edits: [change] }, SERVED],
    ['Write', { file_path: 'ROOT/deploy/new.yaml', content: 'a: 1\n' }, SERVED],
    ['Write', { file_path: 'OUTSIDE/dangling.txt', content: 'a: 1\n' }, SERVED],
    ['Write', { file_path: 'ROOT/.claude/settings.json', content: '{}' }, DENIED],
    ['Write', { file_path: 'ROOT/.git/hooks/post-commit', content: 'x' }, DENIED],
    ['Write', { file_path: 'ROOT/.g\u200bit/config', content: 'x' }, DENIED],
    ['Write', { file_path: 'STATE/state.db', content: '' }, DENIED],
    ['NotebookEdit', { notebook_path: 'ROOT/.git/x.ipynb', new_source: '' }, DENIED],
    ['Bash', { command: 'echo "a: 2" > deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'echo x >>"deploy/web.yaml" 2>&1' }, SERVED],
    ['Bash', { command: 'echo x &> deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'cat <<EOF > deploy/new.yaml\nrm nothing\nEOF' }, SERVED],
    ['Bash', { command: 'cd deploy && sed -i s/1/2/ web.yaml' }, SERVED],
    ['Bash', { command: "sed -i.bak 's/1/2/' deploy/*.yaml" }, SERVED],
    ['Bash', { command: 'sed -E --in-place -e s/1/2/ ./deploy/{web,db}.yaml' }, SERVED],
    ['Bash', { command: "perl -pi -e 's/1/2/' deploy/web.yaml" }, SERVED],
    ['Bash', { command: "sudo sh -c true; FOO=1 tee deploy/web.yaml <<<'a: 2'" }, SERVED],
    ['Bash', { command: "yq -i '.a = 2' deploy/web.yaml" }, SERVED],
    ['Bash', { command: 'cp /tmp/web.yaml deploy' }, SERVED],
    ['Bash', { command: 'mv deploy/web.yaml /tmp/gone' }, SERVED],
    ['Bash', { command: 'if true; then rm -f deploy/web.yaml; fi' }, SERVED],
    ['Bash', { command: 'dd if=/dev/zero of=deploy/web.yaml' }, SERVED],
    ['Bash', { command: "find deploy -name '*.yaml' -exec sed -i s/1/2/ {} +" }, SERVED],
    ['Bash', { command: 'echo x > .git/hooks/pre-commit' }, DENIED],
    ['Bash', { command: 'echo ok\nrm deploy/db.json' }, SERVED],
    ['Bash', { command: 'tee /tmp/a <<<EOF\necho x > deploy/web.yaml\nEOF' }, SERVED],
    ['Bash', { command: 'grep "<<EOF" a\necho x > deploy/web.yaml\nEOF' }, SERVED],
    ['Bash', { command: 'echo $((1<<n))\necho x > deploy/web.yaml' }, SERVED],
    ['Bash', { command: "cat <<'EOF' > /tmp/a\nx\nEOF\necho x > deploy/web.yaml" }, SERVED],
    ['Bash', { command: 'echo `echo x > deploy/web.yaml`' }, SERVED],
    ['Bash', { command: "bash -c 'echo x > deploy/web.yaml'" }, SERVED],
    ['Bash', { command: 'sudo -E tee deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'timeout 5 sed -i s/1/2/ deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'env -i FOO=1 tee deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'ls | xargs tee deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'cp -t deploy /tmp/web.yaml' }, SERVED],
    ['Bash', { command: 'rsync /tmp/x deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'patch deploy/web.yaml < /tmp/x.diff' }, SERVED],
    ['Bash', { command: "gawk -i inplace '{ print }' deploy/web.yaml" }, SERVED],
    ['Bash', { command: 'curl -so deploy/web.yaml https://example.org/a.yaml' }, SERVED],
    ['Bash', { command: 'git checkout -- deploy/web.yaml' }, SERVED],
    ['Bash', { command: 'git mv deploy/web.yaml deploy/gone' }, SERVED],
  ])('%s %j is denied', async (tool, input, words) => {
    const stage = project();
    const { status, reason } = await asked(stage, tool, within(stage, input));
    expect({ status, reason }).toEqual({ status: 0, reason: expect.stringMatching(words) });
  });

  test.each([
    ['Edit', { file_path: 'OUTSIDE/own.yaml', ...change }],
    ['Edit', { file_path: 'ROOT/src/main.ts', ...change }],
    ['Read', { file_path: 'ROOT/deploy/web.yaml' }],
    ['Bash', { command: 'grep -r image deploy > /tmp/found; npm test 2>&1 | tail' }],
    ['Bash', { command: 'git commit -m "set a > b in deploy/web.yaml" -- deploy' }],
    ['Bash', { command: 'cat <<EOF\necho > deploy/web.yaml\nEOF' }],
    ['Bash', { command: 'sed -n 1,5p deploy/web.yaml' }],
    ['Bash', { command: 'cp deploy/web.yaml /tmp/copy.yaml' }],
    ['Bash', { command: 'echo x # > deploy/web.yaml' }],
    ['Bash', { command: 'curl -o /tmp/x https://example.org/a.yaml' }],
    ['Bash', { command: 'git checkout main && git commit -m "mv deploy/web.yaml"' }],
    ['Bash', { command: 'timeout 5 grep -r image deploy/web.yaml' }],
    ['Bash', { command: "bash -c 'cat deploy/web.yaml'" }],
  ])('%s %j is left to the host', async (tool, input) => {
    const stage = project();
    expect(await asked(stage, tool, within(stage, input))).toEqual({ status: 0, reason: undefined });
  });
});

test('the reason has the call of config_edit that does the same', async () => {
  const stage = project();
  const edits = [change, { old_string: 'b', new_string: 'c' }];
  const { reason = '' } = await asked(stage, 'MultiEdit', { file_path: 'deploy/web.yaml', edits });
  expect(JSON.parse(reason.slice(reason.indexOf('{')))).toEqual({
    edits: [
      { op: 'replace_text', old_text: 'a: 1', new_text: 'a: 2', file: 'deploy/web.yaml' },
      { op: 'replace_text', old_text: 'b', new_text: 'c', file: 'deploy/web.yaml' },
    ],
  });
});

describe('what the hook cannot judge stops the tool: exit 2', () => {
  test.each([
    ['no JSON', 'nonsense', []],
    ['another event', '{"hook_event_name":"PostToolUse","tool_name":"Edit","cwd":"/"}', []],
    [
      'a known tool with other fields',
      '{"hook_event_name":"PreToolUse","cwd":"/","tool_name":"Edit","tool_input":{}}',
      [],
    ],
    ['nothing', '', []],
    ['a root that is gone', '{}', ['--root', '/nowhere/at/all']],
    ['an option that is none', '{}', ['--rot', '.']],
  ])('%s', async (_why, input, more) => {
    const { status, stdout, stderr } = await runCommand([...project().args, ...more], { input });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).not.toBe('');
  });

  const bash = (command: string) =>
    JSON.stringify({ hook_event_name: 'PreToolUse', cwd: '/', tool_name: 'Bash', tool_input: { command } });
  const folders = Array.from({ length: 40 }, (_, n) => `cd d${n};`).join(' ');
  test.each([
    ['folders that double', `${folders} echo x > a`],
    [
      'more files than can be looked at',
      `tee ${'a b c '.repeat(10).trim()} ${Array.from({ length: 20_000 }, (_, n) => `f${n}`).join(' ')}`,
    ],
  ])('%s, at once', async (_why, command) => {
    const { status, stderr } = await runCommand(project().args, { input: bash(command) });
    expect([status, stderr]).toEqual([2, expect.stringContaining('too many files')]);
  });

  test('another host', async () => {
    const { status } = await runCommand(['hook', 'vim', '--root', project().root], { input: '{}' });
    expect(status).toBe(2);
  });
});

test('init --guard prints settings that run the hook with the same options, and stop the tool if it cannot start', async () => {
  const { root } = project();
  const { stdout, status } = await runCommand(
    ['init', '--client', 'claude-code', '--guard', '--root', root, '--deny', 'prod/**'],
    {},
  );
  expect(status).toBe(0);
  const [{ matcher, hooks }] = JSON.parse(stdout.slice(stdout.indexOf('{'))).hooks.PreToolUse;
  expect(matcher.split('|')).toEqual(['Edit', 'MultiEdit', 'Write', 'NotebookEdit', 'Bash']);
  expect(hooks[0].command).toMatch(/ hook claude-code --root .* --deny 'prod\/\*\*' \|\| exit 2$/);
  const other = await runCommand(['init', '--client', 'cursor', '--guard', '--root', root], {});
  expect(other.status).toBe(2);
});

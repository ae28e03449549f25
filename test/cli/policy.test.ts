// What an operator is told about a policy on the command line, before any server reads it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { diffOf } from '../harness/git-diff.ts';
import { type Given, runCommand } from '../harness/run-command.ts';
import { tempRoot } from '../harness/temp-root.ts';
import { shop } from './shop.ts';

/** Words that name a file, or a folder of one, are paths of it. */
async function run(
  files: Readonly<Record<string, string>>,
  args: readonly string[],
  { input, env = {} }: Given = {},
) {
  const temp = tempRoot(files);
  onTestFinished(() => temp.remove());
  const named = args.map((word) => (word in files || word === 'root' ? join(temp.dir, word) : word));
  const ended = await runCommand(named, {
    input: input ?? '',
    env: { HOME: join(temp.dir, 'home'), ...env },
  });
  return { ...ended, stdout: ended.stdout.replaceAll(`${temp.dir}/`, '') };
}

const REVIEWERS = `ann ed25519:${Buffer.alloc(32, 1).toString('base64')}\n`;

const TOKENS = `ci-1 config:write 2999-01-01 sha256:${'0'.repeat(64)}\n`;
/** Options of the server, whose roots need not be on this machine. */
const SERVER = [
  ...['--reviewers', 'reviewers', '--http-tokens', 'tokens'],
  ...['--root', 'home=/nowhere/home', '--root', 'flux=/nowhere/flux'],
];

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
  {
    why: 'more reviewers than there are',
    text: GOOD.replace('human', 'human, count: 2'),
    status: 2,
    says: /^p\.yaml:2: fault: rules\[0\]\.count: the rule "replicas" asks for 2 reviewers, and [^\n]+ names 1\n$/,
  },
  {
    why: 'an approver who is on no list',
    text: GOOD.replace('human', 'human, approvers: [eve]'),
    status: 2,
    says: /^p\.yaml:2: fault: rules\[0\]\.approvers: the rule "replicas" names the approver "eve"[^\n]+\n$/,
  },
  {
    why: 'a pattern of files that begins with a root',
    text: GOOD.replace('paths', "files: '@home/talos/**', paths"),
    status: 2,
    says: /^p\.yaml:2: fault: rules\[0\]\.files: bad --policy pattern "@home\/talos\/\*\*": [^\n]+"talos\/\*\*"\n$/,
  },
  {
    why: 'a root that is not served',
    text: GOOD.replace('paths', 'roots: [ho*, prod], paths'),
    status: 2,
    says: /^p\.yaml:2: fault: rules\[0\]\.roots: [^\n]+not served: "prod"; the roots are home, flux\n$/,
  },
  {
    why: 'a caller for whom there is no token',
    text: GOOD.replace('paths', 'callers: ["ci-*", bot], paths'),
    status: 1,
    says: /^p\.yaml:2: warning: rules\[0\]\.callers: the tokens file names no holder "bot"\n$/,
  },
  {
    why: 'a caller with a blank, whom no transport can verify',
    text: GOOD.replace('paths', 'callers: [Ann Lee], paths'),
    status: 2,
    says: /^p\.yaml:2: fault: rules\[0\]\.callers\[0\]: [^\n]+\n$/,
  },
])('policy lint tells $why by its exit code and a line', async ({ text, status, says }) => {
  const files = { 'p.yaml': text, reviewers: REVIEWERS, tokens: TOKENS };
  const ran = await run(files, ['policy', 'lint', 'p.yaml', ...SERVER]);
  expect(ran).toEqual({ status, stderr: '', stdout: expect.stringMatching(says) });
});

it.each([
  { words: ['policy'], says: 'unknown command "policy"; did you mean policy lint?' },
  {
    words: ['policy', 'lint', 'broken.yaml'],
    says: 'broken.yaml": Cannot read this as YAML: invalid at line 3',
  },
  { words: ['policy', 'lint', '/nowhere.yaml'], says: 'cannot read "/nowhere.yaml"' },
])('one line says what is wrong with $words', async ({ words, says }) => {
  const { status, stdout, stderr } = await run({ 'broken.yaml': 'rules:\n  - {\n' }, words);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^config-airlock: [^\n]+\n$/);
  expect(stderr).toContain(says);
});

const POLICY = `default: human
rules:
  - { id: comments, ops: [comment], then: direct }
  - id: replicas
    paths: spec.replicas
    ops: [add, remove, replace]
    value: { maximum: 5 }
    then: preview
    else: human
    say: Five at most.
  - { id: production, files: 'prod/**', then: client }
  - { id: secrets, doc: Secret, then: deny, say: Use the vault. }
`;
const WEB = 'kind: Deployment\nspec:\n  replicas: 3 # zones\n  secret: hunter2hunter2\n';
const FILES = { 'policy.yaml': POLICY, 'root/prod/web.yaml': WEB, 'root/web.yaml': WEB };

describe('policy explain', () => {
  const explain = (...words: readonly string[]) =>
    run(FILES, ['policy', 'explain', ...words, '--root', 'root', '--policy', 'policy.yaml']);

  it('says which rule decides, why, what would pass, and what the others say', async () => {
    const { status, stdout, stderr } = await explain('prod/web.yaml', 'spec.replicas', '9');
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout.split('\n')).toEqual([
      'human: a reviewer has to sign it.',
      '  spec.replicas (replace): human, by the rule replicas, whose constraint does not hold',
      '    would be preview: at most 5',
      '    the operator says: Five at most.',
      '    also named by production (client)',
      '',
    ]);
  });

  it.each([
    {
      why: 'no rule',
      words: ['web.yaml', 'spec.name', 'x'],
      says: 'spec.name (add): human, for no rule names it',
    },
    {
      why: 'a new name',
      words: ['web.yaml', 'spec.replicas', 'copies', '--op', 'rename'],
      says: 'spec.copies (add): human',
    },
    { why: 'a denial', words: ['web.yaml', 'kind', 'Secret'], says: 'deny: nobody can approve it.' },
  ])('explains $why, and shows no value of the file', async ({ words, says }) => {
    const { status, stdout } = await explain(...words);
    expect(status).toBe(0);
    expect(stdout).toContain(says);
    expect(stdout).not.toContain('hunter2');
  });

  it.each([
    { words: ['web.yaml', 'spec.replicas'], says: '--op set needs a value' },
    { words: ['web.yaml', 'spec.replicas', '3', '--op', 'delete'], says: '--op delete takes no value' },
    { words: ['web.yaml', 'spec.replicas.x', '3'], says: 'TYPE_MISMATCH: ' },
  ])('one line says what is wrong with $words', async ({ words, says }) => {
    const { status, stdout, stderr } = await explain(...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(says);
  });
});

const CASE =
  "{ name: one, file: web.yaml, before: 'spec: { replicas: 3 }', edits: [{ op: set, path: spec.replicas, value: '4' }], expect: preview, rule: replicas }";

describe('policy test', () => {
  const test = (cases: string, ...more: readonly string[]) =>
    run({ ...FILES, 'cases.yaml': cases }, [
      'policy',
      'test',
      'cases.yaml',
      '--policy',
      'policy.yaml',
      ...more,
    ]);

  it('passes a case whose edits come to the level and the rule that it expects', async () => {
    const { status, stdout, stderr } = await test(`cases: [${CASE}]\n`);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toBe('pass  one: preview (replicas)\n1 case: 1 passed, 0 failed\n');
  });

  it.each([
    {
      why: 'another level',
      to: CASE.replace("'4'", "'9'"),
      says: 'FAIL  one: expected preview, and it is human (replicas)',
    },
    { why: 'edits that change nothing', to: CASE.replace("'4'", "'3'"), says: 'the edits change nothing' },
    {
      why: 'edits that cannot be made',
      to: CASE.replace('spec.replicas', 'spec.replicas.x'),
      says: 'the edits cannot be made: ',
    },
    {
      why: 'a file that no server would serve',
      to: CASE.replace('web.yaml', '../web.yaml'),
      says: 'the edits cannot be made: PATH_',
    },
  ])('fails a case with $why, and goes on', async ({ to, says }) => {
    const { status, stdout, stderr } = await test(`cases: [${to}, ${CASE.replace('one', 'two')}]\n`);
    expect({ status, stderr }).toEqual({ status: 1, stderr: '' });
    expect(stdout).toContain(says);
    expect(stdout).toContain('pass  two: preview');
    expect(stdout).toContain('2 cases: 1 passed, 1 failed\n');
  });

  it('knows several files, files that do not exist, and masks nothing', async () => {
    const moved =
      "{ name: moved, file: a.yaml, before: 'password: abcdefgh', others: { b.yaml: 'x: 1' }, edits: [{ op: move, path: password, to: '', to_file: b.yaml }], expect: human, rule: default }";
    const made =
      "{ name: made, file: deep/er/new.yaml, edits: [{ op: create_file, content: 'kind: Secret' }], expect: deny, rule: secrets }";
    const { status, stdout } = await test(`cases: [${moved}, ${made}]\n`, '--json');
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      cases: [
        { ok: true, level: 'human' },
        { ok: true, level: 'deny' },
      ],
    });
  });

  it('knows who makes the edits, and in which root', async () => {
    const policy =
      'rules: [{ id: bots, callers: ["bot-*"], roots: [dev], paths: spec, then: preview }, { id: guests, callers: [guest], then: deny, say: No. }]\n';
    const row = (more: string) => CASE.replace('expect: preview, rule: replicas', more);
    const cases = [
      row('caller: bot-1, root: dev, expect: preview, rule: bots'),
      row('caller: bot-1, root: prod, expect: human, rule: default'),
      row('caller: bot-1, expect: human, rule: default'),
      row('caller: guest, root: dev, expect: deny, rule: guests'),
      row('root: dev, expect: deny, rule: guests'),
    ];
    const files = { 'policy.yaml': policy, 'cases.yaml': `cases:\n  - ${cases.join('\n  - ')}\n` };
    const words = ['policy', 'test', 'cases.yaml', '--policy', 'policy.yaml'];
    expect(await run(files, words)).toMatchObject({ status: 0, stderr: '' });
  });

  it('has only the files of its own for each case', async () => {
    const create = (more: string) =>
      `{ name: new, file: new.yaml, edits: [{ op: create_file, content: "a: 1\\n" }], expect: preview${more} }`;
    const cases = [
      create(', before: "a: 2"'),
      create(''),
      create(', others: { new.yaml: "a: 3" }'),
      create(''),
    ];
    const files = {
      'policy.yaml': 'default: preview\n',
      'cases.yaml': `cases:\n  - ${cases.join('\n  - ')}\n`,
    };
    const words = ['policy', 'test', 'cases.yaml', '--policy', 'policy.yaml', '--json'];
    const { stdout } = await run(files, words);
    expect(JSON.parse(stdout).cases.map(({ ok }: { ok: boolean }) => ok)).toEqual([false, true, false, true]);
  });

  it.each([
    { why: 'a misspelled key', cases: `cases: [${CASE.replace('expect', 'expects')}]`, says: 'cases.0' },
    { why: 'no case', cases: 'cases: []', says: 'cases: ' },
    {
      why: 'no policy',
      cases: `cases: [${CASE}]`,
      flags: [],
      says: 'policy test needs a policy: give --policy FILE',
    },
  ])('stops with one line at $why', async ({ cases, says, flags = ['--policy', 'policy.yaml'] }) => {
    const ran = await run({ ...FILES, 'cases.yaml': cases }, ['policy', 'test', 'cases.yaml', ...flags]);
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain(says);
  });
});

describe('policy check', () => {
  const check = (diff: string, ...more: readonly string[]) =>
    run(FILES, ['policy', 'check', '--policy', 'policy.yaml', ...more], { input: diff });
  const ALL = [
    diffOf('web.yaml', WEB, WEB.replace('3', '4')),
    diffOf('prod/a,b.yaml', WEB, WEB.replace('3', '4')),
    diffOf('new.yaml', undefined, 'kind: Secret\n'),
  ].join('');

  it('writes annotations of GitHub for what somebody has to look at, in which no name ends a command', async () => {
    const { status, stdout } = await check(ALL, '--format', 'github');
    expect(status).toBe(3);
    const lines = stdout.trim().split('\n');
    expect(lines.filter((one) => one.includes('web.yaml'))).toEqual([]);
    expect(lines[0]).toMatch(/^::warning file=prod\/a%2Cb\.yaml,title=client%3A production::spec\.replicas/u);
    expect(lines.at(-1)).toMatch(/^::error file=new\.yaml,title=deny%3A secrets::/u);
  });

  it('writes SARIF for the same', async () => {
    const { status, stdout } = await check(ALL, '--format', 'sarif');
    expect(status).toBe(3);
    const { version, runs } = JSON.parse(stdout);
    expect([version, runs.length]).toEqual(['2.1.0', 1]);
    const [{ tool, results }] = runs;
    expect(tool.driver.rules).toEqual(expect.arrayContaining([{ id: 'production' }, { id: 'secrets' }]));
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
    expect(results).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ruleId: 'production', level: 'warning' }),
        expect.objectContaining({ ruleId: 'secrets', level: 'error' }),
      ]),
    );
    expect(stdout).not.toContain('web:');
  });

  it.each([
    {
      why: 'nobody is needed',
      diff: diffOf('web.yaml', WEB, WEB.replace('3', '4')),
      status: 0,
      says: 'web.yaml: preview (replicas)',
    },
    {
      why: 'a person is',
      diff: diffOf('prod/web.yaml', WEB, WEB.replace('3', '4')),
      status: 1,
      says: 'prod/web.yaml: client (production)',
    },
    {
      why: 'it is denied',
      diff: diffOf('new.yaml', undefined, 'kind: Secret\n'),
      status: 3,
      says: 'new.yaml: deny (secrets)',
    },
    { why: 'a file is gone', diff: diffOf('web.yaml', WEB, undefined), status: 1, says: 'web.yaml: human (' },
    {
      why: 'a file is a link',
      diff: diffOf('web.yaml', undefined, 'x.yaml', '120000'),
      status: 3,
      says: 'it is, or was, no plain file',
    },
    {
      why: 'a file is too large',
      diff: diffOf('web.yaml', undefined, WEB),
      status: 3,
      says: 'it cannot be judged: LIMIT_EXCEEDED',
      flags: ['--max-parsed-size', '20'],
    },
    {
      why: 'a file is not served',
      diff: diffOf('notes.txt', 'a\n', 'b\n'),
      status: 0,
      says: 'Nothing to judge: 1 file that no server with these options serves.',
    },
    {
      why: 'a file is denied to agents',
      diff: diffOf('.env', 'a=1\n', 'a=2\n') + diffOf('web.yaml', WEB, WEB.replace('3', '4')),
      status: 0,
      says: 'Files: 1 preview; 1 file that no server',
    },
  ])('tells by its exit code that $why', async ({ diff, status, says, flags = [] }) => {
    const ran = await check(diff, ...flags);
    expect(ran).toMatchObject({
      status,
      stderr: expect.stringMatching(/^Judged by config-airlock [^\n]+\n$/),
    });
    expect(ran.stdout).toContain(says);
    expect(ran.stdout).not.toContain('hunter2');
  });

  it('takes the strictest of all files, and answers the same as JSON', async () => {
    const diff =
      diffOf('web.yaml', WEB, WEB.replace('3', '4')) + diffOf('prod/web.yaml', WEB, WEB.replace('3', '9'));
    const { status, stdout } = await check(diff, '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      level: 'human',
      files: [
        {
          file: 'web.yaml',
          level: 'preview',
          changes: [{ path: 'spec.replicas', rule: 'replicas', holds: true }],
        },
        {
          file: 'prod/web.yaml',
          level: 'human',
          changes: [{ rule: 'replicas', holds: false, would_pass: 'at most 5' }],
        },
      ],
    });
  });

  it.each([
    { why: 'is empty, as where Git has failed', diff: '', says: 'the diff on stdin is empty' },
    {
      why: 'holds parts of files',
      diff: diffOf('web.yaml', WEB, `${WEB}x: 1\n`).replace('+x: 1\n', ''),
      says: 'git diff --no-ext-diff',
    },
  ])('refuses a diff that $why', async ({ diff, says }) => {
    const ran = await check(diff);
    expect(ran).toMatchObject({ status: 2, stdout: '' });
    expect(ran.stderr).toContain(says);
  });
});

it('policy replay tells what a policy says of the changes that were made, and lists those that differ', async () => {
  const here = shop('preview', 'kind: Deployment\nspec:\n  replicas: 3\n  name: web\n');
  const command = (...args: readonly string[]) => runCommand([...args, ...here.flags], { env: here.env });
  const change = async (path: string, value: string, ...more: readonly string[]) => {
    const { stdout } = await command('preview', 'a.yaml', path, value, '--json', ...more);
    return (await command('apply', String(JSON.parse(stdout).preview_id), '--json', ...more)).stdout;
  };
  const kinds = 'rules: [{ id: kinds, paths: kind, then: preview }]\n';
  const policy = tempRoot({ 'policy.yaml': POLICY, 'kinds.yaml': kinds });
  onTestFinished(() => policy.remove());
  await change('spec.replicas', '4');
  await change('spec.name', 'shop');
  await change('kind', 'Secret', '--policy', join(policy.dir, 'kinds.yaml'));
  const replay = (...more: readonly string[]) =>
    command('policy', 'replay', '--policy', join(policy.dir, 'policy.yaml'), ...more);
  const { status, stdout, stderr } = await replay();
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: '',
  });
  expect(stdout.split('\n')).toEqual([
    '1 preview, 1 human, 1 deny, of 3 kept changes.',
    expect.stringMatching(
      /^\d{4}-\S+ \S+ {2}ch_\w+ {2}was preview \(kinds\), now deny \(secrets\): a\.yaml$/,
    ),
    expect.stringMatching(/ was preview, now human \(default\): a\.yaml$/),
    '',
  ]);
  expect(JSON.parse((await replay('--json')).stdout)).toMatchObject({
    counts: { direct: 0, preview: 1, client: 0, human: 1, deny: 1 },
    changes: [
      { level: 'deny', by_rules: ['kinds'] },
      { level: 'human' },
      { level: 'preview', confirmed_by: 'preview', rules: ['replicas'] },
    ],
  });
});

it.each([
  { example: 'kubernetes', least: 40 },
  { example: 'recipes', least: 23 },
])(
  'the policy $example is without doubts, and says of each of its cases what it should',
  async ({ example: given, least }) => {
    const [name, tests] = [`${given}.yaml`, `${given}.cases.yaml`];
    const example = (file: string) => readFileSync(join(import.meta.dirname, '../../examples/policy', file));
    // As an operator keeps it: the clone may lie below a folder that others can write.
    const folder = tempRoot({ [name]: example(name), [tests]: example(tests) });
    onTestFinished(() => folder.remove());
    const policy = join(folder.dir, name);
    const lint = await run({}, ['policy', 'lint', policy]);
    expect(lint).toEqual({
      status: 0,
      stderr: '',
      stdout: expect.stringContaining('nothing found'),
    });
    const { status, stdout } = await run({}, [
      'policy',
      'test',
      join(folder.dir, tests),
      '--policy',
      policy,
      '--json',
    ]);
    const { ok, cases } = JSON.parse(stdout);
    expect(cases.filter((one: { readonly ok: boolean }) => !one.ok)).toEqual([]);
    expect({ status, ok }).toEqual({ status: 0, ok: true });
    expect(cases.length).toBeGreaterThanOrEqual(least);
  },
);

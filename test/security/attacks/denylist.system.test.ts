// Names that nobody may reach, in every spelling, through a real client and every tool that takes a file.
// The answer is the same to the letter whether the file exists or not.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startServer } from '../../harness/start-server.ts';
import { type Answer, attack, openSide, type Side, WITH_DOT_FILES } from './attack.ts';
import {
  DENIED_FILES,
  DENIED_PATTERNS,
  FINE_FILES,
  IGNORED_IN_GIT,
  SHORT_NAMES,
  SPELLINGS,
} from './deny-rows.ts';
import { CANARY } from './ground.ts';

const OPERATOR = ['prod/**', 'secrets', '*.secret.yaml', 'x[0-9]/y.yaml'];
const FLAGS = [...WITH_DOT_FILES, ...OPERATOR.flatMap((pattern) => ['--deny', pattern])];

let there: Side;
let missing: Side;

beforeAll(async () => {
  [there, missing] = await Promise.all([openSide(FLAGS), openSide(FLAGS)]);
});
afterAll(() => Promise.all([there.close(), missing.close()]));
afterEach(() => there.ground.refill());

/** All of them, on both sides; the files exist on one. */
async function expectDenied(files: readonly string[], isSweep = false): Promise<void> {
  const made = files.filter((file) => putAt(there.ground.root, file)).length;
  expect(made).toBeGreaterThan(0);
  const before = [there, missing].map(({ ground }) => [ground.sentinels(), ground.inside()]);
  const [answers, others] = await Promise.all([
    attack(there, files, isSweep),
    attack(missing, files, isSweep),
  ]);
  for (const answer of answers)
    expect(answer, `${answer.asked}: ${answer.code}`).toMatchObject({ code: 'PATH_DENIED', leaks: [] });
  expect(replies(answers)).toEqual(replies(others));
  expect([there, missing].map(({ ground }) => [ground.sentinels(), ground.inside()])).toEqual(before);
  // Neither listed nor counted.
  const lists = await Promise.all([there, missing].map(({ server }) => server.callTool('config_list')));
  expect(lists[0]).toEqual(lists[1]);
}

describe('a denied name', () => {
  it.each(SPELLINGS)('is denied $why ($id) [DIS-3]', async ({ of }) => {
    await expectDenied(DENIED_FILES.flatMap(of), true);
  });

  it.each(['.git/c.yaml', '.env', 'credentials.json'])(
    'is denied in every spelling and every way: %s',
    async (file) => {
      await expectDenied(SPELLINGS.flatMap(({ of }) => of(file)).slice(0, 30));
    },
  );

  it('is denied by how it starts or ends (DENY-011, DENY-012)', async () => {
    await expectDenied(
      DENIED_PATTERNS.flatMap((file) => [
        file,
        file.toUpperCase(),
        `a/${file}`,
        `${file}.`,
        `${file} `,
        `${file}::$DATA`,
      ]),
      true,
    );
  });

  it('is denied with any ignorable character in it (DENY-005)', () => expectDenied(IGNORED_IN_GIT, true));

  it('is denied under its short name (PATH-012)', () => expectDenied(SHORT_NAMES));

  it('is denied where it is a file: the .git of a submodule (DENY-017)', () =>
    expectDenied(['x/.git', '.git', 'x/.GIT', 'x/.git.']));

  it('is denied to a cursor and a pattern as well: nothing of it is listed (DENY-016)', async () => {
    for (const file of DENIED_FILES) putAt(there.ground.root, file);
    const { server } = there;
    for (const pattern of '**/* ** .git/* .git/** **/.git/* */* .* .env* **/{.git,a}/* ?git/*'.split(' ')) {
      const { data, text } = await server.callTool('config_list', { pattern });
      const files = Array.isArray(data['files']) ? data['files'].map(({ file }) => file) : [];
      expect(files.filter((file) => !['ok.yaml', 'a/b/deep.yaml'].includes(file))).toEqual([]);
      expect(text.replaceAll(pattern, '').replace('(keys, credentials)', '')).not.toMatch(
        /\.git|\.env|credential|id_rsa/,
      );
    }
  });

  it('is no part of another name (DENY-018)', async () => {
    for (const file of FINE_FILES) putAt(there.ground.root, file, 'a: 1\n');
    for (const answer of await attack(there, FINE_FILES)) {
      if (answer.asked.includes('.json')) continue;
      expect(answer, answer.asked).toMatchObject({ code: 'ok' });
    }
    const { data } = await there.server.callTool('config_list');
    const listed = JSON.stringify(data);
    for (const file of FINE_FILES) expect(listed).toContain(JSON.stringify(file));
  });
});

describe("the operator's list", () => {
  it('is matched by folded component, however the path is spelled (DENY-014)', () =>
    expectDenied([
      'prod/x.yaml',
      'PROD/x.yaml',
      'Prod/a/b/x.yaml',
      'prod//x.yaml',
      'prod/./x.yaml',
      './prod/x.yaml',
      'pro\uff44/x.yaml',
      'secrets/x.yaml',
      'a/secrets/x.yaml',
      'a/SECRETS/b.json',
      'a/b.secret.yaml',
      'B.SECRET.YAML',
      'x7/y.yaml',
      'X7/Y.yaml',
    ]));

  it('leaves what it does not name', async () => {
    putAt(there.ground.root, 'production/x.yaml', 'a: 1\n');
    expect(await there.server.callTool('config_get', { file: 'production/x.yaml' })).toMatchObject({
      isError: false,
    });
  });

  it('with a negation in it stops the command (DENY-015)', async () => {
    const { root } = there.ground;
    await expect(startServer({ root, flags: ['--deny', '!prod/**'] })).rejects.toThrow('did not start');
  });
});

describe('a file that is not on the allowlist', () => {
  it('is refused in the same words whether it exists or not', async () => {
    const files = 'notes.txt a.toml Makefile x.yaml.bak x.yamll yaml .yaml/x x.yaml~ a.exe'.split(' ');
    for (const file of files) putAt(there.ground.root, file);
    const [answers, others] = await Promise.all([attack(there, files), attack(missing, files)]);
    for (const { isCursor, ...answer } of answers) {
      expect(answer, answer.asked).toMatchObject({ code: isCursor ? 'ok' : 'PATH_DENIED', leaks: [] });
    }
    // A listing names the files that another --allow would open.
    const refused = (all: readonly Answer[]) => replies(all.filter(({ code }) => code === 'PATH_DENIED'));
    expect(refused(answers)).toEqual(refused(others));
  });
});

function replies(answers: readonly Answer[]): readonly string[] {
  return answers.map(({ reply }) => reply);
}

/** False where the disk cannot hold that name. */
function putAt(root: string, file: string, contents = `a: ${CANARY}\n`): boolean {
  try {
    mkdirSync(dirname(join(root, '/').concat(file)), { recursive: true });
    writeFileSync(join(root, '/').concat(file), contents);
    return true;
  } catch {
    return false;
  }
}

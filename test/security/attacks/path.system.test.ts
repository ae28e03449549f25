// Paths of agents that want out, through a real client and every tool that takes a file. Around every row
// the tree outside of the root stays as it was, to the nanosecond, and the answer tells nothing about it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunningServer } from '../../harness/start-server.ts';
import { attack, openSide, type Side, WITH_DOT_FILES } from './attack.ts';
import type { Ground } from './ground.ts';
import { LITERAL_NAMES, PATH_ROWS } from './path-rows.ts';

let there: Side;
let missing: Side;

beforeAll(async () => {
  [there, missing] = await Promise.all([openSide(WITH_DOT_FILES), openSide(WITH_DOT_FILES)]);
});
afterAll(() => Promise.all([there.close(), missing.close()]));

describe('a path that', () => {
  it.each(PATH_ROWS)(
    '$why is $code, whether anything stands there or not ($id)',
    async ({ inputs, code, ...row }) => {
      const put = row.namesOrdinaryFile === true ? [] : inputs(there.ground);
      // Of many, a few: every name in the root is looked at for the nearest one.
      for (const input of put.slice(0, 20)) putAt(there.ground, input);
      const before = [there, missing].map(({ ground }) => [ground.sentinels(), ground.inside()]);
      const [answers, others] = await Promise.all([
        attack(there, inputs(there.ground), row.isSweep),
        attack(missing, inputs(missing.ground), row.isSweep),
      ]);
      expect(answers.length).toBeGreaterThan(0);
      for (const { isCursor, isPattern, ...answer } of answers) {
        const cursorCode = row.isKnownToCursors === false ? 'ok' : expect.stringMatching(`${code}|ARGUMENT`);
        const patternCode = expect.stringMatching(`${code}|ARGUMENT_INVALID|FILE_NOT_FOUND`);
        const asked = isPattern ? patternCode : code;
        expect(answer, answer.asked).toMatchObject({ code: isCursor ? cursorCode : asked, leaks: [] });
      }
      // A listing counts the files that another --allow would open.
      const refused = (all: typeof answers) =>
        all.flatMap(({ code: had, reply }) => (had === 'ok' ? [] : reply));
      expect(refused(answers)).toEqual(refused(others));
      expect([there, missing].map(({ ground }) => [ground.sentinels(), ground.inside()])).toEqual(before);
      for (const { server } of [there, missing]) await expectAlive(server);
      there.ground.refill();
    },
  );

  it.each(LITERAL_NAMES)(
    '$why is a name like any other, and there is no such file ($id) [CON-1]',
    async ({ inputs }) => {
      const before = missing.ground.sentinels();
      for (const answer of await attack(missing, inputs)) {
        expect(answer, answer.asked).toMatchObject({
          leaks: [],
          code: answer.isCursor ? 'ok' : answer.isPattern ? expect.any(String) : 'FILE_NOT_FOUND',
        });
      }
      expect(missing.ground.sentinels()).toEqual(before);
      missing.ground.refill();
    },
  );

  it.each(LITERAL_NAMES)(
    '$why, where a file has that very name, leads to that file only ($id)',
    async ({ inputs }) => {
      const { ground, server } = there;
      const before = ground.sentinels();
      for (const [index, file] of inputs.entries()) {
        expect(putAt(ground, file, `a: ${index}\n`)).toBe(true);
        expect(await server.callTool('config_get', { file })).toMatchObject({ text: `a: ${index}\n` });
      }
      expect(ground.sentinels()).toEqual(before);
    },
  );
});

/** Puts a file at the very name, where the disk can hold it. */
function putAt(ground: Ground, input: string, contents = 'a: c4n4ry\n'): boolean {
  const isAbsolute = input.startsWith('/');
  const path = isAbsolute ? input : join(ground.root, '/').concat(input);
  // Names that lead out of the ground exist already, or are not ours to make.
  // Half a surrogate pair cannot be in a name: it would become another one.
  if (isAbsolute || input.split('/').includes('..') || !input.isWellFormed()) return false;
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, contents, { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}

async function expectAlive(server: RunningServer): Promise<void> {
  expect(await server.callTool('config_get', { file: 'ok.yaml' })).toMatchObject({ text: 'a: 1\n' });
}

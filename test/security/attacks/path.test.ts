// Paths of agents that want out, through a real client and every tool that takes a file. Around every row
// the tree outside of the root stays as it was, to the nanosecond, and the answer tells nothing about it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Outcome, type RunningServer, startServer } from '../../harness/start-server.ts';
import { codeIn, type Ground, leaksOf, makeGround } from './ground.ts';
import { LITERAL_NAMES, PATH_ROWS } from './path-rows.ts';
import { allWays, type Way } from './ways.ts';

interface Side {
  readonly ground: Ground;
  readonly server: RunningServer;
}

async function side(): Promise<Side> {
  const ground = makeGround();
  return { ground, server: await startServer({ root: ground.root, flags: ['--log-level', 'error'] }) };
}

let there: Side;
let missing: Side;
let ways: readonly Way[];

beforeAll(async () => {
  [there, missing] = await Promise.all([side(), side()]);
  ways = await allWays(there.server);
});

afterAll(async () => {
  for (const { server, ground } of [there, missing]) {
    await server.close();
    ground.remove();
  }
});

describe('a path that', () => {
  it.each(PATH_ROWS)('$why is $code, whether anything stands there or not ($id)', async ({ inputs, code, namesOrdinaryFile }) => {
    if (namesOrdinaryFile !== true) for (const input of inputs(there.ground)) putAt(there.ground, input);
    const before = [there, missing].map(({ ground }) => [ground.sentinels(), ground.inside()]);
    const [answers, others] = await Promise.all([
      attack(there, inputs(there.ground)),
      attack(missing, inputs(missing.ground)),
    ]);
    expect(answers.length).toBeGreaterThan(0);
    for (const answer of answers) expect(answer, answer.asked).toMatchObject({ code, leaks: [] });
    expect(answers.map(({ reply }) => reply)).toEqual(others.map(({ reply }) => reply));
    expect([there, missing].map(({ ground }) => [ground.sentinels(), ground.inside()])).toEqual(before);
    for (const { server } of [there, missing]) await expectAlive(server);
  });

  it.each(LITERAL_NAMES)('$why is a name like any other, and there is no such file ($id)', async ({ inputs }) => {
    const before = [missing.ground.sentinels(), missing.ground.inside()];
    for (const answer of await attack(missing, inputs)) {
      expect(answer, answer.asked).toMatchObject({ leaks: [], code: answer.isCursor ? 'ok' : 'FILE_NOT_FOUND' });
    }
    expect([missing.ground.sentinels(), missing.ground.inside()]).toEqual(before);
  });

  it.each(LITERAL_NAMES)('$why, where a file has that very name, leads to that file only ($id)', async ({ inputs }) => {
    const { ground, server } = there;
    const before = ground.sentinels();
    for (const [index, file] of inputs.entries()) {
      expect(putAt(ground, file, `a: ${index}\n`)).toBe(true);
      expect(await server.callTool('config_get', { file })).toMatchObject({ text: `a: ${index}\n` });
    }
    expect(ground.sentinels()).toEqual(before);
  });
});

interface Answer {
  readonly asked: string;
  readonly code: string;
  readonly leaks: readonly string[];
  /** The whole reply, with the place of this ground taken out. */
  readonly reply: Outcome;
  readonly isCursor: boolean;
}

async function attack({ ground, server }: Side, inputs: readonly string[]): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (const input of inputs) {
    for (const way of ways) {
      const outcome = await server.callTool(way.tool, way.arguments(input));
      answers.push({
        asked: `${way.name} ${JSON.stringify(input.slice(0, 100))}`,
        code: codeIn(outcome),
        leaks: leaksOf(outcome, ground, [input]),
        reply: { ...outcome, ...JSON.parse(JSON.stringify(outcome).replaceAll(ground.base, '<base>')) },
        isCursor: way.kind === 'cursor',
      });
    }
  }
  return answers;
}

/** Puts a file at the very name, where the disk can hold it. */
function putAt(ground: Ground, input: string, contents = 'a: c4n4ry\n'): boolean {
  const isAbsolute = input.startsWith('/');
  const path = isAbsolute ? input : join(ground.root, '/').concat(input);
  // Names that lead out of the ground exist already, or are not ours to make.
  if (isAbsolute || input.split('/').includes('..')) return false;
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

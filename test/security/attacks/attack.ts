// One side of an attack: a ground and a server over it. Every input goes every way.

import type { Outcome } from '../../harness/clients.ts';
import { count } from '../../harness/figures.ts';
import { type RunningServer, startServer } from '../../harness/start-server.ts';
import { CANARY, codeIn, type Ground, leaksOf, makeGround } from './ground.ts';
import { allWays, type Way } from './ways.ts';

export interface Side {
  readonly ground: Ground;
  readonly server: RunningServer;
  readonly ways: readonly Way[];
  close(): Promise<void>;
}

export interface Answer {
  /** Which tool was asked for what: for the message of a failed test. */
  readonly asked: string;
  readonly code: string;
  readonly leaks: readonly string[];
  /** The whole reply, with the place of this ground taken out. */
  readonly reply: string;
  readonly isCursor: boolean;
  /** Whether the tool takes it for a pattern: then it names whatever it matches. */
  readonly isPattern: boolean;
}

/** `prepare` lays out what must stand there before the server starts. */
/** Files that begin with a dot as well, so that what is said of their names is not only that they are off the list. */
export const WITH_DOT_FILES = [
  ...['--log-level', 'error', '--allow', '**/*.{yaml,yml,json}'],
  ...['--allow', '**/.*.{yaml,yml,json}', '--allow', '**/.*/**/*.{yaml,yml,json}'],
];

/** What is asked is what is answered, and not how fast this machine is at the moment. */
const PATIENT = ['--max-step-ms', '60000', '--max-call-ms', '120000'];

export async function openSide(
  flags: readonly string[] = ['--log-level', 'error'],
  prepare: (ground: Ground) => void = () => undefined,
): Promise<Side> {
  const ground = makeGround();
  prepare(ground);
  const server = await startServer({ root: ground.root, flags: [...PATIENT, ...flags] });
  const close = async (): Promise<void> => {
    await server.close();
    ground.remove();
  };
  return { ground, server, ways: await allWays(server), close };
}

/** The call that a preview offers. */
export function offered({ data }: Outcome): Readonly<Record<string, unknown>> {
  const { preview_id } = data;
  if (typeof preview_id !== 'string') throw new Error('the preview offers no call');
  return { preview_id };
}

/** `isSweep`: the inputs are many of one kind, and each goes one of the ways, in turn. */
export async function attack(
  { ground, server, ways }: Side,
  inputs: readonly string[],
  isSweep = false,
): Promise<readonly Answer[]> {
  const calls = inputs.flatMap((input, turn) =>
    ways.flatMap((way, index) => (isSweep && turn % ways.length !== index ? [] : { input, way })),
  );
  const answers: Answer[] = [];
  const before = ground.sentinels().join('\n');
  // Pipelined, and no more at a time than the client's pipe takes without a warning.
  while (calls.length > 0) {
    const some = calls.splice(0, 10).map(async ({ input, way }): Promise<Answer> => {
      const outcome = await server.callTool(way.tool, way.arguments(input));
      return {
        asked: `${way.name} ${JSON.stringify(input.slice(0, 100))}`,
        code: codeIn(outcome),
        leaks: leaksOf(outcome, ground, [input]),
        reply: JSON.stringify(outcome).replaceAll(ground.base, '<base>'),
        isCursor: way.kind === 'cursor',
        isPattern: way.tool === 'config_edit' && /[*?]|\{[^{}]*,/.test(input),
      };
    });
    answers.push(...(await Promise.all(some)));
  }
  count('attacks', answers.length);
  count('refused', answers.filter(({ code }) => code !== 'ok').length);
  count('canaries leaked', answers.filter(({ leaks }) => leaks.includes(CANARY)).length);
  count('escapes', ground.sentinels().join('\n') === before ? 0 : 1);
  return answers;
}

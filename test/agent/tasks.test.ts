// Tasks on a repository of configuration, as an agent does them: through a client over stdio, with nothing but the tools.
// Every file must be exactly what a careful person would have left.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Outcome } from '../harness/clients.ts';
import { type RunningServer, startServer } from '../harness/start-server.ts';

const Args = z.record(z.string(), z.unknown());
const Call = z.union([
  z.literal(['apply', 'follow']),
  z.strictObject({ revert: z.number() }),
  z.strictObject({
    tool: z.string(),
    args: Args.optional(),
    refused: z.string().optional(),
    says: z.array(z.string()).optional(),
  }),
]);
const Left = z.union([z.string(), z.array(z.tuple([z.string(), z.string()]))]);
const Task = z.strictObject({
  name: z.string(),
  /** How the operator has started the server, beside its root. */
  flags: z.array(z.string()).optional(),
  calls: z.array(Call),
  leaves: z.record(z.string(), Left),
});

const GROUPS = z
  .record(z.string(), z.array(Task))
  .parse(parse(readFileSync(join(import.meta.dirname, 'tasks.yaml'), 'utf8')));
const REPOSITORY = join(import.meta.dirname, 'repository');
const FILES = filesBelow(REPOSITORY);
const FLAGS = ['**/*.{yaml,json,conf}', '**/.github/**/*.yaml'].flatMap((glob) => ['--allow', glob]);
const TASKS = Object.entries(GROUPS).flatMap(([group, tasks]) => tasks.map((task) => ({ group, ...task })));

it('there are at least 60 tasks, 25 of them with a typical mistake', () => {
  expect(TASKS.length).toBeGreaterThanOrEqual(60);
  expect(GROUPS['mistakes']?.length).toBeGreaterThanOrEqual(25);
});

describe('an agent', () => {
  /** By its flags: each serves one task after the other, as one that runs for days would. */
  const servers = new Map<string, Promise<RunningServer>>();
  afterAll(async () => {
    for (const server of servers.values()) await (await server).close();
  });

  it.each(TASKS)('$group: $name', async ({ calls, leaves, flags = [] }) => {
    const key = flags.join(' ');
    const starting = servers.get(key) ?? startServer({ files: {}, flags: [...FLAGS, ...flags] });
    servers.set(key, starting);
    const server = await starting;
    putFiles(server.root, FILES);
    let last: Outcome = { isError: false, text: '', data: {} };
    for (const call of calls) last = await make(server, call, last);
    expect(filesBelow(server.root)).toEqual(expected(leaves));
  });
});

/** These and no others. */
function putFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

async function make(server: RunningServer, call: z.infer<typeof Call>, last: Outcome): Promise<Outcome> {
  if (call === 'apply') {
    const preview = last.data['preview_id'];
    expect(preview, last.text).toBeTypeOf('string');
    return succeed(await server.callTool('config_apply', { preview_id: preview }));
  }
  if (call === 'follow') {
    const { tool, args } = firstStep(last);
    return succeed(await server.callTool(tool, args));
  }
  if ('revert' in call) {
    const history = succeed(await server.callTool('config_history'));
    const ids = [...new Set(history.text.match(/\bch_\w+/gu))];
    return succeed(await server.callTool('config_revert', { change_id: ids[call.revert] }));
  }
  const outcome = await server.callTool(call.tool, call.args);
  if (call.refused === undefined) succeed(outcome);
  else expect(outcome.text).toMatch(new RegExp(`^${call.refused}:`, 'u'));
  for (const said of call.says ?? []) {
    expect(outcome.text).toContain(said);
    expect(strings(outcome.data).join('\n')).toContain(said);
  }
  return outcome;
}

function succeed(outcome: Outcome): Outcome {
  expect(outcome.isError, outcome.text).toBe(false);
  return outcome;
}

function firstStep({ data, text }: Outcome): {
  readonly tool: string;
  readonly args: Record<string, unknown>;
} {
  const { error } = data as {
    error?: { again?: { tool?: string; arguments?: Record<string, unknown> } };
  };
  const step = error?.again;
  if (step?.tool === undefined) throw new Error(`no step to follow: ${text}`);
  return { tool: step.tool, args: step.arguments ?? {} };
}

/** Every text and number in it, for a client that shows a model nothing else. */
function strings(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...strings(inner)]);
}

function expected(leaves: z.infer<typeof Task>['leaves']): Record<string, string> {
  const files = { ...FILES };
  for (const [file, left] of Object.entries(leaves)) {
    if (left === 'deleted') delete files[file];
    else files[file] = typeof left === 'string' ? left : swapped(files[file] ?? '', left);
  }
  return files;
}

function swapped(text: string, swaps: readonly (readonly [string, string])[]): string {
  return swaps.reduce((result, [old, now]) => {
    const pieces = result.split(old);
    if (pieces.length !== 2)
      throw new Error(`${JSON.stringify(old)} stands there ${pieces.length - 1} times`);
    return pieces.join(now);
  }, text);
}

function filesBelow(folder: string): Record<string, string> {
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = found.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return Object.fromEntries(paths.map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]));
}

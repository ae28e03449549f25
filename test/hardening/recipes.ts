// The recipes of docs/hardening.md as they stand there, with their paths led to where the test's things are.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { sectionOf } from '../documents/tables.ts';
import { tempRoot } from '../harness/temp-root.ts';

export const HOME = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/u, '');
const DOCUMENT = join(HOME, 'docs/hardening.md');
export const ESCAPE = 'test/hardening/children/escape.mjs';

/** What stands in the code block between the markers of that name. */
export function recipe(name: string): string {
  const section = sectionOf(readFileSync(DOCUMENT, 'utf8'), name) ?? '';
  const block = /^```\w+\n(.*)^```$/ms.exec(section)?.[1];
  if (block === undefined) throw new Error(`docs/hardening.md has no recipe ${name}`);
  return block;
}

/** What the recipe must also let through here: a Node outside of /usr, packages behind a link. */
export function alsoNeeded(): readonly string[] {
  const packages = realpathSync(join(HOME, 'node_modules'));
  const node = dirname(dirname(realpathSync(process.execPath)));
  return [
    ...(packages.startsWith(`${HOME}/`) ? [] : [packages]),
    ...(node === '/usr' || node.startsWith('/usr/') ? [] : [node]),
  ];
}

/** Written where a client can start it, as an operator would save it. */
export function saved(script: string, folder: string, name: string): string {
  const file = join(folder, name);
  writeFileSync(file, script);
  chmodSync(file, 0o755);
  return file;
}

/** For a client that adds node, program and root by itself: the recipe names them, so they are dropped. */
export function asLauncher(file: string, ...flags: readonly string[]): readonly string[] {
  return ['/bin/sh', '-c', `exec "$0" ${flags.join(' ')}`, file];
}

export const Report = z.strictObject({
  reads: z.record(z.string(), z.string()),
  writes: z.record(z.string(), z.string()),
  creates: z.record(z.string(), z.string()),
  connect: z.string(),
  interfaces: z.array(z.string()),
  signal: z.string(),
  processes: z.number(),
  environment: z.array(z.string()),
  status: z.string(),
});
export type Report = z.infer<typeof Report>;

export interface Plan {
  readonly reads: readonly string[];
  readonly writes: readonly string[];
  readonly creates: readonly string[];
  readonly port: number;
  readonly pid: number;
}

/** What a hostile program reports that was started by `command`, with the plan behind it. */
export function escapeReport(command: string, args: readonly string[], plan: Plan): Report {
  const { stdout, stderr, status } = spawnSync(command, [...args, JSON.stringify(plan)], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] ?? '', CLIENT_SECRET: 'in the environment' },
  });
  if (status !== 0) throw new Error(`the program did not get to report: ${stderr}`);
  return Report.parse(JSON.parse(stdout));
}

export const SOURCE = 'name: web # kept\nreplicas: 2\n';

export interface Ground {
  /** With `config` for a root, an empty `state`, and `outside`, which no box may let through. */
  readonly dir: string;
  /** A port of the host that answers whoever reaches it. */
  readonly port: number;
  remove(): void;
}

export async function openGround(): Promise<Ground> {
  const place = tempRoot({ 'config/web.yaml': SOURCE, 'outside/secret.yaml': 'secret: 1\n' });
  mkdirSync(join(place.dir, 'state'), { mode: 0o700 });
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const remove = (): void => {
    server.close();
    place.remove();
  };
  return { dir: place.dir, port: address.port, remove };
}

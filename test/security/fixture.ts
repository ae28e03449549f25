// A root, a sentinel tree outside it, and a sandbox over the root that logs to a file beside both.
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createLog } from '../../src/security/audit/log.ts';
import type { Containment } from '../../src/security/containment/held.ts';
import type { Change } from '../../src/security/edits/edit.ts';
import { fileWriteOf, VerifiedEdit } from '../../src/security/edits/verified-edit.ts';
import { NO_RULES } from '../../src/security/policy/change-policy.ts';
import { DEFAULT_LIMITS, DEFAULT_MASKING, type Policy } from '../../src/security/policy/policy.ts';
import { openSandbox } from '../../src/security/sandbox/open-sandbox.ts';
import type { Sandbox } from '../../src/security/sandbox/sandbox.ts';
import { backendOf } from '../../src/security/state/backend.ts';
import { openState, type State, type StateSource } from '../../src/security/state/state.ts';
import { recoverRoots } from '../../src/security/writer/commit.ts';
import { directWrite } from '../harness/change-draft.mjs';
import { jsonLines } from '../harness/json-lines.ts';
import { tempRoot } from '../harness/temp-root.ts';

export { codeOf, codeOfLater, refusalOf, refusalOfLater } from '../harness/refusals.ts';

/** Both walks run on Linux; `checked` too, though nothing but Windows would choose it. */
export const CONTAINMENTS: readonly Containment[] = ['fd-walk', 'cwd-walk', 'checked'];

export interface Place {
  readonly base: string;
  readonly root: string;
  readonly outside: string;
  /** Where its state is kept. */
  readonly kept: StateSource['location'];
  /** Writes a file below `base`, making its folders. */
  write(file: string, contents: string | Uint8Array, mode?: number): string;
  policy(changes?: Partial<Policy>): Policy;
  open(containment?: Containment, changes?: Partial<Policy>): Sandbox;
  /** As a server opens it: what killed processes left is brought in order first. */
  start(containment?: Containment, changes?: Partial<Policy>): Promise<Sandbox>;
  /** What is kept beside the root; opened once. */
  state(): Promise<State>;
  /** As a direct write; answers the id of the change. */
  commit(
    sandbox: Sandbox,
    edits: readonly VerifiedEdit[],
    requestId?: string,
    state?: State,
  ): Promise<string>;
  /** The log so far, parsed line by line. */
  logged(): Record<string, unknown>[];
}

/** `parent`: where to make it, if not among the temporary files. */
export function place(parent?: string): Place {
  const { dir: base, remove } = tempRoot({}, parent);
  onTestFinished(remove);
  const [root, outside, logFile] = [join(base, 'root'), join(base, 'outside'), join(base, 'log.jsonl')];
  onTestFinished(() => closeAllAt(logFile));
  for (const folder of [root, outside]) mkdirSync(folder);
  writeFileSync(join(outside, 's.yaml'), 'secret: sentinel\n');
  const policy = (changes: Partial<Policy> = {}): Policy => ({
    roots: [{ name: undefined, dir: root }],
    readOnly: false,
    allow: ['**/*.{yaml,yml,json}', '**/.*.{yaml,yml,json}', '**/.*/**/*.{yaml,yml,json}'],
    deny: [],
    limits: DEFAULT_LIMITS,
    schemas: [],
    allowBroadRoot: false,
    approval: 'direct',
    changes: NO_RULES,
    verify: 'fast',
    masking: DEFAULT_MASKING,
    ...changes,
  });
  const open = (containment?: Containment, changes?: Partial<Policy>) => {
    const log = createLog({ level: 'info', format: 'json', file: logFile });
    const sandbox = openSandbox(policy(changes), log, containment);
    onTestFinished(() => sandbox.close());
    return sandbox;
  };
  let state: Promise<State> | undefined;
  const stateNow = () => {
    state ??= openState(
      { location: { directory: join(base, 'state') } },
      policy(),
      createLog({ level: 'info', format: 'json', file: logFile }),
    );
    return state;
  };
  onTestFinished(async () => (await state)?.dir?.close());
  return {
    base,
    root,
    outside,
    kept: { directory: join(base, 'state') },
    write: (file, contents, mode = 0o644) => {
      const path = join(base, file);
      mkdirSync(join(path, '..'), { recursive: true });
      writeFileSync(path, contents, { mode });
      return path;
    },
    policy,
    open,
    start: async (containment, changes) => {
      const sandbox = open(containment, changes);
      await recoverRoots(sandbox, changes?.readOnly === true ? undefined : await stateNow());
      return sandbox;
    },
    state: stateNow,
    commit: async (sandbox, edits, requestId, kept) =>
      backendOf(kept ?? (await stateNow()), sandbox).write(directWrite(edits, fileWriteOf, requestId)),
    logged: () => jsonLines(readFileSync(logFile, 'utf8')),
  };
}

/** A log stays open as long as its process, which runs many tests. */
function closeAllAt(file: string): void {
  const own = '/proc/self/fd';
  for (const fd of existsSync(own) ? readdirSync(own) : []) {
    // That of the listing itself is closed by now.
    const link = join(own, fd);
    if (existsSync(link) && readlinkSync(link) === file) closeSync(Number(fd));
  }
}

/** Everything below a folder: names, modes, link targets and contents, as one hash. */
export function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    const stat = lstatSync(path);
    hash.update(`${name} ${stat.mode}\n`);
    if (stat.isSymbolicLink()) hash.update(readlinkSync(path));
    else if (stat.isDirectory()) hash.update(fingerprint(path));
    else if (stat.isFile()) hash.update(readFileSync(path));
  }
  return hash.digest('hex');
}

const CHANGE: Change = { op: 'replace', doc: 0, path: 'a', line: 1 };

/** Replaces the whole text; a stand-in for what an adapter would prove. */
export function rewritten(sandbox: Sandbox, file: string, text: string): VerifiedEdit {
  const snapshot = sandbox.open(sandbox.parse(file)).read();
  return VerifiedEdit.prove(snapshot, [{ start: 0, end: snapshot.text.length, insert: text }], () => [
    CHANGE,
  ]);
}

/** Waits for the first output of a child; throws where it ends without any, instead of waiting for ever. */
export async function started(child: ChildProcessWithoutNullStreams): Promise<void> {
  const complaint: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => complaint.push(chunk));
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the child ended: ${Buffer.concat(complaint).toString().slice(0, 500)}`);
  });
  await Promise.race([once(child.stdout, 'data'), ended]);
  ended.catch(() => {});
}

/** Names in a folder that are config-airlock's own: there must be none after any call. */
export function leftovers(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('.config-airlock'));
}

export const isRoot = process.geteuid?.() === 0;

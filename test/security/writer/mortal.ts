// A commit that dies at one of its calls to the disk, inside of this process, and whoever comes next. What it leaves is
// what a killed process leaves: no call of it reaches the disk any more, and nobody lives who has its number.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifiedEdit } from '../../../src/security/edits/verified-edit.ts';
import { contextOf, type Sandbox, sandboxOn } from '../../../src/security/sandbox/sandbox.ts';
import { backendOf, newestFirst } from '../../../src/security/state/backend.ts';
import type { State } from '../../../src/security/state/state.ts';
import { onDiskCalls } from '../../harness/disk-calls.mjs';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { type Place, place, rewritten } from '../fixture.ts';
import { counted, type Heed } from './counted.ts';

const NOBODY = 4_194_304; // above the largest pid that Linux gives out
const MODE = 0o640;

export interface Ground extends Place {
  readonly files: readonly string[];
  readonly sandbox: Sandbox;
  readonly edits: readonly VerifiedEdit[];
}

/** Those files with `old` in them, about to become `new: …`. */
export async function ground(files: readonly string[]): Promise<Ground> {
  const here = place(memoryDisk());
  for (const file of files) here.write(`root/${file}`, 'old\n', MODE);
  const sandbox = here.open();
  await here.state();
  const edits = files.map((file) => rewritten(sandbox, file, `new: ${file}\n`));
  return { ...here, files, sandbox, edits };
}

/** With every call in the root, and each of a commit to the state, told to `heed`. */
export async function committing(here: Ground, heed: Heed, state?: State): Promise<string> {
  const { roots, ...context } = contextOf(here.sandbox);
  const told = roots.map((root) => ({ ...root, directory: counted(root.directory, heed) }));
  const sandbox = sandboxOn({ ...context, roots: told });
  return here.commit(sandbox, here.edits, undefined, toldState(state ?? (await here.state()), heed));
}

/** What a commit asks of the store comes before `heed` as a call, too. */
function toldState(state: State, heed: Heed): State {
  const store = new Proxy(state.store, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return async (...args: readonly unknown[]) => {
        heed(String(key), '');
        return Reflect.apply(member, target, args);
      };
    },
  });
  return { ...state, store };
}

/**
 * A commit or a recovery that does not live to make that change of any disk, nor any of its state; answers whether it ended
 * before. `act` is given a state that dies with it.
 */
export async function dying(
  here: Place,
  act: (state: State) => Promise<unknown>,
  isLast: (step: number, call: string) => boolean,
): Promise<boolean> {
  let step = 0;
  let isDead = false;
  const die = (call: string): void => {
    step += 1;
    isDead ||= isLast(step, call);
    if (isDead) throw new Error('dead');
  };
  const state = toldState(await here.state(), (call) => die(call));
  const stop = onDiskCalls((name, args) => die(callOf(name, args)));
  try {
    await act(state);
  } catch (error) {
    if (!isDead) throw error;
  } finally {
    stop();
  }
  bury(here);
  return !isDead;
}

/** `rename .new a.yaml`, without the folders and the random part of each name. */
function callOf(name: string, args: readonly unknown[]): string {
  const names = args.filter((arg) => typeof arg === 'string' && arg.startsWith('/'));
  const last = names.map((path) => String(path).split('/').at(-1) ?? '');
  return [name.replace('Sync', ''), ...last.map(plain)].join(' ');
}

/** When a batch of `a.yaml` and `b.yaml` died. */
const DIED = {
  'before its record': /^begin$/u,
  'before its first file': /^rename .new a.yaml$/u,
  'between its files': /^rename .new b.yaml$/u,
  'after its last file': /^end$/u,
} as const;

export async function died(when: keyof typeof DIED, files: readonly string[]): Promise<Ground> {
  const here = await ground(files);
  const isOver = await dying(
    here,
    (state) => committing(here, () => {}, state),
    (_step, call) => DIED[when].test(call),
  );
  if (isOver) throw new Error(`it did not die ${when}`);
  return here;
}

/** The calls in the root that a whole run makes, with the random part of each name left out. */
export async function callsOf(act: (heed: Heed) => Promise<unknown>): Promise<readonly string[]> {
  const calls: string[] = [];
  await act((call, name) => calls.push(`${call} ${plain(name)}`.trim()));
  return calls;
}

export function plain(name: string): string {
  return name.replace(/\.config-airlock/gu, '').replace(/-[0-9a-f]{24}|[0-9a-f]{32}/gu, '');
}

/** What it left names a process that there is none of. */
export function bury(here: Place): void {
  for (const name of allOwn(here)) {
    const path = join(here.root, name);
    const text = statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
    if (text.startsWith('{')) writeFileSync(path, text.replace(`"pid":${process.pid}`, `"pid":${NOBODY}`));
  }
}

/**
 * The names of ours that are left, below any folder. The lock of a dead process, and what it took to make it, may stay until
 * somebody deletes them: they hold nothing up.
 */
export function own(here: Place): readonly string[] {
  return allOwn(here).filter((name) => !/\.lock(?:\.\w+)?$|\.draft$/u.test(name));
}

function allOwn({ root }: Place): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.includes('.config-airlock')).sort();
}

/** The path of the one whose name ends like that. */
export function ownNamed(here: Place, end: string): string {
  const [name, ...more] = allOwn(here).filter((each) => each.endsWith(end));
  if (name === undefined || more.length > 0) throw new Error(`there are others than one ${end}`);
  return join(here.root, name);
}

/** `old`, `new`, or what else there is: all of it, in the order of the files. */
export function states(here: Ground): string {
  const found = here.files.map((file) => {
    const path = join(here.root, file);
    const text = readFileSync(path, 'utf8');
    if ((statSync(path).mode & 0o7777) !== MODE) return 'another mode';
    return text === 'old\n' ? 'old' : text === `new: ${file}\n` ? 'new' : 'torn';
  });
  return [...new Set([...found, ...own(here)])].join(' and ');
}

/** How the changes that are kept have ended, newest first. */
export async function changesIn(here: Place): Promise<readonly string[]> {
  const states: string[] = [];
  for await (const { state } of newestFirst(backendOf(await here.state(), here.open()))) states.push(state);
  return states;
}

// A commit that dies at one of its calls to the disk, inside of this process, and whoever comes next. What it leaves is
// what a killed process leaves: no call of it reaches the disk any more, and nobody lives who has its number.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { pinRoot } from '../../../src/security/containment/choose.ts';
import { type HeldDirectory, walk } from '../../../src/security/containment/held.ts';
import { createLog, type Log, Refusal, SafePath, VerifiedEdit } from '../../../src/security/index.ts';
import { lockFolder } from '../../../src/security/locking/lock.ts';
import { ReadCache } from '../../../src/security/sandbox/read-cache.ts';
import { readSnapshot } from '../../../src/security/sandbox/snapshot.ts';
import { type CommitContext, commit } from '../../../src/security/writer/commit.ts';
import { Recovery, type RecoveryContext } from '../../../src/security/writer/recovery.ts';
import { sweep } from '../../../src/security/writer/sweep.ts';
import { jsonLines } from '../../harness/json-lines.ts';
import { memoryDisk } from '../../harness/memory-disk.ts';
import { type Place, place } from '../fixture.ts';
import { counted, type Heed } from './counted.ts';

const NOBODY = 4_194_304; // above the largest pid that Linux gives out
const MODE = 0o640;

export interface Ground extends Place {
  readonly files: readonly string[];
  readonly directory: HeldDirectory;
  readonly edits: readonly VerifiedEdit[];
}

/** Those files with `old` in them, about to become `new: …`. */
export function ground(files: readonly string[]): Ground {
  const here = place(memoryDisk());
  for (const file of files) here.write(`root/${file}`, 'old\n', MODE);
  const directory = pinRoot('fd-walk', here.root);
  onTestFinished(() => directory.close());
  return { ...here, files, directory, edits: files.map((file) => edited(directory, file)) };
}

/** As a sandbox would have it proven; to open one for each death takes longer than all else. */
function edited(root: HeldDirectory, file: string): VerifiedEdit {
  const path = SafePath.parse(file, [undefined]);
  const folder = walk(root, path.components.slice(0, -1), file);
  const entry = folder.hold(path.components.at(-1) ?? '');
  if (entry === undefined) throw new Error('the file is there');
  const snapshot = readSnapshot({ fileSizeBytes: 1_000, readCache: new ReadCache(1_000) }, path, entry);
  entry.close();
  if (folder !== root) folder.close();
  const whole = { start: 0, end: snapshot.text.length, insert: `new: ${file}\n` };
  return VerifiedEdit.prove(snapshot, [whole], () => [{ op: 'replace', doc: 0, path: 'a', line: 1 }]);
}

/** Keeps what it is told in a file, and says nothing on stderr unless it is a notice. */
export function logIn(here: Place, name: string): Log {
  return createLog({ level: 'info', format: 'json', file: join(here.base, `${name}.jsonl`) });
}

const silence = createLog({ level: 'error', format: 'json', isSilent: true });

/** `limitBytes` and the rest as for one root without a name that holds everything. */
export function recovering(here: Ground, changes: Partial<RecoveryContext> = {}): Recovery {
  return new Recovery({
    log: silence,
    limitBytes: 1_000,
    rootNamed: () => here.directory,
    isAdmitted: () => true,
    isFolderVisible: () => true,
    ...changes,
  });
}

/** With every call to the disk told to `heed`. */
export function committing(here: Ground, heed: Heed, changes: Partial<CommitContext> = {}): void {
  const root = counted(here.directory, heed);
  commit(here.edits, {
    policy: here.policy(),
    log: silence,
    rootOf: () => root,
    recovery: recovering(here, { rootNamed: () => root }),
    about: {},
    ...changes,
  });
}

/** As a server that starts does, which has the right to write. */
export function tidying(here: Ground, heed: Heed = () => {}, changes: Partial<RecoveryContext> = {}): void {
  const root = counted(here.directory, heed);
  const recovery = recovering(here, { rootNamed: () => root, ...changes });
  sweep([{ name: undefined, directory: root }], () => true, { recovery, log: changes.log ?? silence });
}

/** Runs it until that call, which it does not live to make; answers whether it ended before. */
export function dying(
  here: Ground,
  act: (heed: Heed) => void,
  isLast: (step: number, call: string) => boolean,
): boolean {
  let step = 0;
  let isDead = false;
  try {
    act((call, name) => {
      step += 1;
      isDead ||= isLast(step, `${call} ${plain(name)}`);
      if (isDead) throw new Error('dead');
    });
  } catch (error) {
    if (!isDead) throw error;
  }
  bury(here);
  return !isDead;
}

/** Before which call a batch of `a.yaml` and `b.yaml` died. */
const DIED = {
  undecided: 'link .draft .journal',
  decided: 'rename .0.new a.yaml',
  half: 'rename .1.new b.yaml',
  done: 'unlink .0.old',
} as const;

export function died(when: keyof typeof DIED, files: readonly string[]): Ground {
  const here = ground(files);
  dying(
    here,
    (heed) => committing(here, heed),
    (_step, call) => call === DIED[when],
  );
  return here;
}

/** The calls that a whole run makes, with the random part of each name left out. */
export function callsOf(act: (heed: Heed) => void): readonly string[] {
  const calls: string[] = [];
  act((call, name) => calls.push(`${call} ${plain(name)}`.trim()));
  return calls;
}

export function plain(name: string): string {
  return name.replace(/\.config-airlock/gu, '').replace(/-[0-9a-f]{24}|[0-9a-f]{32}/gu, '');
}

/** What it left names a process that there is none of. */
export function bury(here: Place): void {
  for (const name of own(here)) {
    const path = join(here.root, name);
    const text = statSync(path).isFile() ? readFileSync(path, 'utf8') : '';
    if (text.startsWith('{')) writeFileSync(path, text.replace(`"pid":${process.pid}`, `"pid":${NOBODY}`));
  }
}

/** The names of ours that are left, below any folder. */
export function own({ root }: Place): readonly string[] {
  const names = readdirSync(root, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.includes('.config-airlock')).sort();
}

/** The path of the one whose name ends like that. */
export function ownNamed(here: Place, end: string): string {
  const [name, ...more] = own(here).filter((each) => each.endsWith(end));
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

/** What that log was told, without the time. */
export function told(here: Place, name: string): readonly Record<string, unknown>[] {
  const lines = jsonLines(readFileSync(join(here.base, `${name}.jsonl`), 'utf8'));
  return lines.map(({ time: _time, ...record }) => record);
}

/** As somebody who wants to write in that folder; answers what he and the log are told. Leaves nothing open. */
export function locking(here: Ground, folder: string, changes: Partial<RecoveryContext> = {}) {
  const recovery = recovering(here, { log: logIn(here, 'recovery'), ...changes });
  const directory = walk(here.directory, [folder], '');
  const at = { name: { root: undefined, path: [folder] }, directory };
  const open = readdirSync('/proc/self/fd').length;
  const settled: boolean[] = [];
  const recover = (intent: Parameters<Recovery['recover']>[1]) => {
    const isRecovered = recovery.recover(at, intent);
    settled.push(isRecovered);
    return isRecovered;
  };
  let refusal: Refusal | undefined;
  try {
    lockFolder(directory, { waitMs: 0, recover }).release();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    refusal = error;
  }
  expect(readdirSync('/proc/self/fd')).toHaveLength(open);
  directory.close();
  return { refusal, settled, log: told(here, 'recovery') };
}

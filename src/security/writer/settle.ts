// The one way back of a write: after an error in it, and later for what a dead process left. If all files are new, the write counts as
// applied. If one is neither old nor new, nothing is touched, and what came of it is unknown. Otherwise what is new is put back, so
// that the preview can be applied again. Only the journal of this machine says what was old and what is new.
import { canonicalJson } from '../../state/canonical.ts';
import { StateFault, Turns } from '../../state/driver.ts';
import type { Event, PreviewStatus } from '../../state/event.ts';
import type { OpenWrite } from '../../state/previews.ts';
import type { Store } from '../../state/store.ts';
import type { Log } from '../audit/log.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { ignoring, ioRefusal, Refusal, unlessRefused } from '../errors/refusal.ts';
import { closing, type FileFacts } from '../fs/ambient-fs.ts';
import { unlinkIfThere } from '../locking/lock-owner.ts';
import { tempNameOf } from '../paths/denylist.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { readStable } from '../sandbox/plain-file.ts';
import { sha256 } from '../sandbox/read-cache.ts';
import { Folders, type HeldFolder } from './folders.ts';
import type { Journal, JournalEntry, JournalFile } from './journal.ts';
import { publishAll, Replacement, writeAllNew } from './replacement.ts';

/** What the writes of a server have in common. */
export interface WriteContext {
  readonly store: Pick<Store, 'begin' | 'end' | 'open' | 'statusOf'>;
  /** The journal of this machine for these roots and this state. */
  readonly journal: Journal;
  /** The hash by which the state knows the roots. */
  readonly roots: string;
  readonly rootOf: (path: SafePath) => HeldDirectory;
  readonly parse: (path: string) => SafePath;
  /** Parses the file of a record. Throws if the present policy does not admit it. */
  readonly admitted: (file: string) => SafePath;
  readonly fileSizeBytes: number;
  readonly log: Log;
  readonly now: () => Date;
}

export type Outcome = 'applied' | 'rolled_back' | 'unknown';

export interface Settled {
  /** Undefined for a write that was not begun, or has ended before. */
  readonly outcome: Outcome | undefined;
  /** True if the state knows the end, so that the journal may forget the write. */
  readonly isOver: boolean;
}

/** What the process that writes knows of its own write. */
export interface Attempt {
  /** The number of files that it has renamed, from the first on. */
  readonly published: number;
  /** The code of the refusal that ended it. */
  readonly code: string;
}

const STATES = { applied: 'finished', rolled_back: 'undone', unknown: 'conflict' } as const;

/**
 * Settles the writes of this machine that have one of these files; without `files`, all of them. Never throws: what cannot be settled
 * stays open, and is logged unless its process is alive.
 */
export async function settleAll(context: WriteContext, files?: ReadonlySet<string>): Promise<void> {
  for (const key of context.journal.keys()) await settleKept(key, context, files);
}

async function settleKept(
  key: string,
  context: WriteContext,
  files: ReadonlySet<string> | undefined,
): Promise<void> {
  const { journal, log } = context;
  const folders = new Folders(context.rootOf);
  let known: JournalEntry | undefined;
  let isOver = false;
  try {
    known = journal.read(key);
    if (known === undefined || !(files === undefined || known.files.some(({ file }) => files.has(file))))
      return;
    const { outcome, ...settled } = await settle(known, folders, context);
    isOver = settled.isOver;
    if (outcome === undefined) return;
    const fields = { state: STATES[outcome], count: known.files.length, file: known.files[0]?.file };
    log.notice(outcome === 'unknown' ? 'error' : 'warn', 'recovered', fields);
  } catch (error) {
    const code = ignoring('all', () => ioRefusal('settle the write', error).code) ?? 'INTERNAL';
    // A process that is alive has the locks.
    if (code !== 'BUSY') log.notice('error', 'recovery_waiting', { code, file: known?.files[0]?.file });
  } finally {
    folders.release();
    // The folders that were made are removed by then.
    if (isOver) ignoring('all', () => journal.remove(key));
  }
}

/** Settles a write, and records its end. Throws if that fails; the files that were not put back then stay as they are. */
export async function settle(
  entry: JournalEntry,
  folders: Folders,
  context: WriteContext,
  attempt?: Attempt,
): Promise<Settled> {
  const held = entry.files.map(({ file }) => heldFor(context.admitted(file), folders));
  await folders.lockAll(0);
  // The process that had the locks before may have settled it.
  if (!context.journal.has(entry.key)) return { outcome: undefined, isOver: false };
  for (const [index, folder] of held.entries()) removeTemporary(entry.key, index, folder);
  const state = attempt === undefined ? stateIn(await statusIn(entry, context), entry) : 'open';
  if (state === 'ended') return { outcome: undefined, isOver: true };
  const outcome =
    state === 'open' ? await putBack(entry, { held, folders, published: attempt?.published }) : undefined;
  if (outcome === undefined || outcome === 'rolled_back')
    for (const folder of entry.folders) folders.removeAtRelease(context.parse(folder));
  if (outcome === undefined) return { outcome, isOver: true };
  const more = attempt === undefined ? ({ settled: true } as const) : { code: attempt.code };
  return { outcome, isOver: await recordEnd(entry.begun, outcome, context, more) };
}

function statusIn({ begun: { about = '' } }: JournalEntry, { store }: WriteContext): Promise<PreviewStatus> {
  return store.statusOf(about);
}

/** Returns what the state says of exactly this write; another one of the same preview was begun by another event. */
function stateIn({ write, begun }: PreviewStatus, entry: JournalEntry): 'open' | 'ended' | 'not begun' {
  if (begun === undefined || canonicalJson(begun.event) !== canonicalJson(entry.begun)) return 'not begun';
  return write === 'open' ? 'open' : 'ended';
}

/** Records the end of a write. Returns false if the state fails; the write is settled later, which finds the files as they are. */
export async function recordEnd(
  begun: Event,
  type: Outcome,
  { store, log, now }: WriteContext,
  more: Pick<Event, 'code' | 'settled'> = {},
): Promise<boolean> {
  const { by_rules: _, about, ...said } = begun;
  const fields = { change: about, status: type };
  try {
    const end = await store.end({ ...said, ...more, about: about ?? '', type, time: now().toISOString() });
    log.anchor('change_recorded', end, fields);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof StateFault)) throw error;
    log.event('error', 'audit_outcome_lost', { change: about });
    return false;
  }
}

/** Returns an open write, of any machine, that has one of these files. */
export async function openWriteOf(
  files: ReadonlySet<string>,
  { store, roots }: WriteContext,
): Promise<OpenWrite | undefined> {
  const open = await store.open();
  return open.find((write) => write.roots === roots && write.files.some((file) => files.has(file)));
}

/** Holds the folder; undefined if it is gone, with everything in it. */
function heldFor(path: SafePath, folders: Folders): Place {
  const folder = unlessRefused(() => folders.hold(path), ['FILE_NOT_FOUND', 'SYMLINK_REFUSED']);
  return { path, folder };
}

interface Place {
  readonly path: SafePath;
  readonly folder: HeldFolder | undefined;
}

/** What is at the path of a file. */
interface Found {
  readonly state: 'old' | 'new' | 'other';
  readonly facts: FileFacts | undefined;
}

/** Puts back what is new, as far as the files allow it. The files from number `published` on are known to be as before. */
async function putBack(
  entry: JournalEntry,
  {
    held,
    folders,
    published = Number.POSITIVE_INFINITY,
  }: { held: readonly Place[]; folders: Folders; published?: number | undefined },
): Promise<Outcome> {
  const turns = new Turns();
  const found: Found[] = [];
  for (const [index, file] of entry.files.entries()) {
    const place = index < published ? held[index] : undefined;
    found.push(place === undefined ? { state: 'old', facts: undefined } : foundAt(place, file));
    await turns.next();
  }
  if (found.some(({ state }) => state === 'other')) return 'unknown';
  if (found.every(({ state }) => state === 'new')) {
    await folders.sync(turns);
    return 'applied';
  }
  const bases = found.some(({ state }) => state === 'new') ? entry.bases() : [];
  const back = entry.files.flatMap((file, index) => {
    const { path, folder } = held[index] ?? {};
    const { state, facts } = found[index] ?? {};
    if (state !== 'new' || path === undefined || folder === undefined) return [];
    const base = bases[index];
    const contents = base && (() => base);
    const tempName = tempNameOf(entry.key, index, 'old');
    return [new Replacement({ path, folder, present: facts, contents, like: file, tempName })];
  });
  if (back.length === 0) return 'rolled_back';
  try {
    await writeAllNew(back, turns);
    await publishAll(back.toReversed(), { folders, turns });
  } finally {
    for (const file of back) file.discard();
  }
  return 'rolled_back';
}

function foundAt({ path, folder }: Place, { base, result, file }: JournalFile): Found {
  const entry = folder?.directory.hold(path.name);
  if (entry === undefined) {
    const state = base === undefined ? 'old' : result === undefined ? 'new' : 'other';
    return { state, facts: undefined };
  }
  return closing(entry, ({ facts: { kind, links, sizeBytes } }) => {
    const isKnown = (content: typeof base) => content?.bytes === sizeBytes;
    if (kind !== 'file' || links !== 1 || !(isKnown(base) || isKnown(result)))
      return { state: 'other', facts: undefined };
    const { bytes, facts } = readStable(entry, sizeBytes, file);
    const hash = sha256(bytes);
    const state = hash === result?.sha256 ? 'new' : hash === base?.sha256 ? 'old' : 'other';
    return { state, facts };
  });
}

/** Removes the temporary files. One of them may be a second name of a file that was just created. */
function removeTemporary(key: string, index: number, { folder }: Place): void {
  for (const use of ['new', 'old'] as const)
    if (folder !== undefined) unlinkIfThere(folder.directory, tempNameOf(key, index, use));
}

// Writes proven edits: all files or none, each by an atomic rename. Everything that can be refused is refused before the write is
// begun in the state, and the journal has it durably before that. After a power cut or `kill -9` each file is old or new as a whole,
// and several are all old or all new once settle.ts has run; the same runs after an error.
import { shortId } from '../../state/canonical.ts';
import { oneAfterAnother, Turns } from '../../state/driver.ts';
import type { Event } from '../../state/event.ts';
import type { EncodedPreview } from '../../state/preview.ts';
import type { OpenWrite } from '../../state/previews.ts';
import type { Begun, Claim } from '../../state/store.ts';
import { previewNotFound, previewUsed } from '../approval/preview.ts';
import { splice } from '../edits/edit.ts';
import type { FileWrite } from '../edits/verified-edit.ts';
import { ignoring, ioRefusal, Refusal } from '../errors/refusal.ts';
import { closing } from '../fs/ambient-fs.ts';
import { tempNameOf } from '../paths/denylist.ts';
import type { SafePath } from '../paths/safe-path.ts';
import { fileExists, requireApart } from '../sandbox/absence.ts';
import { readStable, requirePlainFile, type StableRead } from '../sandbox/plain-file.ts';
import { Reading, sha256 } from '../sandbox/read-cache.ts';
import { Folders, type HeldFolder } from './folders.ts';
import { type Content, contentOf, type Journal, type JournalFile, newKey } from './journal.ts';
import { newFileIn, requireKeepableOwner, requireWritableMode } from './permission.ts';
import { fileChanged, publishAll, Replacement, writeAllNew } from './replacement.ts';
import { openWriteOf, recordEnd, type Settled, settle, settleAll, type WriteContext } from './settle.ts';

/** What a write is recorded as. */
export interface WriteRecord {
  /** The event `begun`, about exactly these edits. */
  readonly begun: Event;
  readonly claim: Claim;
  /** The preview of a write that no one was shown before, or the texts of one that was kept without them. */
  readonly shown?: EncodedPreview | readonly string[] | undefined;
  /** Checks the approval again while the locks are held. Throws if it no longer holds. */
  readonly recheck?: (() => Promise<void>) | undefined;
}

/** Runs `work` when all work that was given before has ended, so that writes of one process never wait for each other's locks. */
export const inTurn = oneAfterAnother();

/** Writes the edits. After a refusal all files are as before, unless the refusal names those that are not. */
export function writeFiles(
  edits: readonly FileWrite[],
  record: WriteRecord,
  context: WriteContext,
): Promise<void> {
  return inTurn(async () => {
    if ((await tryToWrite(edits, record, context)) === undefined) return;
    await settleAll(context, filesOf(edits));
    const open = await tryToWrite(edits, record, context);
    if (open !== undefined) throw stillOpen(open, edits, context.journal);
  });
}

/** Returns the open write that has one of these files, if there is one, and writes nothing then. */
async function tryToWrite(
  edits: readonly FileWrite[],
  record: WriteRecord,
  context: WriteContext,
): Promise<OpenWrite | undefined> {
  const { begun } = record;
  const write = { key: newKey(), turns: new Turns(), folders: new Folders(context.rootOf) };
  const done: Done = { isKept: false, isBegun: false, published: [] };
  let files: readonly Replacement[] = [];
  let isOver = false;
  try {
    const held = await holdAll(edits, write, context);
    await write.folders.lockAll();
    const open = await openWriteOf(filesOf(edits), context);
    if (open !== undefined) return open;
    await record.recheck?.();
    const staged = await stageAll(held, write, context.fileSizeBytes);
    files = staged.map(({ replacement }) => replacement);
    done.isKept = true;
    await keepIn(context.journal, staged, begun, write);
    // The new contents go to the disk while the state takes the claim. A descriptor must not be closed before its flush is over.
    const staging = writeAllNew(files, write.turns);
    const claiming = context.store.begin(begun, record.claim, record.shown);
    await Promise.allSettled([staging, claiming]);
    requireBegun(await claiming, begun);
    done.isBegun = true;
    await staging;
    await publishAll(files, write, ({ file }) => done.published.push(file));
    isOver = await recordEnd(begun, 'applied', context);
  } catch (error) {
    if (!done.isKept) throw ioRefusal('write', error);
    for (const file of files) file.discard();
    const settled = await settleFailed(error, done, write, context);
    isOver = settled?.isOver === true;
    if (settled?.outcome !== 'applied') throw explained(error, done, settled);
  } finally {
    const isClean = files.map((file) => file.discard()).every(Boolean);
    write.folders.release();
    // The folders that were made and are not needed are removed by then.
    if (isOver && isClean) ignoring('all', () => context.journal.remove(write.key));
  }
  return undefined;
}

/** How far a write has come. */
interface Done {
  isKept: boolean;
  isBegun: boolean;
  /** The files that were renamed, in their order. */
  readonly published: string[];
}

interface Write {
  readonly key: string;
  readonly turns: Turns;
  readonly folders: Folders;
}

/** An edit, and the folder of its file. */
interface Held {
  readonly edit: FileWrite;
  readonly path: SafePath;
  readonly folder: HeldFolder;
}

/** Holds the folders of all edits. */
async function holdAll(
  edits: readonly FileWrite[],
  { folders, turns }: Write,
  { admitted }: WriteContext,
): Promise<readonly Held[]> {
  requireDistinct(edits.map(({ file }) => file));
  const held: Held[] = [];
  for (const edit of edits) {
    const path = admitted(edit.file);
    held.push({ edit, path, folder: folders.hold(path, edit.fileOp === 'create') });
    await turns.next();
  }
  requireApart(held.flatMap(({ edit, path }) => (edit.fileOp === 'create' ? [path] : [])));
  return held;
}

/** A file that is about to be written, as it is and as the journal keeps it. */
interface Staged {
  readonly replacement: Replacement;
  readonly kept: JournalFile;
  readonly base: Uint8Array | undefined;
}

async function stageAll(
  held: readonly Held[],
  { key, turns }: Write,
  limitBytes: number,
): Promise<readonly Staged[]> {
  const staged: Staged[] = [];
  for (const [index, one] of held.entries()) {
    staged.push(stage(one, tempNameOf(key, index, 'new'), limitBytes));
    await turns.next();
  }
  // A file system that ignores case can have one file under two paths.
  requireDistinct(staged.map(({ replacement }) => replacement.inode));
  return staged;
}

/** Checks kind, links, mode and owner, and that the file still has the bytes of the edit. The caller holds the folder's lock. */
function stage(held: Held, tempName: string, limitBytes: number): Staged {
  const { edit, path, folder } = held;
  const { file, fileOp, mode: newMode } = edit;
  try {
    const base = fileOp === 'create' ? undefined : requireBase(held, limitBytes);
    if (base === undefined && folder.directory.factsOf(path.name) !== undefined) throw fileExists(file);
    const like = base?.facts ?? newFileIn(folder.directory.facts(), newMode);
    const contents = fileOp === 'delete' ? undefined : () => resultOf(edit, base?.bytes);
    const { uid, gid, mode } = like;
    const kept = {
      ...{ file, uid, gid, mode },
      ...(base && { base: contentOf(base.bytes) }),
      ...(contents && { result: provenContent(edit, contents()) }),
    };
    const plan = { path, folder, present: base?.facts, contents, like, tempName };
    return { replacement: new Replacement(plan), kept, base: base?.bytes };
  } catch (error) {
    throw ioRefusal('write this file', error, file);
  }
}

/** Returns the bytes of the result. */
function resultOf({ exact }: FileWrite, base: Uint8Array = new Uint8Array()): Uint8Array {
  return Buffer.from(splice(new Reading(base).text, exact.edits));
}

/** Throws a plain Error (a bug of ours) if the bytes are not those that were proven. */
function provenContent({ exact, file }: FileWrite, bytes: Uint8Array): Content {
  const content = contentOf(bytes);
  if (content.sha256 !== exact.result)
    throw new Error(`the result for ${file} is not the one that was proven`);
  return content;
}

function requireBase({ edit, path, folder: { directory } }: Held, limitBytes: number): StableRead {
  const { file, exact, fileOp, mode } = edit;
  const entry = directory.hold(path.name);
  if (entry === undefined) throw fileChanged(file);
  return closing(entry, () => {
    requirePlainFile(entry.facts, file);
    requireWritableMode(entry.facts, file);
    requireKeepableOwner(entry.facts, directory.facts(), file);
    const read = readStable(entry, limitBytes, file);
    // Another inode with the same bytes is fine: an editor may have saved the file without a change.
    if (sha256(read.bytes) !== exact.base) throw fileChanged(file);
    // The mode is in the record, because undoing the deletion restores it.
    if (fileOp === 'delete' && (read.facts.mode & 0o777) !== mode) throw fileChanged(file);
    return read;
  });
}

function keepIn(
  journal: Journal,
  staged: readonly Staged[],
  begun: Event,
  { key, folders }: Write,
): Promise<void> {
  const record = { begun, folders: folders.made, files: staged.map(({ kept }) => kept) };
  return journal.keep(
    key,
    record,
    staged.flatMap(({ base }) => base ?? []),
  );
}

function requireBegun(begun: Begun, { about = '' }: Event): void {
  if (begun.state === 'used') throw previewUsed(about);
  if (begun.state === 'gone') throw previewNotFound();
  if (begun.state === 'decided') throw decidedSince();
}

/** Makes the refusal of a preview about which someone has decided since its approval was checked. */
export function decidedSince(): Refusal {
  return new Refusal(
    'APPROVAL_REQUIRED',
    'Cannot apply this preview: a reviewer decided on it just now. Retry.',
  );
}

/** Settles a write that has failed. Returns undefined if that fails, too, and the write is left for later. */
async function settleFailed(
  error: unknown,
  { isBegun, published }: Done,
  { key, folders }: Write,
  context: WriteContext,
): Promise<Settled | undefined> {
  try {
    const entry = context.journal.read(key);
    if (entry === undefined) return { outcome: undefined, isOver: false };
    // A failure that the system did not report is a bug.
    const code = ignoring('all', () => ioRefusal('write', error).code) ?? 'INTERNAL';
    return await settle(entry, folders, context, isBegun ? { code, published: published.length } : undefined);
  } catch {
    const fields = { reason: 'not_put_back', count: published.length, file: published[0] };
    context.log.notice('error', 'recovery_waiting', fields);
    return undefined;
  }
}

/** Says what has become of the files. Returns a bug as it is. */
function explained(error: unknown, { published }: Done, settled: Settled | undefined): unknown {
  const refusal = ignoring('all', () => ioRefusal('write', error));
  if (refusal === undefined) return error;
  if (published.length === 0) return refusal;
  const { code, message, where, clues, cause } = refusal;
  if (settled?.outcome === 'rolled_back')
    return new Refusal(code, `${message} What was already written has been put back.`, where, clues, cause);
  const advice = published.map(
    (name) => `Look at ${name}: it may hold the new contents, or those of another program.`,
  );
  const left = `What was already written could NOT be put back in: ${published.join(', ')}.`;
  return new Refusal(code, `${message} ${left}`, where, { ...clues, advice }, cause);
}

/** Makes the refusal for files of a write that has not ended, and that cannot be settled here now. */
function stillOpen({ id, since, files }: OpenWrite, edits: readonly FileWrite[], journal: Journal): Refusal {
  const wanted = filesOf(edits);
  const file = files.find((one) => wanted.has(one));
  const change = shortId('ch', id);
  const isHere = journal.keys().some((key) => ignoring('all', () => journal.read(key))?.begun.about === id);
  if (isHere)
    return new Refusal(
      'BUSY',
      `Cannot write: change ${change} of this file was interrupted and waits to be settled. Try again in a moment.`,
      { file },
      { advice: ['If it stays so, the operator should look at the log of the server'] },
    );
  return new Refusal(
    'BUSY',
    `Cannot write: change ${change} of this file was begun by another server at ${since}, and has not ended. Try again in a moment.`,
    { file },
    {
      advice: [
        `If it stays so, the operator should start that server again, which settles it, or look at the files and run "config-airlock state settle ${change}"`,
      ],
    },
  );
}

function filesOf(edits: readonly FileWrite[]): ReadonlySet<string> {
  return new Set(edits.map(({ file }) => file));
}

function requireDistinct(files: readonly string[]): void {
  if (new Set(files).size !== files.length)
    throw new Error('one write was handed two results for the same file');
}

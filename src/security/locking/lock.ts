// One writer per folder, across processes. Exclusive as long as every writer is a config-airlock: an editor
// or a git checkout does not ask for the lock, which is why the contents are compared again as well.
//
// A lock is complete from the start: written under another name, then linked, which fails where one exists.
// The lock of a dead process, or of a dead thread of a living one, is broken by whoever creates the file named
// after its nonce, and only after looking again that it is still that lock. Nobody else can remove it in
// between, so a live lock is never removed, however many recover at once. The breaker's file is itself such a
// lock, in case its owner dies. The lock of a batch is broken only once the batch has ended.
// docs/locking.md compares this with the locks of libraries.
import type { HeldDirectory, HeldEntry } from '../containment/held.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { sameInode } from '../fs/ambient-fs.ts';
import { breakerNameOf, LOCK_NAME } from '../paths/denylist.ts';
import { Fields, readOrUndefined } from '../records/fields.ts';
import { parsedJson } from '../text/canonical-json.ts';
import { type Batch, readBatch } from './batch.ts';
import { bootedAtMs, isCertainlyDead, readOwner, thisProcess } from './lock-owner.ts';
import { type Publish, publishedText, publishText } from './published-text.ts';

export interface Lock {
  /** Whether the lock is still in force: somebody may have deleted the file. */
  isHeld(): boolean;
  /** Never throws: the write that it guarded has happened, and must not be reported as failed. */
  release(): void;
  /** Leaves the file where it is, as the lock of a dead owner: for a batch that has not ended. */
  leave(): void;
}

export interface LockRequest {
  /** Whether the batch of a dead owner has ended, or could be completed now. */
  readonly isOver: (batch: Batch) => boolean;
  /** What is about to be written, where it is several files: then the lock outlives a power cut. */
  readonly batch?: Batch | undefined;
  readonly waitMs?: number | undefined;
}

const WAIT_MS = 2_000;
const PAUSE_MS = 5;
// Each level is a process that died in the microseconds in which it broke the lock of another.
const MAX_BREAKERS = 8;

/** Waits a bounded time for the folder's lock; throws BUSY, and what `isOver` throws. */
export function lockFolder(directory: HeldDirectory, request: LockRequest): Lock {
  const deadline = performance.now() + (request.waitMs ?? WAIT_MS);
  for (;;) {
    const lock = tryLock(directory, LOCK_NAME, request, 0);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) throw busy(directory);
    pause();
  }
}

/** Whether the folder has a lock whose owner is certainly dead. Looks, and changes nothing. */
export function hasDeadLock(directory: HeldDirectory): boolean {
  return deadHolder(directory, LOCK_NAME) !== undefined;
}

function tryLock(
  directory: HeldDirectory,
  name: string,
  request: LockRequest,
  breakers: number,
): Lock | undefined {
  const lock = created(directory, name, request.batch);
  if (lock !== undefined || breakers >= MAX_BREAKERS) return lock;
  const dead = deadHolder(directory, name);
  if (dead === undefined || (dead.batch !== undefined && !request.isOver(dead.batch))) return undefined;
  const breaker = tryLock(directory, breakerNameOf(dead.key), { isOver: () => true }, breakers + 1);
  if (breaker === undefined) return undefined;
  try {
    // Another breaker may have finished before ours began: then this is a different lock, and alive. Replaced in one step:
    // who finds half of a batch must find it locked.
    if (deadHolder(directory, name)?.key === dead.key)
      return created(directory, name, request.batch, 'replacing');
  } finally {
    breaker.release();
  }
  return created(directory, name, request.batch);
}

function created(
  directory: HeldDirectory,
  name: string,
  batch: Batch | undefined,
  how: Publish = 'new',
): Lock | undefined {
  const owner = thisProcess();
  const text = `${JSON.stringify({ ...owner, batch })}\n`;
  try {
    const isOurs = publishText(directory, name, text, batch !== undefined, how);
    // Kept open: else the number of a deleted lock could come again, as somebody else's lock.
    const entry = isOurs ? directory.hold(name) : undefined;
    return entry && heldLock(directory, name, entry, owner.nonce);
  } catch (error) {
    // It may have got its name before the disk failed.
    abandoned.add(owner.nonce);
    throw error;
  }
}

// Locks of this thread that nobody holds, though their owner lives: of a batch that has not ended, or that could not be
// removed.
const abandoned = new Set<string>();

function heldLock(directory: HeldDirectory, name: string, file: HeldEntry, nonce: string): Lock {
  const isHeld = () => {
    const now = directory.look(name);
    return now !== undefined && sameInode(now, file.facts);
  };
  let isFinished = false;
  const finish = (act: () => void) => {
    if (isFinished) return;
    isFinished = true;
    act();
    file.close();
  };
  const leave = () => finish(() => abandoned.add(nonce));
  const release = () =>
    finish(() => {
      const isReleased = ignoring('all', () => {
        if (isHeld()) directory.unlink(name);
        return true;
      });
      // Where the folder or the disk is gone the lock stays, for whoever comes next to break: us, or others after us.
      if (isReleased !== true) abandoned.add(nonce);
    });
  return { isHeld, release, leave };
}

/** `key`: names the file of whoever breaks the lock. */
function deadHolder(
  directory: HeldDirectory,
  name: string,
): { readonly key: string; readonly batch: Batch | undefined } | undefined {
  const published = publishedText(directory, name);
  if (published === undefined) return undefined;
  const { text, writtenMs } = published;
  const holder = parsedHolder(text);
  if (holder !== undefined) {
    const isDead = abandoned.has(holder.owner.nonce) || isCertainlyDead(holder.owner, writtenMs);
    return isDead ? { key: holder.owner.nonce, batch: holder.batch } : undefined;
  }
  // A power cut can leave the name without the contents. No live lock is ever seen like that.
  const lost = /[^\0]/u.test(text) ? undefined : lostInPowerCut(directory, name);
  return lost === undefined ? undefined : { key: lost.toString(16).padStart(32, '0'), batch: undefined };
}

function parsedHolder(text: string) {
  return readOrUndefined(() => {
    const fields = new Fields(parsedJson(text));
    const batch = fields.has('batch') ? readBatch(fields.raw('batch')) : undefined;
    return { owner: readOwner(fields), batch };
  });
}

/** The inode of an empty lock that is older than this run of the machine. */
function lostInPowerCut(directory: HeldDirectory, name: string): bigint | undefined {
  const facts = directory.look(name);
  if (facts?.kind !== 'file' || facts.links !== 1) return undefined;
  return Number(facts.ctimeNs / 1_000_000n) < bootedAtMs() ? facts.ino : undefined;
}

function busy(directory: HeldDirectory): Refusal {
  const { because, advice } = whyBusy(directory);
  return new Refusal('BUSY', `Cannot write: ${because}`, {}, { advice: [advice] });
}

function whyBusy(directory: HeldDirectory): { readonly because: string; readonly advice: string } {
  const text = publishedText(directory, LOCK_NAME)?.text;
  const holder = text === undefined ? undefined : parsedHolder(text);
  if (text !== undefined && holder === undefined)
    return {
      because: `${LOCK_NAME} in the folder of the file is not a lock of this program, or is damaged. The operator should look at it and delete it.`,
      advice: `If no other server is running, the operator can delete ${LOCK_NAME} in the folder of the file.`,
    };
  if (holder?.batch !== undefined && deadHolder(directory, LOCK_NAME) !== undefined)
    return {
      because:
        'a batch of files that was interrupted waits in this folder. The operator should start the server that wrote it once more, with the same roots and the same state directory.',
      advice: `If that server's state directory is gone, the operator should look at the files of the folder, and can delete ${LOCK_NAME} in it.`,
    };
  return {
    because: 'another config-airlock is writing in this folder. Try again in a moment.',
    advice: `If no other server is running, the operator can delete ${LOCK_NAME} in the folder of the file.`,
  };
}

/** Sleeps without a timer: a commit is one synchronous section, so that no signal handler runs inside it. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS + Math.random() * PAUSE_MS);
}

// One writer per folder, across processes. Exclusive as long as every writer is a config-airlock: an editor
// or a git checkout does not ask for the lock, which is why the contents are compared again as well.
//
// A lock comes into being complete: written under another name, then linked, which fails where one exists.
// A lock of a dead process is broken by whoever creates the file named after its nonce, and only after
// looking again that it is still that lock. Nobody else can remove it in between, so a live lock is never
// removed, however many recover at once. The breaker's file is itself such a lock, in case its owner dies.
import { closeFd, errnoOf, readFd, sameInode, writeFd } from '../ambient-fs.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { Refusal } from '../refusal.ts';
import { isCertainlyDead, type LockOwner, parseOwner, thisProcess } from './lock-owner.ts';
import { breakerNameOf, freshLockDraftName, LOCK_NAME } from './own-names.ts';

export interface Lock {
  /** Whether the lock is still in force: somebody may have deleted the file by hand. */
  isHeld(): boolean;
  /** Never throws: the write that it guarded has happened, and must not be reported as failed. */
  release(): void;
}

const WAIT_MS = 2_000;
const PAUSE_MS = 5;
const MAX_BREAKERS = 3;

/** Waits a bounded time for the folder's lock; throws BUSY. */
export function lockFolder(directory: HeldDirectory, waitMs = WAIT_MS): Lock {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(directory, LOCK_NAME);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) throw busy();
    pause();
  }
}

function tryLock(directory: HeldDirectory, name: string, breakers = 0): Lock | undefined {
  const lock = created(directory, name);
  if (lock !== undefined || breakers >= MAX_BREAKERS) return lock;
  const dead = ownerIfDead(directory, name);
  if (dead === undefined) return undefined;
  const breaker = tryLock(directory, breakerNameOf(dead.nonce), breakers + 1);
  if (breaker === undefined) return undefined;
  try {
    // Another breaker may have finished before ours began: then this is a different lock, and alive.
    if (ownerIfDead(directory, name)?.nonce === dead.nonce) directory.unlink(name);
  } finally {
    breaker.release();
  }
  return created(directory, name);
}

function created(directory: HeldDirectory, name: string): Lock | undefined {
  const draft = freshLockDraftName();
  write(directory, draft, `${JSON.stringify(thisProcess())}\n`);
  try {
    directory.link(draft, name);
  } catch (error) {
    // ENOENT: a sweep took the draft for a leftover. The caller tries again.
    if (errnoOf(error) === 'EEXIST' || errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  } finally {
    unlinkIfThere(directory, draft);
  }
  return heldLock(directory, name);
}

function heldLock(directory: HeldDirectory, name: string): Lock | undefined {
  const entry = directory.hold(name);
  entry?.close();
  if (entry === undefined) return undefined;
  const isHeld = () => {
    const now = directory.hold(name);
    now?.close();
    return now !== undefined && sameInode(now.facts, entry.facts);
  };
  return { isHeld, release: () => released(directory, name, isHeld) };
}

function released(directory: HeldDirectory, name: string, isHeld: () => boolean): void {
  try {
    if (isHeld()) directory.unlink(name);
  } catch {
    // The folder or the disk is gone. A lock that stays is broken once this process has ended.
  }
}

function ownerIfDead(directory: HeldDirectory, name: string): LockOwner | undefined {
  const owner = parseOwner(contents(directory, name));
  return owner !== undefined && isCertainlyDead(owner) ? owner : undefined;
}

function contents(directory: HeldDirectory, name: string): string {
  const entry = directory.hold(name);
  if (entry === undefined) return '';
  try {
    if (entry.facts.kind !== 'file') return '';
    const fd = entry.openForReading();
    try {
      const buffer = Buffer.alloc(1024);
      return buffer.toString('utf8', 0, readFd(fd, buffer, 0, buffer.length, 0));
    } finally {
      closeFd(fd);
    }
  } finally {
    entry.close();
  }
}

function write(directory: HeldDirectory, name: string, text: string): void {
  const fd = directory.createExclusive(name, 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length; ) done += writeFd(fd, bytes, done);
  } finally {
    closeFd(fd);
  }
}

function unlinkIfThere(directory: HeldDirectory, name: string): void {
  try {
    directory.unlink(name);
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') throw error;
  }
}

function busy(): Refusal {
  return new Refusal(
    'BUSY',
    'Cannot write: another config-airlock is writing in this folder. Try again in a moment.',
    {},
    {
      advice: [
        `If no other server is running, the operator can delete ${LOCK_NAME} in the folder of the file.`,
      ],
    },
  );
}

/** Sleeps without a timer: a commit is one synchronous section, so that no signal handler runs inside it. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS + Math.random() * PAUSE_MS);
}

// A lock that lets one process at a time write in a folder. It holds among config-airlock processes only. An editor or a git
// checkout does not ask for the lock, which is why the contents are compared again before a write.
//
// A lock file is complete from the start: it is written under another name and then linked, which fails where a lock exists. The
// lock of a dead process is broken by whoever creates the file that is named after its nonce. The breaker then checks
// again that it is still that lock. Nobody else can remove it meanwhile, so that a live lock is never removed, however many
// processes recover at once. The breaker's file is itself such a lock, in case its owner dies. docs/locking.md compares this with
// the locks of libraries.
import { setTimeout } from 'node:timers/promises';
import type { HeldDirectory, HeldEntry } from '../containment/held.ts';
import { ignoring, Refusal } from '../errors/refusal.ts';
import { sameInode } from '../fs/ambient-fs.ts';
import { breakerNameOf, LOCK_NAME } from '../paths/denylist.ts';
import {
  bootedAtMs,
  isCertainlyDead,
  parseOwner,
  publishText,
  readPublishedText,
  thisProcess,
} from './lock-owner.ts';

export interface Lock {
  /** Returns false if somebody has deleted the file of the lock. */
  isHeld(): boolean;
  /** Removes the lock. Never throws: the write that it guarded has happened, and must not be reported as failed. */
  release(): void;
}

const WAIT_MS = 2_000;
const PAUSE_MS = 5;
// Each further breaker means that a process died in the microseconds in which it broke a lock.
const MAX_BREAKERS = 8;

/** Waits up to `waitMs` milliseconds for the folder's lock. Throws BUSY. */
export async function lockFolder(directory: HeldDirectory, waitMs = WAIT_MS): Promise<Lock> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const lock = tryLock(directory, LOCK_NAME, 0);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) throw lockBusy(directory);
    await setTimeout(PAUSE_MS + Math.random() * PAUSE_MS);
  }
}

function tryLock(directory: HeldDirectory, name: string, breakers: number): Lock | undefined {
  const lock = createLock(directory, name);
  if (lock !== undefined || breakers >= MAX_BREAKERS) return lock;
  const nonce = deadLockNonce(directory, name);
  if (nonce === undefined) return undefined;
  const breaker = tryLock(directory, breakerNameOf(nonce), breakers + 1);
  if (breaker === undefined) return undefined;
  try {
    // Another process may have broken the lock before. The file is then another lock, which is alive.
    if (deadLockNonce(directory, name) === nonce) ignoring(['ENOENT'], () => directory.unlink(name));
  } finally {
    breaker.release();
  }
  return createLock(directory, name);
}

function createLock(directory: HeldDirectory, name: string): Lock | undefined {
  const owner = thisProcess();
  try {
    const isOurs = publishText(directory, name, `${JSON.stringify(owner)}\n`);
    // The file is kept open: otherwise the inode number of a deleted lock could come back as somebody else's
    // lock.
    const entry = isOurs ? directory.hold(name) : undefined;
    return entry && heldLock(directory, name, entry, owner.nonce);
  } catch (error) {
    // The lock may have got its name before the disk failed.
    abandoned.add(owner.nonce);
    throw error;
  }
}

// The nonces of locks of this process that could not be removed. Their owner lives, so that only this list shows that nobody holds
// them.
const abandoned = new Set<string>();

function heldLock(directory: HeldDirectory, name: string, file: HeldEntry, nonce: string): Lock {
  const isHeld = () => {
    const facts = directory.factsOf(name);
    return facts !== undefined && sameInode(facts, file.facts);
  };
  let isReleased = false;
  const release = () => {
    if (isReleased) return;
    isReleased = true;
    const isRemoved = ignoring('all', () => {
      if (isHeld()) directory.unlink(name);
      return true;
    });
    // If the folder or the disk is gone, the lock stays. Whoever locks the folder next breaks it.
    if (isRemoved !== true) abandoned.add(nonce);
    file.close();
  };
  return { isHeld, release };
}

export interface FoundLock {
  /** The host name and process number of its owner. */
  readonly host: string;
  readonly pid: number;
  readonly since: Date;
  /** True if its owner certainly runs on this machine. */
  readonly isAlive: boolean;
  /** Removes the lock, unless another one has replaced it. Returns whether it did. */
  remove(): boolean;
}

/** Reads the lock of a folder, for an operator who knows what happened to its owner. Undefined where there is no lock of this program. */
export function lockIn(directory: HeldDirectory): FoundLock | undefined {
  const published = readPublishedText(directory, LOCK_NAME);
  const owner = published && parseOwner(published.text);
  if (published === undefined || owner === undefined) return undefined;
  const self = thisProcess();
  const isDead = isCertainlyDead(owner, published.writtenMs, self);
  return {
    ...{ host: owner.host, pid: owner.pid, since: new Date(published.writtenMs) },
    isAlive:
      !isDead &&
      [owner.host, owner.boot, owner.namespace].join() === [self.host, self.boot, self.namespace].join(),
    remove: () => removeLock(directory, owner.nonce),
  };
}

function removeLock(directory: HeldDirectory, nonce: string): boolean {
  const breaker = tryLock(directory, breakerNameOf(nonce), 1);
  if (breaker === undefined) return false;
  try {
    if (parseOwner(readPublishedText(directory, LOCK_NAME)?.text ?? '')?.nonce !== nonce) return false;
    directory.unlink(LOCK_NAME);
    return true;
  } finally {
    breaker.release();
  }
}

/** Returns the nonce of a dead lock, which names the breaker's file; undefined if there is no lock or its owner may live. */
function deadLockNonce(directory: HeldDirectory, name: string): string | undefined {
  const published = readPublishedText(directory, name);
  if (published === undefined) return undefined;
  const { text, writtenMs } = published;
  const owner = parseOwner(text);
  if (owner !== undefined)
    return abandoned.has(owner.nonce) || isCertainlyDead(owner, writtenMs) ? owner.nonce : undefined;
  // A power cut can leave the name without the contents. A live lock is never empty.
  const inode = /[^\0]/u.test(text) ? undefined : emptyLockInode(directory, name);
  return inode?.toString(16).padStart(32, '0');
}

/** Returns the inode of a lock that is older than this boot; undefined for any other. */
function emptyLockInode(directory: HeldDirectory, name: string): bigint | undefined {
  const facts = directory.factsOf(name);
  if (facts?.kind !== 'file' || facts.links !== 1) return undefined;
  return Number(facts.ctimeNs / 1_000_000n) < bootedAtMs() ? facts.ino : undefined;
}

function lockBusy(directory: HeldDirectory): Refusal {
  const text = readPublishedText(directory, LOCK_NAME)?.text;
  const isOurs = text === undefined || parseOwner(text) !== undefined;
  const reason = isOurs
    ? 'another config-airlock is writing in this folder. Try again in a moment.'
    : `${LOCK_NAME} in the folder of the file is not a lock of this program, or is damaged. The operator should look at it and delete it.`;
  const advice = `If no other server is running, the operator can delete ${LOCK_NAME} in the folder of the file.`;
  return new Refusal('BUSY', `Cannot write: ${reason}`, {}, { advice: [advice] });
}

// One writer per folder, across processes. Exclusive as long as every writer is a config-airlock: an editor
// or a git checkout does not ask for the lock, which is why the contents are compared again as well.
//
// A lock comes into being complete: written under another name, then linked, which fails where one exists.
// The lock of a dead process, or of a dead thread of a living one, is broken by whoever creates the file named
// after its nonce, and only after looking again that it is still that lock. Nobody else can remove it in
// between, so a live lock is never removed, however many recover at once. The breaker's file is itself such a
// lock, in case its owner dies. What the dead left half done is settled before their lock is removed.
// docs/locking.md compares this with the locks of libraries.
import type { HeldDirectory, HeldEntry } from '../containment/held.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { Refusal } from '../errors/refusal.ts';
import { sameInode } from '../fs/ambient-fs.ts';
import { breakerNameOf, LOCK_NAME } from '../paths/denylist.ts';
import { Fields, readOrUndefined } from '../records/fields.ts';
import { parsedJson } from '../text/canonical-json.ts';
import { type Intent, readIntent } from './intent.ts';
import { bootedAtMs, isCertainlyDead, readOwner, thisProcess } from './lock-owner.ts';
import { publishedText, publishText } from './published-text.ts';

export interface Lock {
  /** Whether the lock is still in force: somebody may have deleted the file. */
  isHeld(): boolean;
  /** Never throws: the write that it guarded has happened, and must not be reported as failed. */
  release(): void;
}

export interface LockRequest {
  /** Brings the folder in order after the death of an owner with that intent. False: somebody else is at it. */
  readonly recover: (intent: Intent) => boolean;
  /** What is about to be written, for whoever finds the lock of the dead; a sweep writes nothing. */
  readonly intent?: Intent | undefined;
  /** Whether the lock must outlive a power cut. */
  readonly isDurable?: boolean;
  readonly waitMs?: number | undefined;
}

/** The sole right to bring a folder in order whose lock is dead, or that has none. */
export interface StaleLock {
  /** Of the dead owner; undefined where there is none. */
  readonly intent: Intent | undefined;
  /** Removes the dead lock if the folder is in order. */
  release(isRecovered: boolean): void;
}

const WAIT_MS = 2_000;
const PAUSE_MS = 5;
// Each level is a process that died in the microseconds in which it broke the lock of another.
const MAX_BREAKERS = 8;

/** Waits a bounded time for the folder's lock; throws BUSY, and what `recover` throws. */
export function lockFolder(directory: HeldDirectory, request: LockRequest): Lock {
  const deadline = performance.now() + (request.waitMs ?? WAIT_MS);
  for (;;) {
    const lock = tryLock(directory, LOCK_NAME, request, 0);
    if (lock !== undefined) return lock;
    if (performance.now() >= deadline) throw busy(directory);
    pause();
  }
}

/** Never waits; undefined where somebody lives who is at work in the folder, or might. */
export function takeOver(directory: HeldDirectory): StaleLock | undefined {
  const lock = created(directory, LOCK_NAME, {});
  if (lock !== undefined) return { intent: undefined, release: () => lock.release() };
  return rightToBreak(directory, LOCK_NAME, 0);
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
  const lock = created(directory, name, request);
  if (lock !== undefined || breakers >= MAX_BREAKERS) return lock;
  const staleLock = rightToBreak(directory, name, breakers);
  if (staleLock === undefined) return undefined;
  let isRecovered = false;
  try {
    isRecovered = staleLock.intent === undefined || request.recover(staleLock.intent);
  } finally {
    staleLock.release(isRecovered);
  }
  return isRecovered ? created(directory, name, request) : undefined;
}

function rightToBreak(directory: HeldDirectory, name: string, breakers: number): StaleLock | undefined {
  const dead = deadHolder(directory, name);
  if (dead === undefined) return undefined;
  const breakerName = breakerNameOf(dead.key);
  const breaker = tryLock(directory, breakerName, { recover: () => true }, breakers + 1);
  if (breaker === undefined) return undefined;
  // Another breaker may have finished before ours began: then this is a different lock, and alive.
  if (deadHolder(directory, name)?.key !== dead.key) {
    breaker.release();
    return undefined;
  }
  const release = (isRecovered: boolean) => {
    try {
      if (isRecovered) directory.unlink(name);
    } finally {
      breaker.release();
    }
  };
  return { intent: dead.intent, release };
}

function created(
  directory: HeldDirectory,
  name: string,
  { intent, isDurable = false }: Pick<LockRequest, 'intent' | 'isDurable'>,
): Lock | undefined {
  const owner = thisProcess();
  const text = `${JSON.stringify({ ...owner, intent })}\n`;
  try {
    const isOurs = publishText(directory, name, text, isDurable);
    // Kept open: else the number of a deleted lock could come again, as somebody else's lock.
    const entry = isOurs ? directory.hold(name) : undefined;
    return entry && heldLock(directory, name, entry, owner.nonce);
  } catch (error) {
    // It may have got its name before the disk failed.
    abandoned.add(owner.nonce);
    throw error;
  }
}

// Locks of this thread that nobody holds, though their owner lives: the disk would not let go of them.
const abandoned = new Set<string>();

function heldLock(directory: HeldDirectory, name: string, file: HeldEntry, nonce: string): Lock {
  const isHeld = () => {
    const now = directory.look(name);
    return now !== undefined && sameInode(now, file.facts);
  };
  let isOver = false;
  const release = () => {
    if (isOver) return;
    isOver = true;
    const isReleased = ignoring('all', () => {
      if (isHeld()) directory.unlink(name);
      return true;
    });
    // Where the folder or the disk is gone the lock stays, for whoever comes next to break: us, or others after us.
    if (isReleased !== true) abandoned.add(nonce);
    file.close();
  };
  return { isHeld, release };
}

/** `key`: names the file of whoever breaks the lock. */
function deadHolder(
  directory: HeldDirectory,
  name: string,
): { readonly key: string; readonly intent: Intent | undefined } | undefined {
  const published = publishedText(directory, name);
  if (published === undefined) return undefined;
  const { text, writtenMs } = published;
  const holder = parsedHolder(text);
  if (holder !== undefined) {
    const isDead = abandoned.has(holder.owner.nonce) || isCertainlyDead(holder.owner, writtenMs);
    return isDead ? { key: holder.owner.nonce, intent: holder.intent } : undefined;
  }
  // A power cut can leave the name without the contents. No live lock is ever seen like that.
  const lost = /[^\0]/u.test(text) ? undefined : lostInPowerCut(directory, name);
  return lost === undefined ? undefined : { key: lost.toString(16).padStart(32, '0'), intent: undefined };
}

function parsedHolder(text: string) {
  return readOrUndefined(() => {
    const fields = new Fields(parsedJson(text));
    const intent = fields.has('intent') ? readIntent(fields.raw('intent')) : undefined;
    return { owner: readOwner(fields), intent };
  });
}

/** The inode of an empty lock that is older than this run of the machine. */
function lostInPowerCut(directory: HeldDirectory, name: string): bigint | undefined {
  const facts = directory.look(name);
  if (facts?.kind !== 'file' || facts.links !== 1) return undefined;
  return Number(facts.ctimeNs / 1_000_000n) < bootedAtMs() ? facts.ino : undefined;
}

function busy(directory: HeldDirectory): Refusal {
  const advice = [
    `If no other server is running, the operator can delete ${LOCK_NAME} in the folder of the file.`,
  ];
  const published = publishedText(directory, LOCK_NAME);
  const message =
    published !== undefined && parsedHolder(published.text) === undefined
      ? `Cannot write: ${LOCK_NAME} in the folder of the file is not a lock of this program, or is damaged. The operator should look at it and delete it.`
      : 'Cannot write: another config-airlock is writing in this folder. Try again in a moment.';
  return new Refusal('BUSY', message, {}, { advice });
}

/** Sleeps without a timer: a commit is one synchronous section, so that no signal handler runs inside it. */
function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS + Math.random() * PAUSE_MS);
}

// Says who holds a lock, and whether that process is certainly dead. In any doubt (another machine, another container, an
// unreadable lock) it counts as alive. The age of a lock never counts, because its owner may be paused, or the clock was changed.
import { hostname, uptime } from 'node:os';
import { z } from 'zod';
import { parsedJson, randomHex } from '../../state/canonical.ts';
import type { HeldDirectory } from '../containment/held.ts';
import { ignoring } from '../errors/refusal.ts';
import {
  ambientReadlink,
  ambientReadText,
  closing,
  closingFd,
  errnoOf,
  readText,
  writeAll,
} from '../fs/ambient-fs.ts';
import { freshDraftName } from '../paths/denylist.ts';

const ownerShape = z
  // The shape is not strict, because a later version may add fields.
  .object({
    pid: z.number().int().positive(),
    /** Clock ticks since boot, from /proc; they tell a process from a later one with the same number. */
    started: z.string(),
    boot: z.string(),
    /** The PID namespace: in another container the same number is another process. */
    namespace: z.string(),
    host: z.string(),
    /** It becomes part of a file name, so its form is strict. */
    nonce: z.string().regex(/^[0-9a-f]{32}$/u),
  })
  .readonly();
type LockOwner = z.infer<typeof ownerShape>;

type Self = Omit<LockOwner, 'nonce'>;

/** The facts of this process, which never change. They are kept once all of them could be read. */
let knownSelf: Self | undefined;

/** Describes this process, with a nonce of its own. */
export function thisProcess(): LockOwner {
  const self = knownSelf ?? readSelf();
  if (Object.values(self).every((value) => value !== '')) knownSelf = self;
  return { ...self, nonce: randomHex(16) };
}

/** Reads the facts from the system anew. */
function readSelf(): Self {
  // There may be no procfs, or one of another PID namespace.
  const isOwnProc = systemLink('/proc/self') === String(process.pid);
  return {
    pid: process.pid,
    started: isOwnProc ? startTimeOf(process.pid) : '',
    boot: systemText('/proc/sys/kernel/random/boot_id'),
    namespace: systemLink('/proc/self/ns/pid'),
    host: hostname(),
  };
}

/** Parses the text of a lock; undefined for anything that this program did not write in full. */
export function parseOwner(text: string): LockOwner | undefined {
  return ownerShape.safeParse(parsedJson(text)).data;
}

/** True if the owner cannot be alive. `writtenMs` is when the file of the lock last changed, by the clock of the file system. */
export function isCertainlyDead(owner: LockOwner, writtenMs: number, self: Self = thisProcess()): boolean {
  if (owner.host !== self.host) return false;
  // Two machines of one name that share a folder have different boots. A lock that was written after our boot is
  // then by the other machine, and counts as alive.
  if (owner.boot !== self.boot) return owner.boot !== '' && self.boot !== '' && writtenMs < bootedAtMs();
  if (owner.namespace !== self.namespace) return false;
  if (!isRunning(owner.pid)) return true;
  // Without a procfs of its own namespace, only the number of another process is known.
  if (self.started === '' || owner.started === '') return false;
  const started = startTimeOf(owner.pid);
  return started !== '' && started !== owner.started;
}

/** Returns the time of the boot in milliseconds. It is computed from the present clock, so that setting the clock moves it. */
export function bootedAtMs(): number {
  return Date.now() - uptime() * 1_000;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM means that it runs as another user; only ESRCH means that it does not run.
    return errnoOf(error) !== 'ESRCH';
  }
}

/** Returns the start time of a process in clock ticks; empty if it cannot be read. */
function startTimeOf(pid: number): string {
  const stat = systemText(`/proc/${pid}/stat`);
  // It is the 22nd field. The process name before it may contain spaces and brackets.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function systemLink(path: string): string {
  return ignoring('all', () => ambientReadlink(path)) ?? '';
}

function systemText(path: string): string {
  return ignoring('all', () => ambientReadText(path).trim()) ?? '';
}

/** The maximum size of a published text. */
const MAX_TEXT_BYTES = 16_000;

/**
 * Publishes a text under a name, complete from the moment it has that name: it is written as a draft, then linked. Returns false
 * if the name is taken.
 */
export function publishText(directory: HeldDirectory, name: string, text: string): boolean {
  const draft = freshDraftName();
  try {
    closingFd(directory.createExclusive(draft, 0o600), (fd) => writeAll(fd, text));
    directory.link(draft, name);
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    // Somebody has removed the draft, and the caller tries again. That would not help if the folder itself was removed.
    if (errnoOf(error) === 'ENOENT' && directory.facts().links > 0) return false;
    throw error;
  } finally {
    unlinkIfThere(directory, draft);
  }
  return true;
}

interface PublishedText {
  /** The content of a plain file. It is empty if something else has the name, and for a file that is too large. */
  readonly text: string;
  /** The time at which it got its name, by the clock of the file system. */
  readonly writtenMs: number;
}

/** Reads a published text; undefined if there is none. */
export function readPublishedText(directory: HeldDirectory, name: string): PublishedText | undefined {
  const entry = directory.hold(name);
  if (entry === undefined) return undefined;
  return closing(entry, ({ facts: { kind, sizeBytes, ctimeNs } }) => {
    const writtenMs = Number(ctimeNs / 1_000_000n);
    if (kind !== 'file' || sizeBytes > MAX_TEXT_BYTES) return { text: '', writtenMs };
    return { text: closingFd(entry.openForReading(), (fd) => readText(fd, sizeBytes, 0)), writtenMs };
  });
}

/** Removes a file; does nothing where there is none. */
export function unlinkIfThere(directory: HeldDirectory, name: string): void {
  ignoring(['ENOENT'], () => directory.unlink(name));
}

// Says who holds a lock, and whether that process or thread is certainly dead. In any doubt (another machine, another container, an
// unreadable lock) it counts as alive. The age of a lock never counts, because its owner may be paused, or the clock was changed.
import { hostname, uptime } from 'node:os';
import { z } from 'zod';
import { parsedJson, randomHex } from '../../state/index.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { ambientReadlink, ambientReadText, errnoOf } from '../fs/ambient-fs.ts';

const ownerShape = z
  // The shape is not strict, because a later version may add fields.
  .object({
    pid: z.number().int().positive(),
    /** Clock ticks since boot, from /proc; they tell a process from a later one with the same number. */
    started: z.string(),
    /** The thread's number in the system; the process may live on when a thread of it was ended. */
    thread: z.string().regex(/^\d{0,20}$/u),
    threadStarted: z.string(),
    boot: z.string(),
    /** The PID namespace: in another container the same number is another process. */
    namespace: z.string(),
    host: z.string(),
    /** The nonce becomes part of a file name, as the thread does, so its form is strict. */
    nonce: z.string().regex(/^[0-9a-f]{32}$/u),
  })
  .readonly();
export type LockOwner = z.infer<typeof ownerShape>;

type Self = Omit<LockOwner, 'nonce'>;

/** The facts of this thread, which never change. They are kept once all of them could be read. */
let knownSelf: Self | undefined;

/** Describes this process and this thread of it, with a nonce of its own. */
export function thisProcess(): LockOwner {
  const self = knownSelf ?? readSelf();
  if (Object.values(self).every((value) => value !== '')) knownSelf = self;
  return { ...self, nonce: randomHex(16) };
}

/** Reads the facts from the system anew. */
function readSelf(): Self {
  const thread = ownThread();
  return {
    pid: process.pid,
    started: thread === '' ? '' : startTimeOf(process.pid),
    thread,
    threadStarted: thread === '' ? '' : startTimeOf(process.pid, thread),
    boot: systemText('/proc/sys/kernel/random/boot_id'),
    namespace: systemLink('/proc/self/ns/pid'),
    host: hostname(),
  };
}

/** Parses the text of a lock; undefined for anything that this program did not write in full. */
export function parseOwner(text: string): LockOwner | undefined {
  return ownerShape.safeParse(parsedJson(text)).data;
}

/** True where the owner cannot be alive. `writtenMs` is when the file of the lock last changed, by the clock of the file system. */
export function isCertainlyDead(owner: LockOwner, writtenMs: number, self: Self = thisProcess()): boolean {
  if (owner.host !== self.host) return false;
  // Two machines of one name that share a folder have different boots. A lock that was written after our boot is
  // then by the other machine, and counts as alive.
  if (owner.boot !== self.boot) return owner.boot !== '' && self.boot !== '' && writtenMs < bootedAtMs();
  if (owner.namespace !== self.namespace) return false;
  if (!isRunning(owner.pid)) return true;
  // Without a procfs of its own namespace, only the number of another process is known.
  if (self.thread === '' || owner.started === '') return false;
  const started = startTimeOf(owner.pid);
  if (started !== '' && started !== owner.started) return true;
  return started !== '' && owner.threadStarted !== '' && isThreadGone(owner);
}

/** True where the thread has ended. The process can be looked into, so a thread that is missing there does not exist. */
function isThreadGone({ pid, thread, threadStarted }: LockOwner): boolean {
  try {
    return startTimeIn(ambientReadText(`/proc/${pid}/task/${thread}/stat`)) !== threadStarted;
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH';
  }
}

/** Answers the time of the boot in milliseconds. It is computed from the present clock, so that setting the clock moves it. */
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

/** Answers the start time of a process or thread in clock ticks; empty where it cannot be read. */
function startTimeOf(pid: number, thread?: string): string {
  return startTimeIn(systemText(`/proc/${pid}/${thread === undefined ? '' : `task/${thread}/`}stat`));
}

/** Answers the 22nd field of a stat line. The process name before it may contain spaces and brackets. */
function startTimeIn(stat: string): string {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Answers the number of this thread; empty where there is no procfs, or one of another PID namespace. */
function ownThread(): string {
  const [pid, , thread] = systemLink('/proc/thread-self').split('/');
  return thread !== undefined && pid === String(process.pid) ? thread : '';
}

function systemLink(path: string): string {
  return ignoring('all', () => ambientReadlink(path)) ?? '';
}

function systemText(path: string): string {
  return ignoring('all', () => ambientReadText(path).trim()) ?? '';
}

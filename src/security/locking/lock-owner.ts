// Who holds a lock, and whether that process, or that thread of it, certainly no longer lives. "Certainly":
// where there is any doubt (another machine, another container, an unreadable lock), the answer is that it
// lives. Never the age of a lock: its owner may have been stopped, and the clock may have been set.
import { hostname, uptime } from 'node:os';
import { z } from 'zod';
import { parsedJson, randomHex } from '../../state/index.ts';
import { ignoring } from '../errors/io-refusal.ts';
import { ambientReadlink, ambientReadText, errnoOf } from '../fs/ambient-fs.ts';

const ownerShape = z
  // A later version may say more.
  .object({
    pid: z.number().int().positive(),
    /** Clock ticks since boot, from /proc; tells a process from a later one with the same number. */
    started: z.string(),
    /** The thread's number in the system; the process may live on when a thread of it was ended. */
    thread: z.string().regex(/^\d{0,20}$/u),
    threadStarted: z.string(),
    boot: z.string(),
    /** The PID namespace: the same number means somebody else in another container. */
    namespace: z.string(),
    host: z.string(),
    /** Becomes a part of a file name, as the thread does. */
    nonce: z.string().regex(/^[0-9a-f]{32}$/u),
  })
  .readonly();
export type LockOwner = z.infer<typeof ownerShape>;

type Self = Omit<LockOwner, 'nonce'>;

/** None of it changes while this thread lives: asked for until all of it could be read. */
let own: Self | undefined;

/** And this thread of it, with a nonce of its own. */
export function thisProcess(): LockOwner {
  const self = own ?? readSelf();
  if (Object.values(self).every((value) => value !== '')) own = self;
  return { ...self, nonce: randomHex(16) };
}

/** By what the system says now. */
export function readSelf(): Self {
  const thread = ownThread();
  return {
    pid: process.pid,
    started: thread === '' ? '' : startOf(process.pid),
    thread,
    threadStarted: thread === '' ? '' : startOf(process.pid, thread),
    boot: systemText('/proc/sys/kernel/random/boot_id'),
    namespace: systemLink('/proc/self/ns/pid'),
    host: hostname(),
  };
}

/** Undefined for anything that this program did not write in full. */
export function parseOwner(text: string): LockOwner | undefined {
  return ownerShape.safeParse(parsedJson(text)).data;
}

/** `writtenMs`: when the file that names the owner was last changed, by the clock of the file system. */
export function isCertainlyDead(owner: LockOwner, writtenMs: number, self: Self = thisProcess()): boolean {
  if (owner.host !== self.host) return false;
  // Two machines of one name that share a folder have two boots as well; what was written since ours began is by
  // the other one.
  if (owner.boot !== self.boot) return owner.boot !== '' && self.boot !== '' && writtenMs < bootedAtMs();
  if (owner.namespace !== self.namespace) return false;
  if (!isRunning(owner.pid)) return true;
  // Without a procfs of its own namespace, a number is all that is known of another process.
  if (self.thread === '' || owner.started === '') return false;
  const started = startOf(owner.pid);
  if (started !== '' && started !== owner.started) return true;
  return started !== '' && owner.threadStarted !== '' && isThreadGone(owner);
}

/** Of a process that can be looked into, so that what is missing there does not exist. */
function isThreadGone({ pid, thread, threadStarted }: LockOwner): boolean {
  try {
    return startIn(ambientReadText(`/proc/${pid}/task/${thread}/stat`)) !== threadStarted;
  } catch (error) {
    return errnoOf(error) === 'ENOENT' || errnoOf(error) === 'ESRCH';
  }
}

/** By the clock of now: a clock that was set in between moves it. */
export function bootedAtMs(): number {
  return Date.now() - uptime() * 1_000;
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: it runs, as somebody else. Only ESRCH says that there is none.
    return errnoOf(error) !== 'ESRCH';
  }
}

/** Empty where it is not to be had. */
function startOf(pid: number, thread?: string): string {
  return startIn(systemText(`/proc/${pid}/${thread === undefined ? '' : `task/${thread}/`}stat`));
}

/** The 22nd field of a stat line; the name before it may contain spaces and brackets. */
function startIn(stat: string): string {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

/** Empty where there is no procfs, or one that was mounted for another PID namespace. */
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

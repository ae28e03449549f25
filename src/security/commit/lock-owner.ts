// Who holds a lock, and whether that process certainly no longer lives. "Certainly": where there is any
// doubt (another machine, another container, an unreadable lock), the answer is that it lives.
import { randomBytes } from 'node:crypto';
import { hostname, uptime } from 'node:os';
import { ambientReadlink, ambientReadText, errnoOf } from '../ambient-fs.ts';
import { parsedJson } from './intent.ts';

export interface LockOwner {
  readonly pid: number;
  /** Clock ticks since boot, from /proc; tells a process from a later one with the same number. */
  readonly started: string;
  readonly boot: string;
  /** The PID namespace: the same number means somebody else in another container. */
  readonly namespace: string;
  readonly host: string;
  readonly nonce: string;
}

const FIELDS = ['started', 'boot', 'namespace', 'host', 'nonce'] as const;

export function thisProcess(): LockOwner {
  return {
    pid: process.pid,
    started: startOf(process.pid),
    boot: systemText('/proc/sys/kernel/random/boot_id'),
    namespace: pidNamespace(),
    host: hostname(),
    nonce: randomBytes(16).toString('hex'),
  };
}

/** Undefined for anything that this program did not write in full. */
export function parseOwner(text: string): LockOwner | undefined {
  const value = parsedJson(text);
  if (typeof value !== 'object' || value === null || !('pid' in value)) return undefined;
  const { pid } = value;
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid < 1) return undefined;
  const texts = FIELDS.map((field): unknown => Reflect.get(value, field));
  const [started, boot, namespace, host, nonce] = texts.filter((field) => typeof field === 'string');
  if (started === undefined || boot === undefined || namespace === undefined || host === undefined)
    return undefined;
  // The nonce becomes part of a file name.
  return nonce !== undefined && /^[0-9a-f]{32}$/u.test(nonce)
    ? { pid, started, boot, namespace, host, nonce }
    : undefined;
}

export function isCertainlyDead(owner: LockOwner): boolean {
  const self = thisProcess();
  if (owner.host !== self.host) return false;
  if (owner.boot !== self.boot) return true;
  if (owner.namespace !== self.namespace) return false;
  if (!isRunning(owner.pid)) return true;
  const started = startOf(owner.pid);
  return started !== '' && owner.started !== '' && started !== owner.started;
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

/** The 22nd field of /proc/<pid>/stat; the name before it may contain spaces and brackets. */
function startOf(pid: number): string {
  const stat = systemText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
}

function pidNamespace(): string {
  try {
    return ambientReadlink('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function systemText(path: string): string {
  try {
    return ambientReadText(path).trim();
  } catch {
    return '';
  }
}

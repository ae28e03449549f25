// What the process was started with: flags that load code into it or write its memory to the disk, an open
// debugger, the environment. Refuses, switches off or reports; what another process of the same user
// may do (ptrace, /proc/…/mem) it cannot prevent.
import { UsageError } from '../settings/usage-error.ts';

/** Flags of Node by which foreign code, or a copy of the memory, gets past the airlock. */
const RISKY = [
  ...['-r', '--require', '--import', '--loader', '--experimental-loader', '-e', '--eval', '-p', '--print'],
  ...['--inspect', '--inspect-brk', '--inspect-wait', '--debug-port', '--inspect-port'],
  ...['--report-', '--heapsnapshot-', '--heap-prof', '--cpu-prof', '--prof', '--trace-', '--diagnostic-dir'],
  ...['--abort-on-uncaught-exception', '--allow-natives-syntax', '--expose-internals', '--security-revert'],
  ...['--env-file', '--experimental-vm-modules', '--experimental-require', '--preserve-symlinks'],
];

/** The names of the risky flags, without what was given to them: that may be a path or a token. */
export function riskyNodeFlags(execArgv: readonly string[], nodeOptions: string | undefined): string[] {
  const words = [...execArgv, ...(nodeOptions ?? '').split(/\s+/)];
  const names = words.map((word) => word.replace(/^"/, '').split('=', 1)[0] ?? '');
  const isNamed = (name: string) => (risky: string) =>
    risky.endsWith('-') ? name.startsWith(risky) : name === risky;
  return [...new Set(names.filter((name) => RISKY.some(isNamed(name))))];
}

/** Whoever speaks to an open debugger is inside of the airlock, and browsers have been made to. */
export async function refuseDebugger(): Promise<void> {
  // Node opens it at this signal too, unless somebody else listens.
  process.on('SIGUSR1', () => undefined);
  if (!process.features.inspector) return;
  const { url } = await import('node:inspector');
  if (url() !== undefined) throw new UsageError('a debugger is open (--inspect): start without it');
}

/** Reports name the environment and the stack, and whatever was in it. */
export function keepMemoryPrivate(): void {
  process.umask(0o077);
  process.report.reportOnFatalError = false;
  process.report.reportOnUncaughtException = false;
  process.report.reportOnSignal = false;
}

/** What packages print is no record, and may quote whatever they were given. */
export function silenceConsole(): void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined;
}

/** A token that is not there cannot leak, into a report or a child either. */
export function forgetEnvironment(): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
}

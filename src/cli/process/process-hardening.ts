// Hardens the process against how it was started: flags that load code into it or write its memory to the disk, a debugger, and the
// environment. Another process of the same user can still read the memory (ptrace, /proc/…/mem).
import { UsageError } from '../settings/usage-error.ts';

/** The flags of Node that load foreign code, or write out a copy of the memory. A name that ends with `-` stands for all that begin so. */
const RISKY = [
  ...['-r', '--require', '--import', '--loader', '--experimental-loader', '-e', '--eval', '-p', '--print'],
  ...['--inspect', '--inspect-brk', '--inspect-wait', '--debug-port', '--inspect-port'],
  ...['--report-', '--heapsnapshot-', '--heap-prof', '--cpu-prof', '--prof', '--trace-', '--diagnostic-dir'],
  ...['--abort-on-uncaught-exception', '--allow-natives-syntax', '--expose-internals', '--security-revert'],
  ...['--env-file', '--experimental-vm-modules', '--experimental-require', '--preserve-symlinks'],
];

/** Returns the names of the risky flags without their values, which may be a path or a token. */
export function riskyNodeFlags(execArgv: readonly string[], nodeOptions: string | undefined): string[] {
  const words = [...execArgv, ...(nodeOptions ?? '').split(/\s+/)];
  const names = words.map((word) => word.replace(/^"/, '').split('=', 1)[0] ?? '');
  const isNamed = (name: string) => (risky: string) =>
    risky.endsWith('-') ? name.startsWith(risky) : name === risky;
  return [...new Set(names.filter((name) => RISKY.some(isNamed(name))))];
}

/** Throws UsageError if a debugger is open, because whoever connects to it controls the process. Even web pages have done that. */
export async function refuseDebugger(): Promise<void> {
  // Node would open one at this signal as well, unless somebody listens to it.
  process.on('SIGUSR1', () => undefined);
  if (!process.features.inspector) return;
  const { url } = await import('node:inspector');
  if (url() !== undefined) throw new UsageError('a debugger is open (--inspect): start without it');
}

/** Keeps new files from other users, and switches off Node's reports, which hold the environment and the stack. */
export function keepMemoryPrivate(): void {
  process.umask(0o077);
  process.report.reportOnFatalError = false;
  process.report.reportOnUncaughtException = false;
  process.report.reportOnSignal = false;
}

/** Silences the console, because packages may print whatever they were given, past the rules of the log. */
export function silenceConsole(): void {
  for (const name of ['log', 'info', 'warn', 'error', 'debug'] as const) console[name] = () => undefined;
}

/** Clears the environment: a token that is gone cannot leak into a report or a child process. */
export function forgetEnvironment(): void {
  for (const name of Object.keys(process.env)) delete process.env[name];
}

// The signals that ask the command to end. A write is one synchronous section, so a signal is heard
// before or after it, never inside; the second of a kind finds no listener and kills at once.

export function onEndSignal(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
}

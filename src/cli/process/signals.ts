// The signals that ask the command to end, or to look again at what the operator has changed. A write is one synchronous
// section, so a signal is heard before or after it, never inside; the second of a kind that ends finds no listener and
// kills at once.

export function onEndSignal(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
}

/** For a server that no terminal has started: SIGHUP ends nothing. */
export function onServiceSignals({
  end,
  reload,
}: {
  readonly end: () => void;
  readonly reload: () => void;
}): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, end);
  process.on('SIGHUP', reload);
}

// Signals that ask the command to end, or to reload what the operator has changed. A write is one synchronous section, so a
// signal is heard before or after it, never inside. The second signal that ends finds no listener, and kills at once.

export function onEndSignal(end: () => void): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
}

/** Listens to signals for a server without a terminal, which SIGHUP does not end. */
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

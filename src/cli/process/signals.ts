// Listens to signals that end the command, or make it reload files of the operator. A write is one synchronous section, so that no
// signal interrupts it. A second signal to end finds no listener, and kills the process at once.

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

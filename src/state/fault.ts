// Defines the faults of a state, for every engine. The layer above turns each kind into a refusal that says what to do.

/**
 * `busy` means that another process holds the state for long, and `full` that the disk has no room. `damaged` means that the data
 * differs from what was written. `replaced` means that it is no longer the state that this process has opened. `newer` means that a
 * later version of this program wrote it. `unreachable` means that it cannot be opened, or that the connection is lost.
 */
export type FaultKind = 'busy' | 'full' | 'damaged' | 'replaced' | 'newer' | 'unreachable';

export class StateFault extends Error {
  override readonly name = 'StateFault';
  readonly kind: FaultKind;

  constructor(kind: FaultKind, cause?: unknown) {
    super(`the state is ${kind}`, { cause });
    this.kind = kind;
  }
}

/** An error where no engine can be loaded. The message says what to install. */
export class NoEngine extends Error {
  override readonly name = 'NoEngine';
}

// The faults of a state, for every engine. The layer above turns each kind into a refusal with a way out.

/**
 * `busy`: another process holds the state for long. `full`: the disk has no room. `damaged`: the data differs from what was
 * written. `replaced`: it is no longer the state that this process has opened. `newer`: a later version of this program wrote
 * it. `unreachable`: it cannot be opened, or the connection is lost.
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

/** No engine can be loaded here; the message says what to install. */
export class NoEngine extends Error {
  override readonly name = 'NoEngine';
}

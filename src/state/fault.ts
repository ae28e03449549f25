// What can be wrong with a state, whichever engine keeps it. The layer above turns each kind into a refusal with a way out.

/**
 * `busy`: another process holds it for long · `full`: no room on the disk · `damaged`: its data is not what it wrote ·
 * `replaced`: it is no longer the state that this process has opened · `newer`: a later version of this program wrote it ·
 * `unreachable`: it cannot be opened, or the connection is lost.
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

/** No engine can be loaded here. The message says what to install. */
export class NoEngine extends Error {
  override readonly name = 'NoEngine';
}

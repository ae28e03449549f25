// An error in a policy file, with its place. It stops the start, because a policy that is not understood protects nothing. It
// is never shown to an agent.
import type { DataPath } from '../node-paths/node-path.ts';

export class PolicyFault extends Error {
  override readonly name = 'PolicyFault';
  /** The path to the node of the file that is wrong. */
  readonly at: DataPath;

  constructor(at: DataPath, reason: string) {
    super(reason);
    this.at = at;
  }
}

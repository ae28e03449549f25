// What is wrong with a policy file, and where in it: it stops the start, for a policy that is not understood protects
// nothing. Never shown to an agent.
import type { DataPath } from './facts.ts';

export class PolicyFault extends Error {
  override readonly name = 'PolicyFault';
  /** Leads to the node of the file that is wrong. */
  readonly at: DataPath;

  constructor(at: DataPath, reason: string) {
    super(reason);
    this.at = at;
  }
}

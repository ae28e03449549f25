// Makes the sandbox with which files are served and shown: it masks what it reads by the operator's policy.
import { Masking, maskedSandbox, type Policy, randomHex, type Sandbox } from '../../security/index.ts';
import { maskText } from './mask-text.ts';

interface Unmasked {
  readonly sandbox: Sandbox;
  readonly policy: Policy;
  /** The key for the fingerprints where no state has one. */
  readonly maskingKey?: string | undefined;
  /** Called with the name of each file before it is opened; a refusal that it throws is that of the file. */
  readonly onOpen?: ((file: string) => void) | undefined;
}

/** Returns the masked sandbox. */
export function withMasking({ sandbox, policy, maskingKey, onOpen }: Unmasked): Sandbox {
  const key = maskingKey ?? randomHex(32);
  return maskedSandbox(sandbox, new Masking(maskText(policy), key), onOpen);
}

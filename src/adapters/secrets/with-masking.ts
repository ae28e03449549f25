// Makes the sandbox with which files are served and shown: it masks what it reads by the operator's policy.
import { Masking, maskedSandbox, type Policy, type Sandbox, type State } from '../../security/index.ts';
import { maskText } from './mask-text.ts';

/** Answers the masked sandbox. `key` makes the fingerprints where no state has a key. */
export function withMasking(
  sandbox: Sandbox,
  {
    policy,
    state,
    key,
  }: { readonly policy: Policy; readonly state: State | undefined; readonly key: string },
): Sandbox {
  return maskedSandbox(sandbox, new Masking(maskText(policy), state?.store.maskingKey ?? key));
}

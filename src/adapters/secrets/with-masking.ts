// The sandbox that whoever serves or shows files works with: what it reads is masked as the operator's policy says.
import { Masking, maskedSandbox, type Policy, type Sandbox, type State } from '../../security/index.ts';
import { maskText } from './mask-text.ts';

/** `key`: of the fingerprints, where no state is kept that has one. */
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

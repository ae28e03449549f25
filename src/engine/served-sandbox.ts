// The sandbox through which all calls read files: secrets in it are masked.
import { withMasking } from '../adapters/index.ts';
import { randomHex, type Sandbox } from '../security/index.ts';
import type { EngineContext } from './engine.ts';

export function servedSandbox({
  sandbox,
  policy,
  state,
  maskingKey = randomHex(32),
}: EngineContext): Sandbox {
  return withMasking(sandbox, { policy, state, key: maskingKey });
}

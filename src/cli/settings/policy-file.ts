// The `--policy` option: the operator's rules about changes, read at start and held from then on.
import {
  type ChangePolicy,
  NO_RULES,
  quoted,
  Refusal,
  readOperatorFile,
  StartError,
} from '../../security/index.ts';

/** Throws StartError for a file that cannot be read, or a policy that cannot be trusted. */
export async function readPolicyFile(file: string | undefined): Promise<ChangePolicy> {
  if (file === undefined) return NO_RULES;
  // Most servers start without a policy, and should not wait for what reads it.
  const { readPolicy } = await import('../../adapters/index.ts');
  const text = readOperatorFile(file);
  try {
    return await readPolicy(text);
  } catch (error) {
    if (error instanceof Refusal || error instanceof StartError)
      throw new StartError(`--policy: cannot use ${quoted(file)}: ${error.message}`);
    throw error;
  }
}

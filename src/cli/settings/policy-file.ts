// Reads the file of the option `--policy`: the operator's rules about changes.

import { Refusal } from '../../security/errors/refusal.ts';
import { StartError } from '../../security/errors/start-error.ts';
import { type ChangePolicy, NO_RULES } from '../../security/policy/change-policy.ts';
import { readOperatorFile } from '../../security/policy/operator-file.ts';
import { quoted } from '../../security/text/visible.ts';

/** Reads the policy. Throws StartError for a file that cannot be read, or a policy that cannot be trusted. */
export async function readPolicyFile(file: string | undefined): Promise<ChangePolicy> {
  if (file === undefined) return NO_RULES;
  // The module is loaded on demand, because most servers start without a policy.
  const { readPolicy } = await import('../../adapters/policy/read-policy.ts');
  const text = readOperatorFile(file);
  try {
    return await readPolicy(text);
  } catch (error) {
    if (error instanceof Refusal || error instanceof StartError)
      throw new StartError(`--policy: cannot use ${quoted(file)}: ${error.message}`);
    throw error;
  }
}

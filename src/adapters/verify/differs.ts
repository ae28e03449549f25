// The refusal of an edit that would change something else than was meant.
import { Refusal } from '../../security/index.ts';

export function differs(reason: string): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    `Cannot make this edit: ${reason}`,
    {},
    { advice: ['Quote the value, or send it as json, so that it is exactly one value where it stands'] },
  );
}

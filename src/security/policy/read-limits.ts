// The schema of the comparisons of a rule (`change`) in a policy file. What contradicts itself or has no effect is a fault.
import { z } from 'zod';
import type { ChangeLimits } from './change-policy.ts';
import { expected, faultOf, mapping, oneOf, positive } from './policy-fields.ts';

/** The schema of the field `change`. */
export function limitsSchema(): z.ZodType<ChangeLimits> {
  return mapping({
    semver: oneOf(['not_lower', 'patch', 'minor']).exactOptional(),
    quantity: oneOf(['not_lower']).exactOptional(),
    max_step: z
      .union([percent(), positive().transform((maxStep) => ({ maxStep }))], expected('a number above 0'))
      .exactOptional(),
    absent: z.number(expected('a number')).exactOptional(),
    unchanged: z.literal(true, expected('true, or nothing')).exactOptional(),
  })
    .superRefine(({ semver, quantity, max_step, absent, unchanged }, { issues, addIssue }) => {
      if (absent !== undefined && max_step === undefined)
        addIssue(faultOf('absent', 'it is for max_step: what an added value is compared with'));
      const isEmpty = [semver, quantity, max_step, unchanged].every((limit) => limit === undefined);
      if (isEmpty && issues.length === 0)
        addIssue('change: expected semver, quantity, max_step or unchanged');
      if (
        semver !== undefined &&
        (quantity !== undefined || max_step !== undefined || unchanged !== undefined)
      )
        addIssue('change: a version is no number, and a new one is not unchanged: semver stands alone');
    })
    .transform(({ max_step, unchanged, ...others }) => ({
      ...others,
      ...max_step,
      ...(unchanged === undefined ? {} : { isUnchanged: unchanged }),
    }));
}

/** The largest step as a part of the old value, such as `20%`. */
function percent() {
  return z
    .string()
    .regex(/^\d+(?:\.\d+)?%$/u, { abort: true })
    .transform((text) => ({ maxStepPercent: Number(text.slice(0, -1)) }))
    .refine(({ maxStepPercent }) => maxStepPercent > 0, expected('more than 0%'));
}

// One wording for every budget that a text can exceed.
import { Refusal } from '../security/index.ts';

export function limitReached(what: string, allowed: number, unit: string, actual?: number): Refusal {
  const limit = actual === undefined ? { name: what, allowed, unit } : { name: what, allowed, unit, actual };
  return new Refusal(
    'YAML_LIMIT',
    `Cannot read this file: its ${what} exceeds the limit of ${allowed} ${unit}`,
    {},
    { limit },
  );
}

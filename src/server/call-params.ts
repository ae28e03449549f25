// What `tools/call` has to bring along, as the SDK checks it.
import { z } from 'zod';

/** The arguments raw: a schema that copies them would drop a `__proto__`, which must be refused instead. */
export const CallParams = z.looseObject({
  name: z.string(),
  arguments: z.custom<Readonly<Record<string, unknown>>>(isObject).optional(),
});

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

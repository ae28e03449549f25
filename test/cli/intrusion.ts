// What code that was loaded into the server can do there, by the report of children/intruder.mjs.
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { RawServer } from '../harness/raw-server.ts';

export const INTRUDER = fileURLToPath(new URL('./children/intruder.mjs', import.meta.url));

const Intrusion = z.object({
  attempts: z.array(z.tuple([z.string(), z.string()])).min(26),
  customs: z.array(z.tuple([z.string(), z.boolean()])),
});

export async function intrude(server: RawServer): Promise<z.infer<typeof Intrusion>> {
  server.child.kill('SIGUSR2');
  return Intrusion.parse(await server.logged('intruded'));
}

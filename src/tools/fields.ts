// The arguments that several tools share, described once.
import { z } from 'zod';
import type { Json } from '../adapters/index.ts';

export const fileField = z
  .string()
  .describe('Relative to the root: deploy/web.yaml (of several: @name/deploy/web.yaml)');

export const pathField = z
  .string()
  .describe(
    'spec.containers[0].image, labels["a.b/c"] or a JSON pointer (/spec/0). Empty: the whole document',
  );

export const docField = z
  .union(
    [z.number().int(), z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))],
    'expected an index, or node paths with plain values, such as {"metadata.name":"web"}',
  )
  .optional()
  .describe(
    'Which document: its index (-1: the last) or what it holds: {"kind":"Service","metadata.name":"web"}',
  );

/** What arrives in a request is JSON already, and passes as it is: zod's own JSON type would leave out keys named `__proto__`. */
export const jsonField = z.custom<Json>((value) => value !== undefined);

export const dryRunField = z
  .boolean()
  .default(true)
  .describe('false: write at once, where the operator allows it');

/** Of a tool with `dryRunField`: only a plain `false` asks for the files themselves to be changed. */
export function asksForWrite({ dry_run: dryRun }: Readonly<Record<string, unknown>>): boolean {
  return dryRun === false;
}

export const sha256Pattern = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hexadecimal digits');

/**
 * For a rule over several fields. zod skips such rules as soon as one field is wrong, and the caller
 * would meet them one call later instead of with all other problems.
 */
export const runEvenIfInvalid = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
} as const;

// The closed lists and small shapes that the records share. Every record is read with these before anything in it is used.
import { z } from 'zod';
import { isContentId } from './content-id.ts';

/**
 * How a write is confirmed, from the most lenient level to the strictest. `direct`: `dry_run: false` writes; `preview`: only
 * what was previewed; `client`: and the person at the client agrees; `human`: and a reviewer has signed it.
 */
export const APPROVALS = ['direct', 'preview', 'client', 'human'] as const;
/** Nobody can approve what is denied. */
export const LEVELS = [...APPROVALS, 'deny'] as const;
/** Who confirmed a write: as the level asks, or the person at the terminal of the command line. */
export const CONFIRMATIONS = [...APPROVALS, 'terminal'] as const;

export const sha256Field = z.string().regex(/^[0-9a-f]{64}$/u);
export const idField = z.string().refine(isContentId);
export const countField = z.number().int().nonnegative();

/** An instant as this program writes it: `2026-11-21T12:00:00.000Z`. */
export const timeField = z.string().refine((text) => {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === text;
});

/** 128 random bits: nobody can guess the id of a record from its contents. */
export const nonceField = z.string().regex(/^[\w-]{22}$/u);

/** Who calls: the client in its own words and, where a transport has verified one, the principal behind it. */
export const callerShape = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    principal: z.string().exactOptional(),
    scopes: z.array(z.string()).readonly().exactOptional(),
  })
  .readonly();
export type Caller = z.infer<typeof callerShape>;

/** Spans of the base text in UTF-16 units, `end` exclusive, and what replaces them. */
export const editShape = z
  .strictObject({ start: countField, end: countField, insert: z.string() })
  .readonly();

/** Where a trail ends: the number and the hash of its last record. */
export const trailPointShape = z.strictObject({ seq: countField, sha256: sha256Field }).readonly();
export type TrailPoint = z.infer<typeof trailPointShape>;

// Defines the closed lists and small shapes that records share. Every record is checked with these before it is used.
import { z } from 'zod';
import { isContentId } from './content-id.ts';

/**
 * The levels of confirmation, from the most lenient to the strictest. `direct` writes with `dry_run: false`, and `preview`
 * needs a preview. `client` also needs the agreement of the person at the client, and `human` the signature of a reviewer.
 */
export const APPROVALS = ['direct', 'preview', 'client', 'human'] as const;
/** All levels; what is denied can be approved by nobody. */
export const LEVELS = [...APPROVALS, 'deny'] as const;
/** The confirmation of a write: by its level, or by the person at the terminal of the command line. */
export const CONFIRMATIONS = [...APPROVALS, 'terminal'] as const;

export const sha256Field = z.string().regex(/^[0-9a-f]{64}$/u);
export const idField = z.string().refine(isContentId);
export const countField = z.number().int().nonnegative();

/** A time as this program writes it: `2026-11-21T12:00:00.000Z`. */
export const timeField = z.string().refine((text) => {
  const instant = new Date(text);
  return !Number.isNaN(instant.getTime()) && instant.toISOString() === text;
});

/** 128 random bits, so that nobody can guess the id of a record from its contents. */
export const nonceField = z.string().regex(/^[\w-]{22}$/u);

/** The caller: the client in its own words and, where a transport has verified one, the principal behind it. */
export const callerShape = z
  .strictObject({
    name: z.string(),
    version: z.string(),
    principal: z.string().exactOptional(),
    scopes: z.array(z.string()).readonly().exactOptional(),
    /** The trace of the client, in which the call was made. */
    trace_id: z
      .string()
      .regex(/^[0-9a-f]{32}$/u)
      .exactOptional(),
  })
  .readonly();
export type Caller = z.infer<typeof callerShape>;

/** Spans of the base text in UTF-16 units, `end` exclusive, and the text that replaces them. */
export const editShape = z
  .strictObject({ start: countField, end: countField, insert: z.string() })
  .readonly();

/** The end of a trail: the number and the hash of its last record. */
export const trailPointShape = z.strictObject({ seq: countField, sha256: sha256Field }).readonly();
export type TrailPoint = z.infer<typeof trailPointShape>;

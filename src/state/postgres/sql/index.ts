// Composes the SQL of a PostgreSQL state, with a function for each operation that writes. Each call is one statement and one transaction
// without a session, which a pooler may send over any connection.
import { CHANGES } from './changes.ts';
import { PREVIEWS } from './previews.ts';
import { TABLES } from './tables.ts';
import { NOTICES, TRAIL } from './trail.ts';

/** The functions that a server calls. All others are for the owner of the schema, and for these functions themselves. */
export const SERVER_FUNCTIONS = [
  ...['facts', 'hash_of', 'require_same', 'change_of', 'status_of', 'texts_of'],
  ...['find_preview', 'waiting_previews', 'find_change', 'texts_used_by'],
  ...[
    'keep_preview',
    'drop_preview',
    'drop_expired',
    'record_decision',
    'begin_change',
    'end_change',
    'append',
    'claim_notice',
  ],
] as const;

/** Answers the statements for the second version of the schema: notices of the command `watch`. */
export function versionTwo(schema: string): string {
  return [NOTICES(schema), REVOKE(schema)].join('\n');
}

const REVOKE = (schema: string) => `REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${schema} FROM PUBLIC;`;

/** Answers the statements for the first version of the schema. */
export function versionOne(schema: string): string {
  return [TABLES, TRAIL(schema), PREVIEWS(schema), CHANGES(schema), REVOKE(schema)].join('\n');
}

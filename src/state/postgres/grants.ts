// Grants the rights of a server's account. It can read, and write through the functions of the schema, so that it cannot change or remove
// a record of the trail. Only the owner can update the schema, erase, and copy.
import { SCHEMA, schemaNamed } from './schema.ts';
import { SERVER_FUNCTIONS } from './sql/index.ts';

/** Answers the statements that the owner runs once, and again after each update. */
export function grantsOf(role: string, schemaName = SCHEMA): string {
  const schema = schemaNamed(schemaName);
  const server = `"${role.replaceAll('"', '""')}"`;
  const functions = SERVER_FUNCTIONS.map((name) => `${schema}.${name}`).join(', ');
  return `GRANT USAGE ON SCHEMA ${schema} TO ${server};
GRANT SELECT ON ALL TABLES IN SCHEMA ${schema} TO ${server};
GRANT EXECUTE ON FUNCTION ${functions} TO ${server};
`;
}

// What the functions of a PostgreSQL state have in common.

/**
 * With the rights of the schema's owner, so that whoever may only call them can write in no other way. The path keeps others
 * from putting tables or functions of their own in the place of those that are meant.
 */
export function writes(schema: string): string {
  return `LANGUAGE plpgsql SECURITY DEFINER SET search_path = ${schema}, pg_temp`;
}

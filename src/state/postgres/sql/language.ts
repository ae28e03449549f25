// What the functions of a PostgreSQL state have in common.

/**
 * In this language and not in SQL, because a server then plans what a function asks for once a connection, and not in each call.
 * It compiles none of that: for what takes a millisecond, that would take hundreds.
 */
export function reads(schema: string): string {
  return `LANGUAGE plpgsql STABLE SET jit = off SET search_path = ${schema}, pg_temp`;
}

/**
 * With the rights of the schema's owner, so that whoever may only call them can write in no other way. The path keeps others
 * from putting tables or functions of their own in the place of those that are meant.
 */
export function writes(schema: string): string {
  return `LANGUAGE plpgsql SECURITY DEFINER SET jit = off SET search_path = ${schema}, pg_temp`;
}

// Writes the common clauses of the SQL functions of a PostgreSQL state.

/**
 * The clauses for a function that reads. It is PL/pgSQL and not SQL, because a server then plans its queries once for each
 * connection. Compilation (JIT) is off, because it would take hundreds of milliseconds for a query of one.
 */
export function reads(schema: string): string {
  return `LANGUAGE plpgsql STABLE SET jit = off SET search_path = ${schema}, pg_temp`;
}

/**
 * The clauses for a function that writes. It has the rights of the schema's owner, so that an account that may only call it can
 * write in no other way. The search path keeps others from replacing tables or functions by their own.
 */
export function writes(schema: string): string {
  return `LANGUAGE plpgsql SECURITY DEFINER SET jit = off SET search_path = ${schema}, pg_temp`;
}

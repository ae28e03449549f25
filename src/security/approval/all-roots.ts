// The roots of a state that is opened on a machine without the files, such as that of a reviewer: what is kept for any root counts.

/** Stands in the place of a hash of roots. */
export const ALL_ROOTS = '*';

/** True where a record of these roots is one of those that are served. */
export function isServed(record: { readonly roots: string }, served: string): boolean {
  return served === ALL_ROOTS || record.roots === served;
}

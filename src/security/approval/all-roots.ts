// Says which records belong to the roots that are served. A machine without the files, such as a reviewer's, serves all roots.

/** Stands for all roots, in place of the hash of some. */
export const ALL_ROOTS = '*';

/** True if the record belongs to the served roots. */
export function isServed(record: { readonly roots: string }, served: string): boolean {
  return served === ALL_ROOTS || record.roots === served;
}

// The terms of a search; a node is found where it meets all of them.

export interface SearchTerms {
  /** The pattern for a key, or for a node path where it holds `.` or `[`. */
  readonly key?: string | undefined;
  /** The pattern for a scalar's decoded value. */
  readonly value?: string | undefined;
  /** A comparison with the value, or `missing`. */
  readonly where?: string | undefined;
}

// What a search asks of the nodes of a file. A node is found where it meets all of its terms.

export interface SearchTerms {
  /** Matches a key, or a node path where it holds `.` or `[`. */
  readonly key?: string | undefined;
  /** Matches a scalar's decoded value. */
  readonly value?: string | undefined;
  /** A comparison with the value, or `missing`. */
  readonly where?: string | undefined;
}

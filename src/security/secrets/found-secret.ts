// Where a secret was found in a text.

export interface FoundSecret {
  /** Where what tells that it is a secret begins: its name, for one. */
  readonly from: number;
  readonly start: number;
  readonly end: number;
}

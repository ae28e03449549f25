// The answers to the first words of an ordinary connection, made by the server itself when the package is:
// scripts/bundle/prepared.mjs stands in for this. Elsewhere there are none.

/** What stands before the id of an answer, and behind it. */
export type Template = readonly [before: string, after: string];

export interface Prepared {
  /** To `initialize`, by the protocol version that it names. */
  readonly greetings: Readonly<Record<string, Template>>;
  /** To `tools/list`. */
  readonly list: Template;
}

export const PREPARED: Prepared | undefined = undefined;

// An error that the operator has to mend before the server starts, in one clear line. It is never thrown after the start, and
// never shown to an agent, because it may name absolute paths in the operator's own words.

export class StartError extends Error {
  override readonly name = 'StartError';
}

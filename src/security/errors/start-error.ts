// What the operator has to mend before the server starts: one clear line. Never thrown after the start,
// and never shown to an agent (it may name absolute paths, which are the operator's own words).

export class StartError extends Error {
  override readonly name = 'StartError';
}

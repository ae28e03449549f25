// Something that the operator wrote is wrong. Its message is the one line that they get to read.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

// An error in what the operator wrote. Its message is the one line that is printed.

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

// Runs work that yields between its steps in one piece, where nobody else has to be served meanwhile.

export function runSync<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

// Lets work wait for other work of this process.

/** Returns a function that runs what it is given when all that was given before has ended. */
export function oneAfterAnother(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

// Stops work that an outsider may have made endless (a pattern that backtracks, a schema that leads back into itself) after a
// time. The script is one constant word: nothing of a request becomes code.
import { createContext, Script } from 'node:vm';

/** Returns the result of `work`, or undefined if the time ran out. Throws what `work` throws. */
export function withinTime<Result>(
  maxMs: number,
  work: () => Result,
): { readonly result: Result } | undefined {
  let done: { readonly result: Result } | undefined;
  const run = () => {
    done = { result: work() };
  };
  try {
    const realm = createContext({ run }, { codeGeneration: { strings: false, wasm: false } });
    new Script('run()').runInContext(realm, { timeout: Math.max(Math.ceil(maxMs), 1) });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return undefined;
  }
  return done;
}

/** True for the error of the timeout; it comes from another realm, and is no instance of this one's Error. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

// Work that an outsider may have made endless (a pattern that backtracks, a schema that leads back into
// itself) is stopped after its time. The script is one constant word: nothing of a request becomes code.
import { createContext, Script } from 'node:vm';

/** Throws what `work` throws; the result is undefined where the time ran out. */
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

/** Of the other realm: no instance of the Error of this one. */
function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' &&
    error !== null &&
    'code' in error &&
    error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}

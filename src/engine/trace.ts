// What may be written down of an unexpected error: its kind, and where in this package it was thrown.
// Never its message, which may quote what was being read, and no path of the machine.

const MAX_FRAMES = 12;
/** `…/src/` or `…/dist/`: what stands in front of it would tell about the machine. */
const OUR_CODE = new URL('../', import.meta.url).href;

export interface Trace {
  readonly name: string;
  /** As `server/dispatch.js:12`, innermost first. */
  readonly frames: readonly string[];
}

export function traceOf(error: unknown): Trace {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] };
  const stack = error.stack ?? '';
  // The stack begins with the message, which could pose as frames.
  const lines = stack.slice(stack.indexOf(error.message) + error.message.length).split('\n');
  return {
    name: /^\w{1,64}$/.test(error.name) ? error.name : 'Error',
    frames: lines.flatMap((line) => frameIn(line) ?? []).slice(0, MAX_FRAMES),
  };
}

function frameIn(line: string): string | undefined {
  const at = line.indexOf(OUR_CODE);
  return at === -1 ? undefined : /^[\w./-]+:\d+/.exec(line.slice(at + OUR_CODE.length))?.[0];
}

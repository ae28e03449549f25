// Work in steps, none of which takes long: done at once where it is little, and else with a turn of the event loop
// between them, so that others are heard meanwhile.
import { setImmediate as nextTurn } from 'node:timers/promises';

export type Steps<Result> = Generator<undefined, Result, undefined>;

export function atOnce<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}

export async function inTurns<Result>(steps: Steps<Result>): Promise<Result> {
  await nextTurn();
  let step = steps.next();
  while (step.done !== true) {
    await nextTurn();
    step = steps.next();
  }
  return step.value;
}

// Compiles the constraints of a rule (`value`, `change`) to a question about one node, and derives the level from the answer.
import { type Answer, answer, answerOfAll, isWithin } from './change-limits.ts';
import type { ChangeRule, Json } from './change-policy.ts';
import type { Found } from './facts.ts';
import { isStricter, type Level, strictest } from './levels.ts';
import { compileValue } from './value-schema.ts';

/** The values of a node before and after the change. */
export interface Values {
  readonly before: Found;
  readonly after: Found;
}

/** Compiles the constraints of a rule; undefined if it has none. */
export function constraintsOf({
  value,
  change,
  required,
  level,
  otherwise,
}: ChangeRule): ((values: Values) => Answer) | undefined {
  const isValue = value === undefined ? undefined : compileValue(value, isStricter(level, otherwise));
  if (isValue === undefined && change === undefined && required === undefined) return undefined;
  return ({ before, after }) => {
    const isValueHeld = valueAnswer(after, isValue ?? ((_: Json) => true));
    // A comparison of what goes is unclear, and not broken.
    if (isValue === undefined && required === undefined) return isWithin(change ?? {}, before, after);
    if (change === undefined || isValueHeld === 'no') return isValueHeld;
    return answerOfAll([isValueHeld, isWithin(change, before, after)]);
  };
}

function valueAnswer(after: Found, isValue: (value: Json) => boolean | undefined): Answer {
  if (after === 'unclear') return 'unclear';
  // A removed node has no value, and meets no constraint.
  if (after === 'none') return 'no';
  const holds = isValue(after.value);
  return holds === undefined ? 'unclear' : answer(holds);
}

/** Returns the level of the rule. What is unclear takes the stricter one, because it may be what the rule guards against. */
export function levelOf({ level, otherwise }: ChangeRule, holds: Answer): Level {
  return { yes: level, no: otherwise, unclear: strictest(level, otherwise) }[holds];
}

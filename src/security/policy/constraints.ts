// The constraints of a rule (`value`, `change`) as a question about one node, and which level of the rule follows from its answer.
import { type Answer, answer, answerOfAll, isWithin } from './change-limits.ts';
import type { ChangeRule, Json } from './change-policy.ts';
import type { Found } from './facts.ts';
import { isStricter, type Level, strictest } from './levels.ts';
import { compileValue } from './value-schema.ts';

/** Of a node, before and after. */
export interface Values {
  readonly before: Found;
  readonly after: Found;
}

/** Undefined where it has none. */
export function constraintsOf({
  value,
  change,
  level,
  otherwise,
}: ChangeRule): ((values: Values) => Answer) | undefined {
  const isValue = value === undefined ? undefined : compileValue(value, isStricter(level, otherwise));
  if (isValue === undefined && change === undefined) return undefined;
  return ({ before, after }) => {
    const isValueHeld = isValue === undefined ? 'yes' : valueAnswer(after, isValue);
    if (change === undefined || isValueHeld === 'no') return isValueHeld;
    return answerOfAll([isValueHeld, isWithin(change, before, after)]);
  };
}

function valueAnswer(after: Found, isValue: (value: Json) => boolean | undefined): Answer {
  if (after === 'unclear') return 'unclear';
  // What is removed has no value, and meets no constraint.
  if (after === 'none') return 'no';
  const holds = isValue(after.value);
  return holds === undefined ? 'unclear' : answer(holds);
}

/** Of what cannot be compared nobody can say that it is not what a rule about dangerous changes names. */
export function levelOf({ level, otherwise }: ChangeRule, holds: Answer): Level {
  return { yes: level, no: otherwise, unclear: strictest(level, otherwise) }[holds];
}

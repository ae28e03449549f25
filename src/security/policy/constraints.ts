// The constraints of a rule (`value`, `change`) as a question about one node, and which level of the rule follows from its answer.
import { type Answer, answerOfAll, isWithin, isWithinWindow } from './change-limits.ts';
import type { ChangeRule, Json } from './change-policy.ts';
import type { DataPath, DocumentVersions, Found } from './facts.ts';
import { isStricter, type Level, strictest } from './levels.ts';
import { compileValue } from './value-schema.ts';

/** Of a node, before and after. */
export interface Values {
  readonly before: Found;
  readonly after: Found;
}

/** What a constraint is about. */
export interface Node extends Values {
  readonly path: DataPath;
  readonly past: DocumentVersions['past'];
}

/** Undefined where it has none. */
export function constraintsOf({
  value,
  change,
  level,
  otherwise,
}: ChangeRule): ((node: Node) => Answer) | undefined {
  const isValue = value === undefined ? undefined : compileValue(value, isStricter(level, otherwise));
  if (isValue === undefined && change === undefined) return undefined;
  return ({ path, before, after, past }) => {
    const isValueHeld = isValue === undefined ? 'yes' : valueAnswer(after, isValue);
    if (change === undefined || isValueHeld === 'no') return isValueHeld;
    return answerOfAll([
      ...[isValueHeld, isWithin(change, before, after)],
      isWithinWindow(change, path, after, past),
    ]);
  };
}

function valueAnswer(after: Found, isValue: (value: Json) => boolean): Answer {
  if (after === 'unclear') return 'unclear';
  // What is removed has no value, and meets no constraint.
  return after !== 'none' && isValue(after.value) ? 'yes' : 'no';
}

/** Of what cannot be compared nobody can say that it is not what a rule about dangerous changes names. */
export function levelOf({ level, otherwise }: ChangeRule, holds: Answer): Level {
  return { yes: level, no: otherwise, unclear: strictest(level, otherwise) }[holds];
}

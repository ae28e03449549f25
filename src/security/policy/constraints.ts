// The constraints of a rule (`value`, `change`) as a question about one node, and which level of the rule follows from its answer.
import { type Answer, answer, answerOfAll, isWithin, isWithinWindow } from './change-limits.ts';
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
  readonly versions: DocumentVersions;
}

/** By which items of lists are known, whatever a rule says. */
const NAME: DataPath = ['name'];

/** Undefined where it has none. */
export function constraintsOf({
  value,
  change,
  paths = [],
  level,
  otherwise,
}: ChangeRule): ((node: Node) => Answer) | undefined {
  const isValue = value === undefined ? undefined : compileValue(value, isStricter(level, otherwise));
  if (isValue === undefined && change === undefined) return undefined;
  const fields = paths.flatMap(({ steps }) =>
    steps.flatMap((step) => (step.kind === 'items' ? [step.field] : [])),
  );
  return ({ path, before, after, versions }) => {
    const isValueHeld = isValue === undefined ? 'yes' : valueAnswer(after, isValue);
    if (change === undefined || isValueHeld === 'no') return isValueHeld;
    return answerOfAll([
      ...[isValueHeld, isWithin(change, before, after)],
      isWithinWindow(change, { path, after, versions, names: [NAME, ...fields] }),
    ]);
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

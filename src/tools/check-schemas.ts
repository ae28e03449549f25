// Whether an edit keeps the schemas that the operator has bound to its file.
import { counted, newViolations } from '../adapters/index.ts';
import { Refusal } from '../security/index.ts';
import type { EditCheck } from './edit-check.ts';
import { boundSchemas } from './schemas.ts';

/**
 * Throws SCHEMA_VIOLATION for what the edit breaks. What was broken before does not stop it, or nobody could
 * mend such a file step by step; the answer is a note that says so.
 */
export const checkSchemas: EditCheck = ({ path, base, result }, context) => {
  if (base.stream.text === result.stream.text) return [];
  return boundSchemas(path, context).flatMap(({ name, schema }) => {
    const { problems, older } = newViolations(base.stream, result.stream, schema);
    const [first] = problems;
    if (first === undefined)
      return older === 0 ? [] : [`The file breaks ${name} as it did before, in ${counted(older, 'place')}.`];
    const rest = older === 0 ? '' : `; ${older} more ${older === 1 ? 'was' : 'were'} there before`;
    throw new Refusal(
      'SCHEMA_VIOLATION',
      `Cannot make this edit: the result would break ${name} in ${counted(problems.length, 'place')}${rest}`,
      { file: path.toString(), path: first.path, line: first.line, column: first.column },
      { problems },
    );
  });
};

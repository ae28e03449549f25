// Checks an edit against the schemas that the operator has bound to its file. A file that could be checked must stay one that
// can.
import {
  type ConfigFile,
  counted,
  findViolations,
  isTemplate,
  newViolations,
  readEvenIfInvalid,
} from '../adapters/index.ts';
import { Refusal, type SafePath } from '../security/index.ts';
import { boundSchemas } from './read-file.ts';
import type { CallContext } from './tool.ts';

type SchemaContext = Pick<CallContext, 'policy' | 'sandbox'>;

/** One file as it was read, and as the edit leaves it. */
interface CheckedFile {
  readonly path: SafePath;
  readonly base: ConfigFile;
  readonly result: ConfigFile;
}

/**
 * Throws SCHEMA_VIOLATION for what the edit breaks in these schemas. Older violations do not stop it, because otherwise nobody
 * could mend such a file step by step; the answer is a note about them.
 */
export function checkSchemas({ path, base, result }: CheckedFile, context: SchemaContext): readonly string[] {
  const { limits } = context.policy;
  if (result.stream.isAbsent === true) return [];
  const after = readEvenIfInvalid(path, result.stream.text, limits);
  return boundSchemas(path, context).flatMap(({ name, schema }) => {
    if (!isCheckable(after.stream)) {
      if (base.stream.isAbsent === true || isCheckable(base.stream)) throw uncheckable(path, name);
      return [
        isTemplate(after.stream) ? notChecked(name) : `The file cannot be checked against ${name} as it is.`,
      ];
    }
    const { problems, older, unchecked } = isCheckable(base.stream)
      ? newViolations(base.stream, after.stream, schema)
      : { problems: findViolations(after.stream, schema), older: 0, unchecked: 0 };
    const [first] = problems;
    if (first === undefined)
      return [
        ...(older === 0 ? [] : [`The file breaks ${name} as it did before, in ${counted(older, 'place')}.`]),
        ...(unchecked === 0 ? [] : [`The file could not be checked against ${name}, as before.`]),
      ];
    if (first.code !== 'SCHEMA_VIOLATION') throw uncheckable(path, name, `${first.message}.`);
    const rest = older === 0 ? '' : `; ${older} more ${older === 1 ? 'was' : 'were'} there before`;
    throw new Refusal(
      'SCHEMA_VIOLATION',
      `Cannot make this edit: the result would break ${name} in ${counted(problems.length, 'place')}${rest}`,
      { file: path.toString(), path: first.path, line: first.line, column: first.column },
      { problems },
    );
  });
}

/** True if the file can be checked; the values of a template are unknown. */
function isCheckable(stream: ConfigFile['stream']): boolean {
  return stream.hasStructure !== false && !isTemplate(stream);
}

/**
 * Makes the refusal for a result that cannot be checked. Without it two edits could do what one may not: the first makes a
 * template of the file, the second a file again.
 */
function uncheckable(path: SafePath, schema: string, why = TEMPLATE): Refusal {
  return new Refusal(
    'SCHEMA_VIOLATION',
    `Cannot make this edit: the result could not be checked against ${schema}, to which the operator has bound this file`,
    { file: path.toString() },
    { advice: [why] },
  );
}

const TEMPLATE = 'Leave out what makes a template of the file, or what cannot be parsed';

/** Says that a template was not checked, because its values are unknown before it is filled in. */
export function notChecked(schema: string): string {
  return `The file is a template: it can be checked against ${schema} only once it is filled in, and was not.`;
}

// Checks an edit against the schemas that the operator bound to its file. A file that can be checked must stay checkable.
import { type ConfigFile, readEvenIfInvalid } from '../adapters/formats/registry.ts';
import { findViolations, newViolations } from '../adapters/schema/find-violations.ts';
import { isTemplate } from '../adapters/tree/actions.ts';
import { counted } from '../adapters/tree/wording.ts';
import { Refusal } from '../security/errors/refusal.ts';
import type { SafePath } from '../security/paths/safe-path.ts';
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
 * Throws SCHEMA_VIOLATION for new violations. Existing ones are only noted: otherwise such a file could not be fixed step by step.
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
 * Makes the refusal of a result that cannot be checked. Without it, two edits could bypass the schema: one that makes the file a
 * template, and one that undoes this.
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

/** Notes that a template was not checked: its values are unknown before it is rendered. */
export function notChecked(schema: string): string {
  return `The file is a template: it can be checked against ${schema} only once it is filled in, and was not.`;
}

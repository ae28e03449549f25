// What is asked of every edit before anything of it is shown. A new check is a function here and its name in CHECKS.
import { type ConfigFile, counted, newViolations } from '../adapters/index.ts';
import { Refusal, requireReplaceable, type SafePath } from '../security/index.ts';
import { boundSchemas } from './schemas.ts';
import type { CallContext } from './tool.ts';

export type ReviewContext = Pick<CallContext, 'policy' | 'sandbox'>;

/** One file as it was read, and as the edit leaves it. */
interface EditedFile {
  readonly path: SafePath;
  readonly base: ConfigFile;
  readonly result: ConfigFile;
}

type EditCheck = (edited: EditedFile, context: ReviewContext) => readonly string[];

/** In this order. */
const CHECKS: readonly EditCheck[] = [checkReplaceable, checkSchemas];

/** Throws the refusal of an edit that must not be made. Answers whole sentences, which are shown as warnings. */
export function checkEdit(edited: EditedFile, context: ReviewContext): readonly string[] {
  if (edited.base.stream.text === edited.result.stream.text) return [];
  return CHECKS.flatMap((check) => check(edited, context));
}

/**
 * Throws PERMISSION_DENIED for a file that could not be written at all, so that nobody approves what cannot be
 * applied. Where nothing is ever written, nothing is asked.
 */
function checkReplaceable({ path }: EditedFile, { policy, sandbox }: ReviewContext): readonly string[] {
  if (!policy.readOnly) requireReplaceable(sandbox, path);
  return [];
}

/**
 * Throws SCHEMA_VIOLATION for what the edit breaks of the schemas that the operator has bound to its file. What was
 * broken before does not stop it, or nobody could mend such a file step by step; the answer is a note that says so.
 */
function checkSchemas({ path, base, result }: EditedFile, context: ReviewContext): readonly string[] {
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
}

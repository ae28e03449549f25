// What the planners need to know of a file's language: one for YAML, one for JSON.
import { type Limits, type Problem, Refusal } from '../security/index.ts';
import type { Stream } from './tree/span-tree.ts';

export interface Syntax {
  readonly name: 'YAML' | 'JSON';
  /** Throws YAML_INVALID with all problems, or YAML_LIMIT. `tagHandles`: prefixes declared outside the text. */
  parse(text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>): Stream;
  /** The same tree or refusal, by a parser that shares no code with `parse` where the language has one. */
  parseByOther(text: string, limits: Limits): Stream;
}

const STRICT = 'Comments and trailing commas are not JSON: a file that needs them cannot be edited';
const SEE_ALL = 'See the errors with config_validate, and have a person mend the file';

/** One refusal for a text with syntax errors; it stands at the first of them. */
export function invalidSyntax(language: Syntax['name'], problems: readonly Problem[]): Refusal {
  const first = problems[0];
  const place = first === undefined ? '' : ` at line ${first.line}, column ${first.column}: ${first.message}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const where = { line: first?.line, column: first?.column };
  const message = `Cannot read this as ${language}: invalid${place}${more}`;
  return new Refusal('YAML_INVALID', message, where, {
    problems,
    ...(language === 'JSON' ? { advice: [STRICT, SEE_ALL] } : {}),
  });
}

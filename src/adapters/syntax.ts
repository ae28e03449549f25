// What the planners need to know of a file's language: one for YAML, one for JSON.
import { type Limits, type Problem, Refusal } from '../security/index.ts';
import type { Stream } from './tree/span-tree.ts';

export interface Syntax {
  readonly name: 'YAML' | 'JSON';
  /** Throws YAML_INVALID with all problems, or YAML_LIMIT. `tagHandles`: prefixes declared outside the text. */
  parse(text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>): Stream;
}

/** One refusal for a text with syntax errors; it stands at the first of them. */
export function invalidSyntax(language: Syntax['name'], problems: readonly Problem[]): Refusal {
  const first = problems[0];
  const place = first === undefined ? '' : ` at line ${first.line}, column ${first.column}: ${first.message}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const where = { line: first?.line, column: first?.column };
  return new Refusal('YAML_INVALID', `Cannot read this as ${language}: invalid${place}${more}`, where, {
    problems,
  });
}

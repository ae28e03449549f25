// The interface of a format: how its texts are read, and how values are written in them. A format is a folder below `formats/`
// and a line in the registry; no code outside of that folder asks which one it is.

import { type Problem, Refusal } from '../../security/errors/refusal.ts';
import type { Limits } from '../../security/policy/policy.ts';
import type { Json } from './json.ts';
import type { ScalarStyle, Span, Stream } from './span-tree.ts';

export interface Format {
  /** The name in messages. */
  readonly name: string;
  /** Parses a text. Throws SYNTAX_INVALID with all problems, UNSUPPORTED_FORMAT for one that is read as text only, or LIMIT_EXCEEDED. */
  readonly parse: (text: string, limits: Limits) => Stream;
  /** True if a second reader, which shares no code with `parse`, finds the same data in the text. */
  readonly reference?: (text: string, stream: Stream, limits: Limits) => boolean;
  /** Returns the values and comments of a text that is read as text only, so that all of them can be masked. */
  readonly valuesIn?: (text: string, limits: Limits) => readonly Span[];
  /** True if a file may hold several documents. */
  readonly hasDocuments?: true;
  /** A value as it arrives in a request, where that is no text of a whole file. Throws as `parse`. */
  readonly readFragment?: (text: string, limits: Limits) => Stream;
  /**
   * The layout of new collections. `block` puts them on lines of their own by indentation; `flow` in brackets, spaced as those
   * around them; `sections` below headers that name them, anywhere in the file, or in brackets.
   */
  readonly layout: 'block' | 'flow' | 'sections';
  /** The syntax of comments, where the format has any. */
  readonly comments?: CommentSyntax;
  /** True if an empty place can stand for null. */
  readonly hasEmptyValues: boolean;
  /** The key that merges the mapping behind it into the one that it stands in, where there is such a key. */
  readonly mergeKey?: string;
  /** True if its readers differ on some plain scalars, as those of YAML 1.1 and 1.2 do. */
  readonly hasDialects: boolean;
  /** The schema that a text names for itself, as it is written there. */
  readonly ownSchema: (stream: Stream) => string | undefined;
  /** Throws VALUE_INVALID where the file's reader would execute a text that is meant as data; what `old` holds may stay. */
  readonly requireData?: (text: string, old: string) => void;
  readonly writeScalar: (value: ScalarJson, place: ScalarPlace) => string;
  /** Writes a key. Throws VALUE_INVALID for one that no reader would take for a key. */
  readonly writeKey: (key: string, isFlow: boolean, quotes: KeyQuotes) => string;
  /** True if the key needs no quotes. */
  readonly isPlainKey: (key: string, isFlow: boolean) => boolean;
}

export interface CommentSyntax {
  /**
   * Writes lines of text as comments in the style of the file, whether or not they have marks already. With `isWithinLine`,
   * content follows on the line.
   */
  readonly write: (lines: readonly string[], stream: Stream, isWithinLine: boolean) => readonly string[];
  /** A comment on one line with the text of another behind its own, unless it holds that already. */
  readonly join: (old: string, added: string) => string;
}

type ScalarJson = Exclude<Json, readonly Json[] | { readonly [key: string]: Json }>;

export interface ScalarPlace {
  /** The style of what is replaced; 'empty' where there is none to keep. */
  readonly style: ScalarStyle;
  readonly isFlow: boolean;
  /** Returns the quotes for a string that needs some, where it has none to keep. */
  readonly quotes: () => KeyQuotes['style'];
  /** Returns the indentation of the lines of a block scalar. */
  readonly unit: () => number;
}

/** The quotes that keys have where they need some, and whether all of them have some. */
export interface KeyQuotes {
  readonly style: 'single' | 'double';
  readonly isAlways: boolean;
}

/** Makes one refusal for a text with syntax errors; its place is that of the first. */
export function invalidSyntax(
  format: string,
  problems: readonly Problem[],
  advice?: readonly string[],
): Refusal {
  const first = problems[0];
  const place = first === undefined ? '' : ` at line ${first.line}, column ${first.column}: ${first.message}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const where = { line: first?.line, column: first?.column };
  const message = `Cannot read this as ${format}: invalid${place}${more}`;
  return new Refusal('SYNTAX_INVALID', message, where, {
    problems,
    ...(advice === undefined ? {} : { advice }),
  });
}

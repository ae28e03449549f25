// What a format is to everybody else: how its texts are read and how values are written in them. A format is a folder
// below `formats/` and a line in the registry; nobody outside of that folder asks which one it is.
import { type Limits, type Problem, Refusal } from '../../security/index.ts';
import type { Json } from './json.ts';
import type { Sections } from './sections.ts';
import type { ScalarStyle, Stream } from './span-tree.ts';

export interface Format {
  /** As messages name it. */
  readonly name: string;
  /** Throws SYNTAX_INVALID with all problems, or LIMIT_EXCEEDED. `tagHandles`: prefixes declared outside the text. */
  readonly parse: (text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>) => Stream;
  /** The same tree or refusal, by a parser that shares no code with `parse`, where there is one. */
  readonly reference?: (text: string, limits: Limits) => Stream;
  /** How many documents a text holds, without parsing it, for lists of files; always one unless said otherwise. */
  readonly countDocuments?: (text: string) => number;
  /** A value as it arrives in a request, where that is no text of a whole file. Throws as `parse`. */
  readonly readFragment?: (text: string, limits: Limits) => Stream;
  /**
   * `block`: new collections stand on lines of their own by indentation. `flow`: in brackets, spaced as those around them.
   * `sections`: below headers that name them, in any place of the file, or in brackets.
   */
  readonly layout: 'block' | 'flow' | 'sections';
  /** Of the third layout alone. */
  readonly sections?: Sections;
  /** How comments are written, where there are any. */
  readonly comments?: CommentSyntax;
  /** Whether nothing at all can stand for null. */
  readonly hasEmptyValues: boolean;
  /** The key that merges the mapping behind it into the one that it stands in, where there is such a key. */
  readonly mergeKey?: string;
  /** Whether its readers take some plain scalars differently, as those of YAML 1.1 and 1.2 do. */
  readonly hasDialects: boolean;
  /** The schema that a text names for itself, as it is written there. */
  readonly ownSchema: (stream: Stream) => string | undefined;
  /** Throws VALUE_INVALID where a text that is data would be carried out by whoever reads the file; what `old` holds may stay. */
  readonly requireData?: (text: string, old: string) => void;
  readonly writeScalar: (value: ScalarJson, place: ScalarPlace) => string;
  /** Throws VALUE_INVALID for a key that no reader would take for one. */
  readonly writeKey: (key: string, isFlow: boolean, quotes: KeyQuotes) => string;
  /** Whether the key can stand without quotes. */
  readonly isPlainKey: (key: string, isFlow: boolean) => boolean;
}

export interface CommentSyntax {
  /** Lines of text, each with the marks of a comment or without, as comments in the style of the file; `isWithinLine`: content follows on the line. */
  readonly write: (lines: readonly string[], stream: Stream, isWithinLine: boolean) => readonly string[];
  /** A comment on one line with the text of another behind its own, unless it holds that already. */
  readonly join: (old: string, added: string) => string;
}

type ScalarJson = Exclude<Json, readonly Json[] | { readonly [key: string]: Json }>;

export interface ScalarPlace {
  /** The style of what is replaced; 'empty' where there is none to keep. */
  readonly style: ScalarStyle;
  readonly isFlow: boolean;
  /** Those of a string that needs some, where it has none to keep. */
  readonly quotes: () => KeyQuotes['style'];
  /** How far the lines of a block scalar are indented. */
  readonly unit: () => number;
}

/** The quotes that keys have where they need some, and whether all of them have some. */
export interface KeyQuotes {
  readonly style: 'single' | 'double';
  readonly isAlways: boolean;
}

/** One refusal for a text with syntax errors; it stands at the first of them. */
export function invalidSyntax(
  format: string,
  problems: readonly Problem[],
  advice?: readonly string[],
  firstText?: string,
): Refusal {
  const first = problems[0];
  const place = first === undefined ? '' : ` at line ${first.line}, column ${first.column}: ${first.message}`;
  const more = problems.length > 1 ? ` (and ${problems.length - 1} more)` : '';
  const where = { line: first?.line, column: first?.column };
  const message = `Cannot read this as ${format}: invalid${place}${more}`;
  return new Refusal('SYNTAX_INVALID', message, where, {
    problems,
    ...(advice === undefined ? {} : { advice }),
    ...(firstText === undefined ? {} : { firstText }),
  });
}

// YAML 1.2, and 1.1 where it reads the same. The scan is the one way to its tree; what that does not read is text only.

import { type Problem, Refusal } from '../../../security/errors/refusal.ts';
import type { Limits } from '../../../security/policy/policy.ts';
import { type Format, invalidSyntax } from '../../tree/format.ts';
import { lineAndColumn, withPlaces } from '../../tree/lines.ts';
import type { Stream } from '../../tree/span-tree.ts';
import { requireParsable } from '../../tree/wording.ts';
import { HASH_COMMENTS } from '../hash-comments.ts';
import { type Scanned, scanYaml } from './scan/scan-yaml.ts';
import { isReadAlike, valuesIn } from './second-reader.ts';
import { findSyntaxProblems, notClosed } from './syntax-problems.ts';
import { isPlainSafe, writeKey, writeScalar } from './write-scalar.ts';

export const YAML_FORMAT: Format = {
  name: 'YAML',
  parse: parseYaml,
  reference: isReadAlike,
  valuesIn,
  hasDocuments: true,
  layout: 'block',
  comments: HASH_COMMENTS,
  hasEmptyValues: true,
  mergeKey: '<<',
  hasDialects: true,
  ownSchema,
  writeScalar,
  writeKey,
  isPlainKey: isPlainSafe,
};

const MAX_COMMENTS = 50;

/** The schema that a file names for itself: `# yaml-language-server: $schema=…`. */
function ownSchema({ text, comments }: Stream): string | undefined {
  for (const { start, end } of comments.slice(0, MAX_COMMENTS)) {
    const comment = text.slice(start, Math.min(end, start + 1_024));
    const named = /^#\s*yaml-language-server:\s*\$schema=(\S+)/.exec(comment)?.[1];
    if (named !== undefined) return named;
  }
  return undefined;
}

/** Parses a text. Throws SYNTAX_INVALID with all problems, UNSUPPORTED_FORMAT for YAML that is read as text only, or LIMIT_EXCEEDED. */
export function parseYaml(text: string, limits: Limits): Stream {
  requireParsable(text, limits);
  const scanned = scanYaml(text, limits);
  if ('stream' in scanned) return scanned.stream;
  throw unread(text, scanned, limits);
}

/** The most tokens of a text that is looked through for its errors: a second's work where each costs most. */
const MOST_TOKENS = 200_000;

/** Makes the refusal of a text that the scan does not read. Throws LIMIT_EXCEEDED where it takes too long to say why. */
export function unread(text: string, { what, at }: Unread, limits: Limits): Refusal {
  const tokens = Math.min(limits.tokens, Math.max(MOST_TOKENS, limits.tokens / 10));
  const found = findSyntaxProblems(text, { ...limits, tokens });
  const problems = found.length > 0 || what !== 'the end of a quoted scalar' ? found : unclosed(text, at);
  return problems.length > 0 ? invalidSyntax('YAML', problems) : textOnly(what, lineAndColumn(text, at).line);
}

/** Returns the problem of a quote whose end is escaped at the end of the text, which `yaml` takes for the closing one. */
function unclosed(text: string, offset: number): readonly Problem[] {
  return withPlaces(text, [
    { offset, code: 'SYNTAX_INVALID', message: notClosed(text[offset] ?? '') } as const,
  ]);
}

type Unread = Exclude<Scanned, { readonly stream: Stream }>;

function textOnly(what: Unread['what'], line: number): Refusal {
  return new Refusal(
    'UNSUPPORTED_FORMAT',
    `Cannot read the keys of this file: about line ${line}, ${what} is written in a way that is valid YAML, and so rare that the file is read as text only`,
    { line },
    {
      advice: [
        'Read it with view "raw", search it by "text", and edit it with op "replace_text" and no path',
        `Or have a person write line ${line} in the usual way`,
      ],
    },
  );
}

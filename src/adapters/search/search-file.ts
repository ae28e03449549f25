// Where keys and values stand in one file. Says where, never what: a value is read with config_get.

import { Refusal } from '../../security/index.ts';
import { visitNodes } from '../tree/keys.ts';
import { type NodePath, printNodePath } from '../tree/node-path.ts';
import { outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';

export interface Match {
  readonly doc: number;
  readonly path: string;
  readonly line: number;
}

export interface SearchTerms {
  /** Matches a key, or a whole node path where it holds `.` or `[`. */
  readonly key?: string | undefined;
  /** Matches a scalar's decoded value. */
  readonly value?: string | undefined;
}

/** All matches in source order; with both terms, nodes that match both. */
export function searchFile(stream: Stream, terms: SearchTerms): Match[] {
  const { text, lines } = stream;
  const isKey = terms.key === undefined ? undefined : compileWildcard(terms.key);
  const isValue = terms.value === undefined ? undefined : compileWildcard(terms.value);
  const isPathPattern = terms.key !== undefined && /[.[]/.test(terms.key);
  const found: Match[] = [];
  for (const [doc, { root }] of stream.documents.entries())
    visitNodes(text, root, (node, path, key) => {
      if (matchesKey(path) && matchesValue(node))
        found.push({
          doc,
          path: printNodePath(path),
          line: lines.at(outerStart(key ?? node)),
        });
    });
  return found;

  function matchesKey(path: NodePath): boolean {
    if (isKey === undefined) return true;
    const last = path.at(-1);
    return (last?.kind === 'key' && isKey(last.key)) || (isPathPattern && isKey(printNodePath(path)));
  }

  function matchesValue(node: SpanNode): boolean {
    if (isValue === undefined) return true;
    return node.kind === 'scalar' && isValue(node.value);
  }
}

const MAX_PATTERN_LENGTH = 256;

/**
 * `*` is any run, `?` one character; without either: equality. Never a regular expression: the pattern comes from a request,
 * and takes at most its length times that of the text in steps. Throws ARGUMENT_INVALID for one over 256 characters.
 */
function compileWildcard(pattern: string): (text: string) => boolean {
  if (pattern.length > MAX_PATTERN_LENGTH) {
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot use this pattern: it is longer than ${MAX_PATTERN_LENGTH} characters`,
    );
  }
  if (!/[*?]/.test(pattern)) return (text) => text === pattern;
  const parts = pattern.replaceAll(/\*+/g, '*');
  return (text) => matches(parts, text);
}

/** Where a match fails, it goes back to the last `*` only: earlier ones have taken as little as they can. */
function matches(pattern: string, text: string): boolean {
  let inPattern = 0;
  let inText = 0;
  let star = -1;
  let resume = 0;
  while (inText < text.length) {
    const wanted = pattern[inPattern];
    if (wanted === '*') {
      star = inPattern;
      resume = inText;
      inPattern += 1;
    } else if (wanted === '?' || wanted === text[inText]) {
      inPattern += 1;
      inText += 1;
    } else if (star !== -1) {
      inPattern = star + 1;
      resume += 1;
      inText = resume;
    } else {
      return false;
    }
  }
  while (pattern[inPattern] === '*') inPattern += 1;
  return inPattern === pattern.length;
}

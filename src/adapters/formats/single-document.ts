// Makes the stream of a format whose files hold one document each, without tags and aliases.
import { LineIndex } from '../tree/lines.ts';
import type { AliasTargets, Span, SpanNode, Stream } from '../tree/span-tree.ts';

const NO_TARGETS: AliasTargets = new Map();

/** The content begins behind a byte order mark, where there is one. */
export function singleDocument(text: string, root: SpanNode, comments: readonly Span[] = []): Stream {
  const contentStart = text.startsWith('\uFEFF') ? 1 : 0;
  const spans = { start: 0, end: text.length, contentStart, contentEnd: text.length, root };
  const document = { ...spans, aliasTargets: NO_TARGETS };
  return { text, lines: new LineIndex(text), documents: [document], comments };
}

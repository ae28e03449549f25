// Parses a template to the tree of its literal text: its actions are masked, the mask is read as YAML, and every text in the
// tree is replaced by that of the source.
import { type Limits, type Problem, Refusal, unlessRefused } from '../../../security/index.ts';
import { actionsIn } from '../../tree/actions.ts';
import { ParsedDocument } from '../../tree/document.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { LineIndex, lineAndColumn } from '../../tree/lines.ts';
import type { DocumentSpans, Span, Stream } from '../../tree/span-tree.ts';
import { requireParsable } from '../../tree/wording.ts';
import { lexActions } from './lex-actions.ts';
import { type Masked, maskText } from './mask-text.ts';
import { restoreRoot, type Template } from './restore-tree.ts';
import { fillFor } from './template-lines.ts';

export const NAME = 'YAML template';

type Parse = (text: string, limits: Limits, tagHandles?: ReadonlyMap<string, string>) => Stream;

/**
 * Makes the parser. It throws SYNTAX_INVALID with the place that cannot be read, or LIMIT_EXCEEDED. `scanMask` is a fast way to
 * read what `parseMask` reads: it answers undefined if it is not sure.
 */
export function parseTemplateWith(
  parseMask: Parse,
  scanMask: (...given: Parameters<Parse>) => Stream | undefined = () => undefined,
): Parse {
  return (text, limits, tagHandles) => {
    requireParsable(text, limits);
    const lexed = lexActions(text);
    if ('message' in lexed) throw invalid(text, [lexed]);
    const fill = fillFor(text);
    if (fill === undefined)
      throw invalid(text, [{ offset: 0, message: 'it holds too many kinds of private characters' }]);
    if (lexed.lexemes.length === 0) return { ...parseMask(text, limits, tagHandles), actions: [] };
    // In the mask, each character of an action takes three bytes; the size of the text was checked already.
    const ofMask = { ...limits, parsedSizeBytes: limits.parsedSizeBytes * 3 };
    const read = (masked: Masked, within: Limits): Stream =>
      restored(
        { ...masked, text },
        readMask(text, masked.mask, () => parseMask(masked.mask, within, tagHandles)),
      );
    const scanned = (masked: Masked): Stream | undefined => {
      const stream = scanMask(masked.mask, ofMask, tagHandles);
      return stream && restored({ ...masked, text }, stream);
    };
    const narrow = maskText(text, lexed.lexemes, fill);
    const usual = scanned(narrow);
    if (usual !== undefined) return usual;
    // A template that cannot be read as most are may be readable in the wider way; otherwise the first error is
    // reported.
    const wide = maskText(text, lexed.lexemes, fill, true);
    const isOther = wide.mask !== narrow.mask;
    const rarer = isOther ? scanned(wide) : undefined;
    if (rarer !== undefined) return rarer;
    try {
      return read(narrow, ofMask);
    } catch (error) {
      const stream = isOther ? unlessRefused(() => read(wide, { ...ofMask, syntaxProblems: 1 })) : undefined;
      if (stream === undefined) throw error;
      return stream;
    }
  };
}

function readMask(text: string, mask: string, read: () => Stream): Stream {
  try {
    return read();
  } catch (error) {
    const problems =
      error instanceof Refusal && error.code === 'SYNTAX_INVALID' ? error.clues.problems : undefined;
    if (problems === undefined) throw error;
    throw invalid(
      text,
      problems.map(({ line, column, message }) => ({ offset: offsetOf(mask, line, column), message })),
    );
  }
}

/** Returns the offset of a line and column; in the mask, an action over several lines is on one. */
function offsetOf(mask: string, line: number, column: number): number {
  let start = 0;
  for (let i = 1; i < line; i++) start = mask.indexOf('\n', start) + 1;
  return Math.min(start + column - 1, mask.length);
}

function invalid(
  text: string,
  found: readonly { readonly offset: number; readonly message: string }[],
): Refusal {
  const problems = found.map(
    ({ offset, message }): Problem => ({ ...lineAndColumn(text, offset), code: 'SYNTAX_INVALID', message }),
  );
  return invalidSyntax(NAME, problems, [
    'Read it with view "raw", and edit it with replace_text without a path: that needs no structure',
  ]);
}

function restored(template: Template, masked: Stream): Stream {
  const { text, actions } = template;
  const documents = masked.documents.map((document): DocumentSpans => {
    const { start, end, contentStart, contentEnd, tagHandles } = document;
    const root = restoreRoot(template, document.root, end);
    return new ParsedDocument(text, { start, end, contentStart, contentEnd, tagHandles, root });
  });
  const comments = masked.comments.filter(({ start }) => text[start] === '#');
  const unseen = unseenOf(template, masked.comments);
  return {
    text,
    lines: new LineIndex(text),
    documents,
    comments,
    actions,
    ...(unseen.length > 0 && { unseen }),
    ...(masked.unindented !== undefined && { unindented: masked.unindented }),
  };
}

/** Returns the literal texts between the actions of hidden lines; adjacent lines are one. */
function unseenOf({ text, actions }: Template, comments: readonly Span[]): readonly Span[] {
  const found: { start: number; end: number }[] = [];
  const add = (from: number, to: number): void => {
    const literal = text.slice(from, to);
    if (literal.trim() === '') return;
    const start = from + literal.search(/\S/);
    const last = found.at(-1);
    if (last !== undefined && text.slice(last.end, start).trim() === '') last.end = to;
    else found.push({ start, end: to });
  };
  for (const { start, end } of comments) {
    if (text[start] === '#') continue;
    let at = start;
    for (const action of actionsIn(actions, { start, end })) {
      add(at, action.start);
      at = Math.max(at, action.end);
    }
    add(at, end);
  }
  return found;
}

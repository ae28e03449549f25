// Parses a template to the tree of its literal text: its actions are masked, the mask is read as YAML, and every text in the
// tree is replaced by that of the source.
import type { Limits, Problem, Refusal } from '../../../security/index.ts';
import { ParsedDocument } from '../../tree/document.ts';
import { invalidSyntax } from '../../tree/format.ts';
import { LineIndex, lineAndColumn } from '../../tree/lines.ts';
import type { DocumentSpans, Span, Stream } from '../../tree/span-tree.ts';
import { requireParsable } from '../../tree/wording.ts';
import { scanYaml } from '../yaml/scan/scan-yaml.ts';
import { isReadAlike, valuesIn } from '../yaml/second-reader.ts';
import { unread } from '../yaml/yaml-format.ts';
import { lexActions } from './lex-actions.ts';
import { type Masked, maskText } from './mask-text.ts';
import { restoreRoot, type Template } from './restore-tree.ts';
import { fillFor } from './template-lines.ts';

export const NAME = 'YAML template';

/** Parses a text. Throws SYNTAX_INVALID with the place that cannot be read, UNSUPPORTED_FORMAT, or LIMIT_EXCEEDED. */
export function parseTemplate(text: string, limits: Limits): Stream {
  const { masked: read, stream } = readMask(text, limits);
  return read.actions.length === 0 ? { ...stream, actions: [] } : restored({ ...read, text }, stream);
}

/** True if a second reader finds the same data in the masked text. */
export function isTemplateReadAlike(text: string, _: Stream, limits: Limits): boolean {
  const { masked: read, stream } = readMask(text, limits);
  return isReadAlike(read.mask, stream, limitsOfMask(limits));
}

/** Returns the values and comments of a template that is read as text only. */
export function valuesInTemplate(text: string, limits: Limits): readonly Span[] {
  const { mask } = masked(text);
  return valuesIn(mask, limitsOfMask(limits));
}

interface ReadMask {
  readonly masked: Masked;
  /** The mask as YAML. */
  readonly stream: Stream;
}

function readMask(text: string, limits: Limits): ReadMask {
  requireParsable(text, limits);
  const read = masked(text);
  const scanned = scanYaml(read.mask, limits);
  if ('stream' in scanned) return { masked: read, stream: scanned.stream };
  throw inSource(text, read.mask, unread(read.mask, scanned, limitsOfMask(limits)));
}

/** Masks a text. Throws SYNTAX_INVALID for actions that are not whole. */
function masked(text: string): Masked {
  const lexed = lexActions(text);
  if ('message' in lexed) throw invalid(text, [lexed]);
  const fill = fillFor(text);
  if (fill === undefined)
    throw invalid(text, [{ offset: 0, message: 'it holds too many kinds of private characters' }]);
  return maskText(text, lexed.lexemes, fill);
}

/** In the mask, each character of an action takes three bytes; the size of the text was checked already. */
function limitsOfMask(limits: Limits): Limits {
  return { ...limits, parsedSizeBytes: limits.parsedSizeBytes * 3 };
}

/** Returns the refusal of a mask with the places of the text. */
function inSource(text: string, mask: string, refusal: Refusal): Refusal {
  const { problems } = refusal.clues;
  if (problems === undefined) return refusal;
  return invalid(
    text,
    problems.map(({ line, column, message }) => ({ offset: offsetOf(mask, line, column), message })),
  );
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
    const { start, end, contentStart, contentEnd } = document;
    const root = restoreRoot(template, document.root, end);
    return new ParsedDocument(text, { start, end, contentStart, contentEnd, root });
  });
  const comments = masked.comments.filter(({ start }) => text[start] === '#');
  return {
    text,
    lines: new LineIndex(text),
    documents,
    comments,
    actions,
  };
}

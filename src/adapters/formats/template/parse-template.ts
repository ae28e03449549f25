// Parses a template to the tree of its literal text: its actions are masked, the mask is read as YAML, and every text in the
// tree is replaced by that of the source.

import type { Problem, Refusal } from '../../../security/errors/refusal.ts';
import type { Limits } from '../../../security/policy/policy.ts';
import { actionsIn } from '../../tree/actions.ts';
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
  const { mask } = masked(text, false);
  return valuesIn(mask, limitsOfMask(limits));
}

interface ReadMask {
  readonly masked: Masked;
  /** The mask as YAML. */
  readonly stream: Stream;
}

function readMask(text: string, limits: Limits): ReadMask {
  requireParsable(text, limits);
  const usual = masked(text, false);
  const scanned = scanYaml(usual.mask, limits);
  if ('stream' in scanned) return { masked: usual, stream: scanned.stream };
  // A template that cannot be read as most are may be readable in the wider way; otherwise the first error is
  // reported.
  const wide = masked(text, true);
  const rarer = wide.mask === usual.mask ? scanned : scanYaml(wide.mask, limits);
  if ('stream' in rarer) return { masked: wide, stream: rarer.stream };
  throw inSource(text, usual.mask, unread(usual.mask, scanned, limitsOfMask(limits)));
}

/** Masks a text, as most templates are masked unless `isWide`. Throws SYNTAX_INVALID for actions that are not whole. */
function masked(text: string, isWide: boolean): Masked {
  const lexed = lexActions(text);
  if ('message' in lexed) throw invalid(text, [lexed]);
  const fill = fillFor(text);
  if (fill === undefined)
    throw invalid(text, [{ offset: 0, message: 'it holds too many kinds of private characters' }]);
  return maskText(text, lexed.lexemes, fill, isWide);
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

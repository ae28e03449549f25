// Plans edits of values in sections: the format decides which lines change, and this file says what that means for the data.
import { Refusal } from '../../security/index.ts';
import type { Located, Step } from '../tree/locate.ts';
import type { Sections } from '../tree/sections.ts';
import { type Collection, isSectional, partsOf, type SpanNode } from '../tree/span-tree.ts';
import { keepingCommentColumn } from './comment-column.ts';
import { newValueOf } from './copied-part.ts';
import { dottedLines } from './dotted-keys.ts';
import { type Fragment, parseFragment } from './fragment.ts';
import { type Plan, type PlanContext, positionOf } from './intent.ts';
import { modelBeside } from './model.ts';
import { AS_NEEDED, keyQuotesOf, keySource, newKey } from './neighbour-style.ts';
import type { NewPart } from './part.ts';
import { type NewValue, readValue } from './read-value.ts';
import { writeContextOf } from './write-context.ts';

/** A new part of `node`, to which `located` leads; see `planPart`. */
export function planSectionPart(
  context: PlanContext,
  located: Located,
  node: Collection,
  index: number,
  { keys, isItem, value }: NewPart,
  isClose: boolean,
): Plan {
  const { stream, documentIndex, format } = context;
  const copied = 'copied' in value ? value.copied : undefined;
  const given = 'copied' in value ? newValueOf(value.copied) : value;
  const isTyped = 'json' in given;
  const isDirect = isTyped && keys.length + Number(isItem) < 2;
  const model = isDirect ? modelBeside(node, index, given.json, format) : undefined;
  const path = [...located.steps.map(nameOf), ...keys, ...(isItem ? [0] : [])];
  const fragment = readSection(context, located, given, path, model);
  const quotes = keyQuotesOf(format, stream.text, node);
  const quotesOf = (depth: number) => (depth === 0 ? quotes : AS_NEEDED);
  const edits = sectionsOf(context).insert(stream, located, {
    ...{ ...fragment, isTyped, isItem, index, isClose, comments: copied?.comments ?? [] },
    behindHeader: copied?.behindHeader ?? '',
    isDotted:
      copied !== undefined && isSectional(copied.node) && dottedLines(copied.text, copied.node) !== undefined,
    keys: keys.map((name, depth) => keySource(format, name, false, quotesOf(depth))),
  });
  const written = keys.map((name, depth) => newKey(format, name, false, quotesOf(depth)));
  const [key = 'item', ...inner] = isItem ? [...written, 'item' as const] : written;
  // The intent puts the part behind all others, because the order of the parts of a table has no meaning.
  const place = node.kind === 'mapping' ? partsOf(node).length : index;
  const at = positionOf(documentIndex, located.steps);
  return {
    edits,
    intent: { kind: 'insert', at, index: place, key, value: { around: inner, fragment: copied ?? fragment } },
  };
}

/** Plans another value for the node at `located`, which stands in sections or is a part of a value that does. */
export function planSectionValue(context: PlanContext, located: Located, value: NewValue): Plan {
  const { stream, documentIndex } = context;
  const { node, steps } = located;
  const fragment = readSection(context, located, value, steps.map(nameOf), node);
  if (steps.length === 0) requireTable(fragment);
  const edits = sectionsOf(context).replace(stream, located, { ...fragment, isTyped: 'json' in value });
  const at = positionOf(documentIndex, steps);
  const intent = { kind: 'replace', at, value: { around: [], fragment }, keeps: 'nothing' } as const;
  return { edits: isSectional(node) ? edits : keepingCommentColumn(stream, edits), intent };
}

function sectionsOf({ format }: PlanContext): Sections {
  if (format.sections === undefined) throw new Error('a format with sections says how they are edited');
  return format.sections;
}

/** A table may come with its own header, as it stands in the file: then it is the table that is meant, not one within. */
function readSection(
  context: PlanContext,
  located: Located,
  value: NewValue,
  path: readonly (string | number)[],
  model: SpanNode | undefined,
): Fragment {
  const { text } = context.stream;
  // Readers differ about CRLF line breaks within a string, so flow style writes them as escapes.
  const isFlow = text.includes('\r\n');
  const writeContext = { ...writeContextOf(text, context.document, located), isFlow };
  const fragment = readValue(context, value, writeContext, model);
  if ('json' in value || path.length === 0) return fragment;
  const inner = path.reduce<SpanNode | undefined>(
    (node, part) => node && onlyPart(node, part),
    fragment.node,
  );
  if (inner === undefined) return fragment;
  return parseFragment(sectionsOf(context).source(fragment.text, inner), context);
}

/** Returns the only part of a section, if it has this name (or is an item) and is a section itself; else undefined. */
function onlyPart(node: SpanNode, part: string | number): SpanNode | undefined {
  if (!isSectional(node)) return undefined;
  const [only, second] = partsOf(node);
  const isIt = only !== undefined && second === undefined && isSectional(only.value);
  const isNamed = only !== undefined && 'key' in only ? only.name === part : typeof part === 'number';
  return isIt && isNamed ? only.value : undefined;
}

function nameOf(step: Step): string | number {
  return step.kind === 'entry' ? (step.part.name ?? '') : step.index;
}

function requireTable({ node }: Fragment): void {
  if (node.kind === 'mapping') return;
  throw new Refusal(
    'VALUE_INVALID',
    'Cannot set this value: the whole of such a file is a table',
    {},
    { advice: ['Give lines such as name = "x", or the path of one key'] },
  );
}

// Schema violations of a file, each with its path and place.
import { type Problem, Refusal } from '../../security/index.ts';
import { lineAndColumns } from '../tree/lines.ts';
import { keyText } from '../tree/locate.ts';
import { indexSegment, keySegment, type NodePath, printNodePath, type Segment } from '../tree/node-path.ts';
import { type DocumentSpans, outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { toValue } from '../values/to-value.ts';
import type { CompiledSchema, Violation } from './schema.ts';

const WORDS: Readonly<Record<string, string>> = {
  required: 'a required key is missing',
  type: 'the value has the wrong type',
  enum: 'the value is none of those allowed',
  const: 'the value is not the one allowed',
  false: 'this key is not allowed here',
  pattern: 'the text does not match the pattern',
  format: 'the text does not have the format',
  minimum: 'the number is too small',
  exclusiveMinimum: 'the number is too small',
  maximum: 'the number is too large',
  exclusiveMaximum: 'the number is too large',
  multipleOf: 'the number is not a multiple',
  minLength: 'the text is too short',
  maxLength: 'the text is too long',
  minItems: 'the list has too few items',
  maxItems: 'the list has too many items',
  uniqueItems: 'two items of the list are the same',
  minProperties: 'the mapping has too few keys',
  maxProperties: 'the mapping has too many keys',
  anyOf: 'the value fits none of the alternatives',
  oneOf: 'the value does not fit exactly one of the alternatives',
  not: 'the value is of a kind that is not allowed',
  contains: 'the list lacks an item that it must have',
  dependentRequired: 'a key is missing that another one asks for',
};

/** In source order. `doc`: one document; all of them otherwise. A document without a JSON value is a problem too. */
export function findViolations(stream: Stream, schema: CompiledSchema, doc?: number): Problem[] {
  const found: { offset: number; problem: Omit<Problem, 'line' | 'column'> }[] = [];
  for (const [index, document] of stream.documents.entries()) {
    if (doc !== undefined && doc !== index) continue;
    try {
      const value = toValue(stream, document, document.root);
      for (const violation of schema.validate(value))
        found.push(placed(stream.text, document, index, violation));
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'ARGUMENT_INVALID') throw error;
      found.push({
        offset: document.contentStart,
        problem: { code: error.code, message: error.message, doc: index, path: '' },
      });
    }
  }
  found.sort((a, b) => a.offset - b.offset);
  const places = lineAndColumns(
    stream.text,
    found.map(({ offset }) => offset),
  );
  return found.map(({ problem }, i) => ({ ...problem, line: 1, column: 1, ...places[i] }));
}

/** Violations of `after` that `before` does not have: those that an edit brings in. */
export function newViolations(before: readonly Problem[], after: readonly Problem[]): Problem[] {
  const identity = ({ doc, path, message, expected }: Problem) =>
    JSON.stringify([doc, path, message, expected]);
  const old = new Set(before.map(identity));
  return after.filter((problem) => !old.has(identity(problem)));
}

function placed(text: string, document: DocumentSpans, doc: number, { at, keyword, expected }: Violation) {
  const { node, path, key } = walkTo(text, document.root, at);
  const place = keyword === 'false' && key !== undefined ? key : node;
  const message = WORDS[keyword] ?? `the value breaks the rule ${keyword}`;
  return {
    offset: outerStart(place),
    problem: { code: 'SCHEMA_VIOLATION', message, path: printNodePath(path), doc, expected } as const,
  };
}

/** As far as the source itself goes: behind an alias or a merge key the last node that was reached stands. */
function walkTo(text: string, root: SpanNode, tokens: readonly string[]) {
  let node = root;
  let key: SpanNode | undefined;
  const path: Segment[] = [];
  let isOpen = true;
  for (const token of tokens) {
    const next: Child | undefined = isOpen ? childOf(text, node, token) : undefined;
    isOpen = next !== undefined;
    if (next !== undefined) {
      node = next.node;
      key = next.key;
    }
    path.push(next?.segment ?? keySegment(token));
  }
  const result: { node: SpanNode; key: SpanNode | undefined; path: NodePath } = { node, key, path };
  return result;
}

interface Child {
  readonly node: SpanNode;
  readonly key: SpanNode | undefined;
  readonly segment: Segment;
}

function childOf(text: string, node: SpanNode, token: string): Child | undefined {
  if (node.kind === 'sequence') {
    const item = node.items[Number(token)];
    return item === undefined
      ? undefined
      : { node: item.value, key: undefined, segment: indexSegment(Number(token)) };
  }
  if (node.kind !== 'mapping') return undefined;
  const entry = node.entries.find(({ key }) => keyText(text, key) === token);
  return entry === undefined ? undefined : { node: entry.value, key: entry.key, segment: keySegment(token) };
}

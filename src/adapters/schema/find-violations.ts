// Finds the schema violations of a file, each with its path and place.

import { type Problem, Refusal } from '../../security/errors/refusal.ts';
import { printNodePath, type Segment } from '../../security/node-paths/node-path.ts';
import { holdsPlaceholder } from '../../security/text/placeholders.ts';
import type { Json } from '../tree/json.ts';
import { withPlaces } from '../tree/lines.ts';
import {
  type DocumentSpans,
  type Entry,
  type MappingNode,
  outerStart,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { unmatched } from '../tree/unmatched.ts';
import { toValue } from '../values/to-value.ts';
import { type CompiledSchema, childValue, type Violation } from './schema.ts';

interface Found {
  readonly offset: number;
  /** The source of the value that is wrong. */
  readonly source: string;
  /** True for a violation about a scalar. */
  readonly isValue?: boolean;
  readonly problem: Omit<Problem, 'line' | 'column'>;
}

/** Returns the violations in source order. `doc` selects one document; without it all are checked. A document without a JSON value is a problem too. */
export function findViolations(stream: Stream, schema: CompiledSchema, doc?: number): Problem[] {
  return problemsOf(stream, collect(stream, schema, doc));
}

/**
 * Returns the violations of `after` that an edit has brought in, and how many were there before; an item that only moved in its
 * list is still the one that was wrong. `unchecked` counts the documents that could be checked neither before nor after. Of one
 * that can be checked only now, all violations are new.
 */
export function newViolations(
  before: Stream,
  after: Stream,
  schema: CompiledSchema,
): { readonly problems: readonly Problem[]; readonly older: number; readonly unchecked: number } {
  const now = collect(after, schema);
  if (now.length === 0) return { problems: [], older: 0, unchecked: 0 };
  const old = collect(before, schema.anew());
  // A wrong value that takes the place of another one is the edit's own.
  const atItsPlace = ({ problem, isValue, source }: Found) =>
    JSON.stringify([identityOf(problem, problem.path), isValue === true ? source : '']);
  // A violation that has only moved, because another document came or went, is not new either.
  const isMoved = before.documents.length !== after.documents.length;
  const anywhere = ({ problem, source }: Found) => {
    const place = { ...problem, ...(isMoved ? { doc: 0 } : {}) };
    return JSON.stringify([identityOf(place, problem.path?.replaceAll(/\[-?\d+\]/g, '[]')), source]);
  };
  const fresh = unmatched(unmatched(now, old, atItsPlace), unmatched(old, now, atItsPlace), anywhere);
  const unchecked = now.filter(
    (one) => !fresh.includes(one) && one.problem.code !== 'SCHEMA_VIOLATION',
  ).length;
  return { problems: problemsOf(after, fresh), older: now.length - fresh.length - unchecked, unchecked };
}

function identityOf({ doc, message, expected }: Found['problem'], path: string | undefined) {
  return [doc, path, message, expected];
}

function collect(stream: Stream, schema: CompiledSchema, doc?: number): readonly Found[] {
  const found: Found[] = [];
  const entries = new Entries();
  for (const [index, document] of stream.documents.entries()) {
    if (doc !== undefined && doc !== index) continue;
    try {
      const value = toValue(document, document.root);
      for (const violation of schema.validate(value)) {
        const one = placed(stream.text, document, index, value, violation, entries);
        // A masked value is not the real one, and a schema must not be a way to test guesses of it, so its
        // violations are dropped.
        if (violation.keyword === 'false' || one.isValue !== true || !holdsPlaceholder(one.source))
          found.push(one);
      }
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === 'ARGUMENT_INVALID') throw error;
      const message = `not checked against the schema: ${error.message.replace(/^Cannot [^:]*: /, '')}`;
      const problem = { code: error.code, message, doc: index, path: '' };
      found.push({ offset: document.contentStart, source: '', problem });
    }
  }
  return found.sort((a, b) => a.offset - b.offset);
}

function problemsOf({ text }: Stream, found: readonly Found[]): Problem[] {
  return withPlaces(
    text,
    found.map(({ offset, problem }) => ({ ...problem, offset })),
  );
}

function placed(
  text: string,
  document: DocumentSpans,
  doc: number,
  value: Json,
  { at, keyword, expected }: Violation,
  entries: Entries,
): Found {
  const { node, path, key } = walkTo(entries, document.root, value, at);
  const place = keyword === 'false' && key !== undefined ? key : node;
  const message = keyword === 'false' ? 'this key is not allowed here' : `breaks "${keyword}"`;
  return {
    offset: outerStart(place),
    source: text.slice(node.start, node.end),
    isValue: node.kind === 'scalar',
    problem: { code: 'SCHEMA_VIOLATION', message, path: printNodePath(path), doc, expected },
  };
}

/** Follows the tokens as far as the source goes; after an alias or a merge key it stays at the last node that was reached. */
function walkTo(entries: Entries, root: SpanNode, value: Json, tokens: readonly string[]) {
  let reached: Child = { node: root, key: undefined, isMerged: false };
  let data: Json | undefined = value;
  const path: Segment[] = [];
  let isOpen = true;
  for (const token of tokens) {
    const next: Child | undefined = isOpen ? childOf(entries, reached.node, token) : undefined;
    isOpen = next !== undefined && !next.isMerged;
    reached = next ?? reached;
    path.push(Array.isArray(data) ? Number(token) : token);
    data = childValue(data, token);
  }
  return { ...reached, path };
}

interface Child {
  readonly node: SpanNode;
  readonly key: SpanNode | undefined;
  /** True if it was reached through a merge key. */
  readonly isMerged: boolean;
}

function childOf(entries: Entries, node: SpanNode, token: string): Child | undefined {
  if (node.kind === 'sequence') {
    const item = node.items.at(Number(token));
    return item === undefined ? undefined : { node: item.value, key: undefined, isMerged: false };
  }
  if (node.kind !== 'mapping') return undefined;
  const entry = entries.named(node, token);
  if (entry !== undefined) return { node: entry.value, key: entry.key, isMerged: false };
  const merge = entries.named(node, '<<');
  return merge === undefined ? undefined : { node: merge.value, key: merge.key, isMerged: true };
}

/** The entries of mappings by their key, looked through once: a large mapping may have thousands of violations. */
class Entries {
  readonly #known = new Map<MappingNode, ReadonlyMap<string | undefined, Entry>>();

  /** Returns the first entry of this name. */
  named(mapping: MappingNode, name: string): Entry | undefined {
    let byName = this.#known.get(mapping);
    if (byName === undefined) {
      byName = new Map(mapping.entries.map((entry) => [entry.name, entry] as const).reverse());
      this.#known.set(mapping, byName);
    }
    return byName.get(name);
  }
}

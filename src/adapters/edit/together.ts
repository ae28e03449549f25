// Which steps can be written on one reading of a text, because none of them depends on another.
import type { Carried } from '../prove/template-proof.ts';
import type { Span, SpanNode } from '../tree/span-tree.ts';
import type { Step } from './step.ts';
import type { WrittenStep } from './write-step.ts';

/** A step, and the document that it is in unless it names another. */
export interface AskedStep {
  readonly step: Step;
  readonly doc: number;
}

export interface WrittenTogether extends Span, Carried {
  readonly step: WrittenStep;
  /** The collection whose parts come or go, or get comments in a column; undefined for another value or key, and for a comment above. */
  readonly collection: SpanNode | undefined;
}

/** True for a step after which all other paths lead where they led before. */
export function isOfOnePlace({ step }: AskedStep): boolean {
  switch (step.do) {
    case 'insert':
      return step.key !== undefined || step.index === undefined;
    case 'remove':
    case 'rename':
      return typeof step.path.at(-1) === 'string';
    default:
      return step.do === 'replace' || step.do === 'comment';
  }
}

/**
 * True if no step writes where another one does: each in a collection of its own or far from other parts that go, and on lines
 * of its own or within its value.
 */
export function areApart(text: string, written: readonly WrittenTogether[]): boolean {
  if (!areInCollectionsApart(written)) return false;
  const all = written
    .flatMap((one) => one.edits.map((edit) => ({ one, ...edit })))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const isWithin = ({ one, start, end }: (typeof all)[number]) =>
    one.does === 'replace' && start >= one.start && end <= one.end && start < end;
  return all.every((edit, at) => {
    const next = all[at + 1];
    if (next === undefined || next.one === edit.one) return true;
    if (edit.end > next.start) return false;
    return text.slice(edit.end, next.start).includes('\n') || (isWithin(edit) && isWithin(next));
  });
}

/** Between parts that go, so many stay that no comma, blank line or comment belongs to two of them. */
const PARTS_BETWEEN = 3;

function areInCollectionsApart(written: readonly WrittenTogether[]): boolean {
  const changed = new Map<SpanNode, WrittenTogether[]>();
  for (const one of written) {
    if (one.collection === undefined) continue;
    const others = changed.get(one.collection);
    if (others === undefined) changed.set(one.collection, [one]);
    else others.push(one);
  }
  return [...changed.values()].every((all) => {
    const indexes = all.map(({ at }) => at.steps.at(-1)?.index ?? 0).sort((a, b) => a - b);
    const areFar = indexes.every((index, n) => n === 0 || index - (indexes[n - 1] ?? 0) > PARTS_BETWEEN);
    return all.length === 1 || (areFar && all.every(({ does }) => does === 'remove'));
  });
}

/** True if no step changes the indexes that lead to another. */
export function areIndexed(written: readonly WrittenTogether[]): boolean {
  const changed = new Set(written.map(({ collection }) => collection));
  return written.every(({ at, collection }) =>
    at.steps.every(({ container }) => container === collection || !changed.has(container)),
  );
}

// Which steps can be written on one reading of a text because none depends on another.
import type { Carried } from '../prove/template-proof.ts';
import type { Span, SpanNode } from '../tree/span-tree.ts';
import { usualIndex } from './neighbours.ts';
import type { Step } from './step.ts';
import type { WrittenStep } from './write-step.ts';

/** A step, with the document that it is in unless it names another. */
export interface AskedStep {
  readonly step: Step;
  readonly doc: number;
}

export interface WrittenTogether extends Span, Carried {
  readonly asked: Step;
  readonly step: WrittenStep;
  /** The collection whose parts are added or removed, or get aligned comments; undefined for a new value or key, and for a comment above. */
  readonly collection: SpanNode | undefined;
}

/** True if a step leaves the meaning of all other paths as it is. */
export function keepsPaths({ step }: AskedStep): boolean {
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
 * True if no two steps write in the same place: each has a collection of its own, is far from other removed parts, or follows other
 * new keys; and each is on lines of its own or within its value.
 */
export function areApart(text: string, written: readonly WrittenTogether[]): boolean {
  if (!areInCollectionsApart(text, written)) return false;
  const all = written
    .flatMap((one) => one.edits.map((edit) => ({ one, ...edit })))
    .sort((a, b) => a.start - b.start || a.end - b.end);
  const isWithin = ({ one, start, end }: (typeof all)[number]) =>
    one.does === 'replace' && start >= one.start && end <= one.end && start < end;
  return all.every((edit, at) => {
    const next = all[at + 1];
    if (next === undefined || next.one === edit.one) return true;
    if (edit.one.does === 'insert' && edit.one.collection === next.one.collection) return true;
    if (edit.end > next.start) return false;
    return text.slice(edit.end, next.start).includes('\n') || (isWithin(edit) && isWithin(next));
  });
}

/** With so many parts between them, two removed parts share no comma, blank line or comment. */
const PARTS_BETWEEN = 3;

function areInCollectionsApart(text: string, written: readonly WrittenTogether[]): boolean {
  const changed = new Map<SpanNode, WrittenTogether[]>();
  for (const one of written) {
    if (one.collection === undefined) continue;
    const others = changed.get(one.collection);
    if (others === undefined) changed.set(one.collection, [one]);
    else others.push(one);
  }
  return [...changed].every(
    ([collection, all]) => all.length === 1 || areFar(all) || areNewKeys(text, collection, all),
  );
}

function areFar(all: readonly WrittenTogether[]): boolean {
  const indexes = all.map(({ at }) => at.steps.at(-1)?.index ?? 0).sort((a, b) => a - b);
  return (
    all.every(({ does }) => does === 'remove') &&
    indexes.every((index, n) => n === 0 || index - (indexes[n - 1] ?? 0) > PARTS_BETWEEN)
  );
}

/** True for keys that are added one after another at the end of a mapping. */
function areNewKeys(text: string, mapping: SpanNode, all: readonly WrittenTogether[]): boolean {
  if (mapping.kind !== 'mapping') return false;
  const end = mapping.entries.length;
  const keys = all.flatMap(({ asked }) => (asked.do === 'insert' ? (asked.key ?? []) : []));
  const isSorted = usualIndex(text, mapping, '') < end;
  const [first] = all[0]?.edits ?? [];
  return (
    new Set(keys).size === all.length &&
    (!isSorted || keys.every((key, n) => n === 0 || (keys[n - 1] ?? '') < key)) &&
    all.every(({ asked, place, edits: [own, other] }) => {
      const isBehind = asked.do === 'insert' && asked.index === undefined && place === end;
      const isAlone = own !== undefined && other === undefined && own.start === own.end;
      return isBehind && isAlone && own.start === first?.start;
    })
  );
}

/** True if no step changes the indexes that lead to another. */
export function areIndexed(written: readonly WrittenTogether[]): boolean {
  const changed = new Set(written.map(({ collection }) => collection));
  return written.every(({ at, collection }) =>
    at.steps.every(({ container }) => container === collection || !changed.has(container)),
  );
}

/** Returns the steps with the final indexes of new parts, which follow other new parts of their collection. */
export function placed(written: readonly WrittenTogether[]): readonly WrittenTogether[] {
  const come = new Map<SpanNode, number>();
  return written.map((one) => {
    if (one.collection === undefined || one.place === undefined) return one;
    const before = come.get(one.collection) ?? 0;
    come.set(one.collection, before + 1);
    return { ...one, place: one.place + before };
  });
}

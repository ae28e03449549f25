// The heart of the proof: what an edit should have made of the data, against what it did make.
import { Refusal } from '../../security/index.ts';
import type { AliasDatum, Datum, MappingDatum, SequenceDatum, Unread } from './datum.ts';
import { lengthOf, type PartList } from './part-list.ts';
import { readsTheSame, runReadsTheSame } from './same-source.ts';

/**
 * `expected`: the old data with the operation applied; `actual`: the data of the new text.
 * Throws VERIFICATION_FAILED at the first difference, and ANCHOR_IN_USE where the operation takes away a
 * node that an alias means. Linear in the number of nodes: aliases are compared by the node they mean. Parts
 * that neither side has read yet are the same where they are written the same.
 */
export function compareData(expected: readonly Datum[], actual: readonly Datum[]): void {
  if (expected.length !== actual.length) throw differs('the number of documents would change');
  for (const [i, document] of expected.entries()) {
    const other = actual[i];
    if (other === undefined) throw differs('a document would vanish');
    new Comparison().compare(document, other);
  }
}

class Comparison {
  /** Expected node to actual node, for all nodes with an anchor so far: alias targets have one, and stand before their aliases. */
  readonly #pairs = new Map<Datum, Datum>();
  /** Anchors in force so far among the expected nodes, for aliases that the operation brings in. */
  readonly #anchors = new Map<string, Datum>();

  compare(expected: Datum, actual: Datum): void {
    if (expected.anchor !== undefined) {
      this.#pairs.set(expected, actual);
      this.#anchors.set(expected.anchor, expected);
    }
    if (expected.tag !== actual.tag) throw differs('a tag would change');
    if (expected.anchor !== actual.anchor) throw differs('an anchor would change');
    if (isUnreadSame(expected, actual)) return;
    switch (expected.kind) {
      case 'scalar':
        if (actual.kind !== 'scalar') throw differs('a node would change its kind');
        if (expected.isPlain !== actual.isPlain || expected.value !== actual.value)
          throw differs('another value would come out');
        return;
      case 'alias':
        if (actual.kind !== 'alias' || expected.name !== actual.name) throw differs('an alias would change');
        this.#compareTargets(expected, actual);
        return;
      case 'mapping':
        if (actual.kind !== 'mapping' || expected.entries.length !== actual.entries.length) {
          throw differs('the number or kind of entries would not be as intended');
        }
        this.#compareParts(expected, expected.entries, actual, actual.entries, ([key, value], other) => {
          this.compare(key, other[0]);
          this.compare(value, other[1]);
        });
        return;
      case 'sequence':
        if (actual.kind !== 'sequence' || expected.items.length !== actual.items.length) {
          throw differs('the number or kind of items would not be as intended');
        }
        this.#compareParts(expected, expected.items, actual, actual.items, (item, other) =>
          this.compare(item, other),
        );
    }
  }

  #compareParts<Part>(
    { source: before }: MappingDatum | SequenceDatum,
    expected: PartList<Part>,
    { source: after }: MappingDatum | SequenceDatum,
    actual: PartList<Part>,
    compare: (expected: Part, actual: Part) => void,
  ): void {
    const compareWith = (part: Part, other: Part | undefined): void => {
      if (other === undefined) throw differs('a part would vanish');
      compare(part, other);
    };
    const isLeft = before !== undefined && after !== undefined && actual.isUntouched;
    if (!isLeft || !unreadRunsReadTheSame(before, expected, after)) {
      const others = actual.readAll();
      for (const [index, part] of expected.readAll().entries()) compareWith(part, others[index]);
      return;
    }
    let index = 0;
    for (const piece of expected.pieces) {
      const length = lengthOf(piece);
      if ('parts' in piece) {
        const others = actual.readRun(index, index + length);
        for (const [at, part] of piece.parts.entries()) compareWith(part, others[at]);
      }
      index += length;
    }
  }

  #compareTargets(expected: AliasDatum, actual: AliasDatum): void {
    const target = expected.target ?? this.#anchors.get(expected.name);
    if (target === undefined) {
      if (expected.isNew) {
        throw new Refusal(
          'ANCHOR_IN_USE',
          `Cannot use the alias *${expected.name}: no anchor &${expected.name} stands before it`,
          {},
          {
            advice: [
              `Use the name of an anchor that stands earlier in the document, or quote the value if "*" belongs to the text`,
            ],
          },
        );
      }
      if (actual.target !== undefined) throw differs(`the alias *${expected.name} would come to mean a node`);
      return;
    }
    const pair = this.#pairs.get(target);
    if (pair === undefined) {
      throw new Refusal(
        'ANCHOR_IN_USE',
        `Cannot remove the anchor &${expected.name}: the alias *${expected.name} still uses it`,
        {},
        {
          advice: [`Replace or delete every *${expected.name} first, then repeat this edit`],
        },
      );
    }
    if (pair !== actual.target) throw differs(`the alias *${expected.name} would come to mean another node`);
  }
}

function isUnreadSame(expected: Datum, actual: Datum): boolean {
  const [before, after] = [unreadSource(expected), unreadSource(actual)];
  return before !== undefined && after !== undefined && readsTheSame(before, after);
}

function unreadSource(datum: Datum): Unread | undefined {
  if (datum.kind === 'mapping' && datum.entries.isUntouched) return datum.source;
  return datum.kind === 'sequence' && datum.items.isUntouched ? datum.source : undefined;
}

/** `after`: nobody has asked for any of it. */
function unreadRunsReadTheSame<Part>(before: Unread, { pieces }: PartList<Part>, after: Unread): boolean {
  let index = 0;
  for (const piece of pieces) {
    if ('from' in piece && !runReadsTheSame(before, piece.from, piece.to, after, index)) return false;
    index += lengthOf(piece);
  }
  return true;
}

function differs(reason: string): Refusal {
  return new Refusal(
    'VERIFICATION_FAILED',
    `Cannot make this edit: ${reason}`,
    {},
    {
      advice: ['Quote the value, or send it as json, so that it is exactly one value where it stands'],
    },
  );
}

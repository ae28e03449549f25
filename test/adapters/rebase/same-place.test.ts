// Many changes are held against many at once, and meet the same as one by one. The rule is spelled out here anew,
// pair by pair, as the tree of paths must keep it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfigFile } from '../../../src/adapters/index.ts';
import { Versions } from '../../../src/adapters/rebase/same-place.ts';
import { type NodePath, parseNodePath, type Segment } from '../../../src/adapters/tree/node-path.ts';
import { type Change, DEFAULT_LIMITS } from '../../../src/security/index.ts';

const NAMES = ['a', 'b', 'c', undefined] as const;
const name = fc.constantFrom(...NAMES);

/** Two documents with a list of items that have names, some of them twice, and a list in each. */
const file = fc
  .array(fc.array(name, { maxLength: 4 }), { minLength: 2, maxLength: 2 })
  .map((documents) =>
    documents
      .map((names, i) => `kind: K\nmetadata: {name: n${i}}\nlist:${names.map(item).join('') || ' []'}\n`)
      .join('---\n'),
  );

function item(own: string | undefined): string {
  return own === undefined
    ? '\n- list: [{name: x}, {name: y}]'
    : `\n- name: ${own}\n  list: [{name: x}, {name: y}]`;
}

const step = fc.constantFrom('list', 'list[0]', 'list[1]', 'list[3]', 'other');
const change = fc.record({
  op: fc.constantFrom('add', 'replace', 'remove', 'rename', 'comment'),
  doc: fc.integer({ min: 0, max: 1 }),
  path: fc.array(step, { maxLength: 3 }).map((steps) => steps.join('.')),
  line: fc.constant(1),
});

interface Reach {
  readonly path: NodePath;
  readonly isShift: boolean;
}

function reachOf({ op, path: text }: Change): Reach {
  const path = parseNodePath(text);
  const isShift = path.at(-1)?.kind === 'index' && (op === 'add' || op === 'remove');
  return { isShift, path: isShift || op === 'rename' ? path.slice(0, -1) : path };
}

/** In documents that are called something, and the same. */
function meetInPairs(one: Change, other: Change, isNamed: (doc: number, path: NodePath) => boolean): boolean {
  if (one.doc !== other.doc) return false;
  const [left, right] = [reachOf(one), reachOf(other)];
  let common = 0;
  while (isSame(left.path[common], right.path[common])) common += 1;
  for (let length = 1; length <= common; length++) {
    const through = left.path.slice(0, length);
    if (through.at(-1)?.kind === 'index' && !isNamed(one.doc, through)) return true;
  }
  if (common < left.path.length && common < right.path.length) return false;
  const [upper, lower] = common === left.path.length ? [left, right] : [right, left];
  const next = lower.path.slice(0, common + 1);
  const isBeside = upper.isShift && !lower.isShift && next.length > common;
  return !(isBeside && next.at(-1)?.kind === 'index' && isNamed(one.doc, next));
}

function isSame(left: Segment | undefined, right: Segment | undefined): boolean {
  return left !== undefined && right !== undefined && JSON.stringify(left) === JSON.stringify(right);
}

function isNamedIn(old: string, now: string) {
  const names = [old, now].map((text) =>
    text.split('---\n').map((document) => {
      const own = document
        .split('\n- ')
        .slice(1)
        .map((each) => /^name: (.)/.exec(each)?.[1]);
      return own.map((one) => (own.filter((each) => each === one).length === 1 ? one : undefined));
    }),
  );
  return (doc: number, path: NodePath): boolean => {
    const [index, key] = [path.at(-1), path.at(-2)];
    if (index?.kind !== 'index' || key?.kind !== 'key' || key.key !== 'list') return false;
    const [first, second] = names.map((each) => each[doc]);
    // Of the inner lists, both items have names of their own, where the outer item is there.
    const at = path[1];
    if (path.length === 4 && at?.kind === 'index') {
      const isThere = [first, second].every((each) => each !== undefined && at.index < each.length);
      return isThere && index.index < 2;
    }
    return (
      path.length === 2 && first?.[index.index] !== undefined && first[index.index] === second?.[index.index]
    );
  };
}

const read = (text: string) => readConfigFile(undefined, text, DEFAULT_LIMITS).stream;

describe('changes meet', () => {
  it('one by one as all at once, and as the rule says', () => {
    fc.assert(
      fc.property(file, file, fc.array(change), fc.array(change), (old, now, since, planned) => {
        const versions = new Versions(read(old), read(now), since);
        const isNamed = isNamedIn(old, now);
        const inPairs = since.filter((one) => planned.some((other) => meetInPairs(one, other, isNamed)));
        expect(versions.meeting(since, planned)).toEqual(inPairs);
        expect(since.filter((one) => planned.some((other) => versions.meet(one, other)))).toEqual(inPairs);
      }),
      { numRuns: 500 },
    );
  });

  it('thousands with thousands, in lists and documents without names as well', () => {
    const lists = Array.from({ length: 300 }, (_, i) => `l${i}: [x]\n`).join('');
    const text = `---\n${lists}`.repeat(20);
    const stream = read(text);
    const changes: Change[] = stream.documents.flatMap((_, doc) =>
      Array.from({ length: 300 }, (__, i) => ({ op: 'replace' as const, doc, path: `l${i}[0]`, line: 1 })),
    );
    expect(new Versions(stream, stream, changes).meeting(changes, changes)).toEqual(changes);
  });
});

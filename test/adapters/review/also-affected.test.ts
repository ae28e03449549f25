// Which paths follow a change through aliases and merge keys: all of them, however many changes there are and wherever
// the changed anchor stands. Held against what the `yaml` package reads of both texts.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { shownAnew } from '../../../src/adapters/index.ts';
import { DEFAULT_LIMITS, SafePath } from '../../../src/security/index.ts';
import { leafDiff } from '../../harness/data-diff.ts';

const PATH = SafePath.parse('a.yaml', [undefined]);

function shown(before: string, after: string) {
  const edits = [{ start: 0, end: before.length, insert: after }];
  return shownAnew(PATH, { file: 'a.yaml', base: before, edits }, DEFAULT_LIMITS);
}

const affected = (before: string, after: string) => shown(before, after).also_affects;

const lines = (count: number, line: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');

describe('followers of a changed anchor (finding 15.4) [EDT-10]', () => {
  it('are named behind any number of other changes', () => {
    const text = (value: number) =>
      `${lines(600, (i) => `k${i}: ${value}`)}base: &b {x: ${value}}\nuse: *b\nm: {<<: *b}\n`;
    expect(affected(text(1), text(2)).toSorted()).toEqual(['m.x', 'use.x']);
  });

  it('are all named, however many there are', () => {
    const text = (value: number) => `a: &a ${value}\n${lines(3_000, (i) => `k${i}: *a`)}`;
    expect(affected(text(1), text(2)).toSorted()).toEqual(
      Array.from({ length: 3_000 }, (_, i) => `k${i}`).toSorted(),
    );
  });

  it('are named once for each alias where the paths below them are too many to read', () => {
    const text = (value: number) =>
      `base: &b\n${lines(600, (i) => `  k${i}: ${value}`)}use: *b\nm: &m {<<: *b, own: 1}\ntop: {deep: [*m]}\n`;
    expect(affected(text(1), text(2)).toSorted()).toEqual(['m', 'top.deep[0]', 'use']);
  });

  it('of a bomb of aliases are as many as its aliases', () => {
    const level = (n: number) =>
      `l${n}: &l${n} [${Array.from({ length: 9 }, () => `*l${n - 1}`).join(', ')}]`;
    const text = (value: number) => `l0: &l0 ${value}\n${lines(9, (i) => level(i + 1))}`;
    const named = affected(text(1), text(2));
    expect(named).toHaveLength(81);
    expect(named).toContain('l9[8]');
  });

  it.each([
    {
      why: 'an anchor within what is replaced',
      before: 'base: {y: [&deep 2]}\nq: *deep\n',
      after: 'base: {y: {z: &deep 9}}\nq: *deep\n',
      also: ['q'],
    },
    {
      why: 'an anchor within a node whose own anchor goes',
      before: 'base: &gone {y: &deep 2}\nq: *deep\n',
      after: 'base: {y: &deep 9}\nq: *deep\n',
      also: ['q'],
    },
    { why: 'an anchored key', before: '&k a: 1\nb: *k\n', after: '&k c: 1\nb: *k\n', also: ['b'] },
    {
      why: 'a key that goes below one that is renamed',
      before: 'm:\n  a: &a {x: 1, y: 2}\nu: *a\n',
      after: 'm:\n  b: &a {y: 2}\nu: *a\n',
      also: ['u.x'],
    },
    {
      why: 'another merge in what is merged',
      before: 'a: &a {x: 1}\nb: &b {x: 2}\nt: &t {<<: *a}\ntop: {<<: *t}\nuse: *t\n',
      after: 'a: &a {x: 1}\nb: &b {x: 2}\nt: &t {<<: *b}\ntop: {<<: *t}\nuse: *t\n',
      also: ['top.x', 'use.x'],
    },
    {
      why: 'what is merged in place',
      before: 'a: &a {<<: {x: 1}}\ntop: {<<: *a}\nuse: *a\n',
      after: 'a: &a {<<: {x: 2}}\ntop: {<<: *a}\nuse: *a\n',
      also: ['top.x', 'use.x'],
    },
    {
      why: 'a list that is merged, by the key of the mapping',
      before: 'list: &l [{k: 1}, {k: 2, n: 2}]\ninto: {<<: *l, own: 1}\n',
      after: 'list: &l [{k: 7}, {k: 8, n: 8}]\ninto: {<<: *l, own: 1}\n',
      also: ['into.k', 'into.n'],
    },
    {
      why: 'an item of a list that is merged',
      before: 'list: &l [{k: 1}, {k: 2, n: 2}]\ninto: {<<: *l, own: 1}\n',
      after: 'list: &l [{k: 1}]\ninto: {<<: *l, own: 1}\n',
      also: ['into.n'],
    },
    {
      why: 'an alias in a list that is merged',
      before: 'one: &one {k: 1}\nlist: &l [{n: 2}, *one]\ninto: {<<: *l}\n',
      after: 'one: &one {k: 9}\nlist: &l [{n: 2}, *one]\ninto: {<<: *l}\n',
      also: ['list[1].k', 'into.k'],
    },
    {
      why: 'an anchored list that is merged where it stands',
      before: 'one: &one {k: 1}\nhere: {<<: &l [*one]}\nthere: {<<: *l}\nuse: *l\n',
      after: 'one: &one {k: 9}\nhere: {<<: &l [*one]}\nthere: {<<: *l}\nuse: *l\n',
      also: ['here.k', 'there.k', 'use[0].k'],
    },
    {
      why: 'the same where the mapping has a key of its own',
      before: 'one: &one {k: 1}\nhere: {<<: &l [*one], k: 2}\nuse: *l\n',
      after: 'one: &one {k: 9}\nhere: {<<: &l [*one], k: 2}\nuse: *l\n',
      also: ['use[0].k'],
    },
    {
      why: 'a node under a key that stands twice',
      before: 'a: 1\na: &a {k: 1}\nu: *a\n',
      after: 'a: 1\na: &a {k: 2}\nu: *a\n',
      also: ['u.k'],
    },
    {
      why: 'not where the mapping has a key of its own',
      before: 'l: &l [{k: 1}]\no: &o {k: 5}\ninto: {<<: *l, k: 2}\nlist: {<<: [*o, *l]}\n',
      after: 'l: &l [{k: 9}]\no: &o {k: 5}\ninto: {<<: *l, k: 2}\nlist: {<<: [*o, *l]}\n',
      also: [],
    },
    {
      why: 'not what is new itself',
      before: 'a: 1\n',
      after: 'a: 1\nn: {x: &x 1, y: *x}\n',
      also: [],
    },
    {
      why: 'an anchor that holds itself',
      before: 'a: &a [1, *a]\n',
      after: 'a: &a [2, *a]\n',
      also: ['a[1]'],
    },
  ])('$why', ({ before, after, also }) => {
    expect(affected(before, after).toSorted()).toEqual(also.toSorted());
  });

  // Each would take minutes, longer than a test may, if every change were held against every alias.
  it('cost no more than the file is long', () => {
    const keys = (value: number) => lines(10_000, (i) => `  k${i}: ${value}`);
    const hidden = (value: number) => `base: &b\n${keys(value)}o: &o\n${keys(0)}`;
    const behind = lines(3_000, (i) => `m${i}: {<<: [*o, *b]}`);
    const list = (value: number) => `list: &l\n${lines(10_000, (i) => `- {k${i}: ${value}}`)}`;
    const into = lines(3_000, (i) => `m${i}: {<<: *l}`);
    expect(affected(hidden(1) + behind, hidden(2) + behind)).toHaveLength(3_000);
    expect(affected(list(1) + into, list(2) + into)).toHaveLength(3_000);
    expect(affected(list(1) + into, `list: &l [{k: 1}]\n${into}`)).toHaveLength(3_000);
  });
});

/** A node as text may be made of it, with its anchor. */
type Node =
  | { readonly kind: 'scalar'; readonly value: number; readonly anchor?: string }
  | { readonly kind: 'alias'; readonly name: string }
  | { readonly kind: 'list'; readonly items: readonly Node[]; readonly anchor?: string }
  | {
      readonly kind: 'map';
      readonly entries: readonly (readonly [string, Node])[];
      readonly anchor?: string;
    };

function print(node: Node): string {
  if (node.kind === 'alias') return `*${node.name}`;
  const anchor = node.anchor === undefined ? '' : `&${node.anchor} `;
  if (node.kind === 'scalar') return `${anchor}${node.value}`;
  if (node.kind === 'list') return `${anchor}[${node.items.map(print).join(', ')}]`;
  return `${anchor}{${node.entries.map(([key, value]) => `${key}: ${print(value)}`).join(', ')}}`;
}

/** What an anchor before it is: what may be merged is known by it. */
type Kind = 'mapping' | 'mappings' | 'other';

// No two have the same name: an edit that gives an alias another node is refused.
let anchorsMade = 0;

/** A file of aliases and merges, by the numbers that `draw` gives. */
function makeNode(draw: (below: number) => number, anchors: Map<string, Kind>, depth: number): Node {
  const names = [...anchors.keys()];
  const choice = draw(10);
  if (choice < 3 && names.length > 0) return { kind: 'alias', name: names[draw(names.length)] ?? '' };
  const anchor = draw(2) === 0 ? `n${anchorsMade++}` : undefined;
  const named = anchor === undefined ? {} : { anchor };
  let node: Node;
  if (depth > 3 || choice < 5) node = { kind: 'scalar', value: draw(3), ...named };
  else if (choice < 7) {
    const items = Array.from({ length: draw(4) }, () => makeNode(draw, anchors, depth + 1));
    node = { kind: 'list', items, ...named };
  } else node = { kind: 'map', entries: makeEntries(draw, anchors, depth), ...named };
  if (anchor !== undefined) anchors.set(anchor, kindOf(node, anchors));
  return node;
}

function makeEntries(draw: (below: number) => number, anchors: Map<string, Kind>, depth: number) {
  const keys = ['a', 'b', 'c', 'd'].filter(() => draw(2) === 0);
  const entries: (readonly [string, Node])[] = [];
  const mergeable = [...anchors].filter(([, kind]) => kind !== 'other');
  if (mergeable.length > 0 && draw(2) === 0) {
    const alias = (): Node => ({ kind: 'alias', name: mergeable[draw(mergeable.length)]?.[0] ?? '' });
    const maps = Array.from({ length: 1 + draw(3) }, alias).filter(
      (one) => one.kind === 'alias' && anchors.get(one.name) === 'mapping',
    );
    entries.push(['<<', draw(2) === 0 || maps.length === 0 ? alias() : { kind: 'list', items: maps }]);
  }
  for (const key of keys) entries.push([key, makeNode(draw, anchors, depth + 1)]);
  return entries;
}

function kindOf(node: Node, anchors: ReadonlyMap<string, Kind>): Kind {
  if (node.kind === 'map') return 'mapping';
  const isMapping = (one: Node) =>
    one.kind === 'map' || (one.kind === 'alias' && anchors.get(one.name) === 'mapping');
  return node.kind === 'list' && node.items.length > 0 && node.items.every(isMapping) ? 'mappings' : 'other';
}

/** Another text with the same anchors, where `draw` says so. */
function mutate(node: Node, draw: (below: number) => number): Node {
  const named = node.kind !== 'alias' && node.anchor !== undefined ? { anchor: node.anchor } : {};
  const hits = draw(6) === 0;
  switch (node.kind) {
    case 'alias':
      return node;
    case 'scalar':
      if (!hits) return node;
      return draw(3) === 0
        ? { kind: 'map', entries: [['x', { kind: 'scalar', value: 7 }]], ...named }
        : { kind: 'scalar', value: node.value + 1, ...named };
    case 'list': {
      const items = node.items.map((item) => mutate(item, draw));
      if (hits && draw(2) === 0)
        return { kind: 'map', entries: items.map((item, i) => [`i${i}`, item]), ...named };
      return { kind: 'list', items: hits ? [] : items, ...named };
    }
    case 'map': {
      const entries = node.entries.map(([key, value]) => [key, mutate(value, draw)] as const);
      if (!hits || entries.length === 0) return { ...node, entries };
      const at = draw(entries.length);
      const [key, value] = entries[at] ?? ['', node];
      if (draw(3) === 0) return { ...node, entries: entries.filter((_, i) => i !== at) };
      if (draw(2) === 0 || key === '<<')
        return { ...node, entries: [...entries, ['new', { kind: 'scalar', value: 8 }]] };
      return { ...node, entries: entries.with(at, [`${key}2`, value]) };
    }
  }
}

it('with the changes, every leaf that another parser finds different is named [EDT-10]', () => {
  let compared = 0;
  fc.assert(
    fc.property(fc.array(fc.nat(), { minLength: 600, maxLength: 600 }), (numbers) => {
      let at = 0;
      const draw = (below: number) => (numbers[at++ % numbers.length] ?? 0) % below;
      const anchors = new Map<string, Kind>();
      const nodes = Array.from({ length: 8 }, () => makeNode(draw, anchors, 0));
      const text = (all: readonly Node[]) => all.map((node, i) => `t${i}: ${print(node)}\n`).join('');
      const [before, after] = [text(nodes), text(nodes.map((node) => mutate(node, draw)))];
      let leaves: readonly string[];
      try {
        leaves = leafDiff(before, after);
      } catch {
        // An alias without its anchor, or a merge of what cannot be merged: no edit makes these.
        return;
      }
      if (leaves.length > 0) compared += 1;
      const { changes, also_affects } = shown(before, after);
      const paths = changes.flatMap(({ op, path, from }) =>
        op === 'rename' ? [path, path.replace(/[^.]+$/, from ?? '')] : [path],
      );
      // What a merge brings shows in the mapping that it stands in.
      const named = [...paths, ...also_affects].map((path) => path.replace(/\.?<<.*$/u, ''));
      const isNamed = (leaf: string) =>
        named.some((path) => leaf === path || leaf.startsWith(`${path}.`) || leaf.startsWith(`${path}[`));
      expect(leaves.filter((leaf) => !isNamed(leaf))).toEqual([]);
    }),
    { numRuns: 400 },
  );
  expect(compared).toBeGreaterThan(100);
});

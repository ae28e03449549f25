// What a preview says beside its diff: warnings, each brought about by an edit that a model would send, and the paths that follow
// a change through aliases and merge keys. The latter are held against what the `yaml` package reads of both texts.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { afterAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { dataDiff, leafDiff } from '../harness/data-diff.ts';
import { inlineAirlock } from '../harness/inline-airlock.ts';
import { runs } from '../harness/runs.ts';

const RowShape = z.strictObject({
  why: z.string(),
  text: z.string(),
  edit: z.looseObject({ op: z.string() }),
  /** What one warning names; nothing is warned of where it is empty. */
  names: z.array(z.string()).optional(),
  also: z.array(z.string()).optional(),
});

const ROWS = z
  .array(RowShape)
  .parse(JSON.parse(readFileSync(new URL('../tables/note-rows.json', import.meta.url), 'utf8')));

const airlock = await inlineAirlock({ 'a.yaml': '' });
afterAll(() => airlock.close());

const Said = z.object({
  warnings: z.array(z.string()).default([]),
  also_affects: z.array(z.string()).default([]),
});

async function previewed(text: string, edit: object) {
  airlock.write('a.yaml', text);
  const outcome = await airlock.call('config_edit', { edits: [{ ...edit, file: 'a.yaml' }] });
  return 'data' in outcome && outcome.status === 'ok' ? outcome : undefined;
}

async function said(text: string, edit: object) {
  return Said.parse((await previewed(text, edit))?.data);
}

test.each(ROWS.filter(({ names }) => names?.length !== 0 && names !== undefined))(
  'a preview warns $why',
  async ({ text, edit, names = [] }) => {
    const { warnings } = await said(text, edit);
    expect(warnings.filter((one) => names.every((name) => one.includes(name)))).not.toEqual([]);
  },
);

test.each(ROWS.filter(({ names }) => names?.length === 0))('a preview warns $why', async ({ text, edit }) => {
  expect((await said(text, edit)).warnings).toEqual([]);
});

test.each(ROWS.filter(({ also }) => also !== undefined))(
  'a preview names what follows: $why [EDT-10]',
  async ({ text, edit, also }) => {
    expect((await said(text, edit)).also_affects.toSorted()).toEqual(also);
  },
);

test('of a long line that changes a preview shows the change, and not all that stays', async () => {
  const long = 'x'.repeat(600);
  const edit = { op: 'replace_text', old_text: 'x1x', new_text: 'x😀x' };
  const diff = String((await previewed(`a: ${long}1${long}\nm: ${long}\n`, edit))?.data['diff']);
  expect(diff.length).toBeLessThan(1_200);
  expect(diff).toContain(`${'x'.repeat(80)}1${'x'.repeat(80)}`);
  expect(diff).toContain(`${'x'.repeat(79)}😀${'x'.repeat(79)}`);
});

// Each would take minutes, longer than a test may, if every change were held against every alias, or every merge looked over whole.
describe('at the cost of the length of the file', () => {
  const lines = (count: number, line: (i: number) => string) =>
    Array.from({ length: count }, (_, i) => `${line(i)}\n`).join('');
  const keys = (count: number, value: number) => lines(count, (i) => `  k${i}: ${value}`);

  test.each([
    {
      why: 'ten thousand changes before three thousand merges',
      text: (value: number) =>
        `base: &b\n${keys(10_000, value)}o: &o\n${keys(10_000, 0)}${lines(3_000, (i) => `m${i}: {<<: [*o, *b]}`)}`,
    },
    {
      why: 'ten thousand changes in a list that three thousand mappings merge',
      text: (value: number) =>
        `list: &l\n${lines(10_000, (i) => `- {k${i}: ${value}}`)}${lines(3_000, (i) => `m${i}: {<<: *l}`)}`,
    },
    {
      why: 'what hundreds of mappings merge',
      text: (value: number) =>
        `a: &a\n${keys(30_000, 1)}${lines(400, (i) => `m${i}: {<<: *a, k1: 2${value === 1 ? '' : ', z: 1'}}`)}`,
    },
  ])('$why', async ({ text }) => {
    const edit = { op: 'replace_text', old_text: text(1), new_text: text(2) };
    expect(await previewed(text(1), edit)).toBeDefined();
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

it('with the changes, every leaf that another parser finds different is named [EDT-10]', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(fc.noShrink(fc.array(fc.nat(), { minLength: 600, maxLength: 600 })), async (numbers) => {
      let at = 0;
      const draw = (below: number) => (numbers[at++ % numbers.length] ?? 0) % below;
      const anchors = new Map<string, Kind>();
      const nodes = Array.from({ length: 8 }, () => makeNode(draw, anchors, 0));
      const text = (all: readonly Node[]) => all.map((node, i) => `t${i}: ${print(node)}\n`).join('');
      const [before, after] = [text(nodes), text(nodes.map((node) => mutate(node, draw)))];
      const outcome = await previewed(before, { op: 'replace_text', old_text: before, new_text: after });
      // An alias without its anchor, or a merge of what cannot be merged: no edit makes these.
      if (outcome === undefined || before === after) return;
      const leaves = leafDiff(before, after);
      if (leaves.length > 0) compared += 1;
      const { also_affects } = Said.parse(outcome.data);
      // Another name is the old one with a 2 behind it.
      const direct = dataDiff(before, after).flatMap((one) => {
        const [op, , path = ''] = one.split(' ');
        return op === 'rename' ? [path, path.replace(/2$/u, '')] : [path];
      });
      // What a merge brings shows in the mapping that it stands in.
      const named = [...direct, ...also_affects].map((path) => path.replace(/\.?<<.*$/u, ''));
      const isNamed = (leaf: string) =>
        named.some((path) => leaf === path || leaf.startsWith(`${path}.`) || leaf.startsWith(`${path}[`));
      expect(
        leaves.filter((leaf) => !isNamed(leaf)),
        `${before}=>\n${after}${also_affects}`,
      ).toEqual([]);
    }),
    { numRuns: runs(400) },
  );
  expect(compared).toBeGreaterThan(runs(400) / 4);
});

// Where the parts of a collection stand can be asked without making them, and says what the parts themselves say; and
// an edit of a wide collection makes a few of them.
import { afterEach, describe, expect, it, vi } from 'vitest';
import { parseUnusual } from '../../../../../src/adapters/formats/yaml/parse-unusual.ts';
import { parseYaml } from '../../../../../src/adapters/formats/yaml/parse-yaml.ts';
import { scanYaml } from '../../../../../src/adapters/formats/yaml/scan/scan-yaml.ts';
import { ScannedParts } from '../../../../../src/adapters/formats/yaml/scan/scanned-parts.ts';
import { type Operation, planOperation, readConfigFile } from '../../../../../src/adapters/index.ts';
import type { Parts } from '../../../../../src/adapters/tree/parts.ts';
import { type Entry, type Item, partsOf, walk } from '../../../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS, splice } from '../../../../../src/security/index.ts';
import { difference } from './compare.ts';
import { NATIVE } from './native.ts';
import { REAL } from './texts.ts';

afterEach(() => vi.restoreAllMocks());

const TEXTS = [...REAL, ...NATIVE].map(({ text }) => text);

function collections(text: string): Parts<Entry | Item>[] {
  return parseYaml(text, DEFAULT_LIMITS).documents.flatMap(({ root }) =>
    [...walk(root)].flatMap((node) =>
      node.kind === 'mapping' || node.kind === 'sequence' ? [partsOf(node)] : [],
    ),
  );
}

function places(parts: Parts<Entry | Item>) {
  return Array.from({ length: parts.length }, (_, i) => [parts.startOf(i), parts.endOf(i), parts.colonOf(i)]);
}

describe('the parts of a collection', () => {
  it('stand where they say, made or not', () => {
    let compared = 0;
    for (const text of TEXTS) {
      for (const parts of collections(text)) {
        const made = parts
          .all()
          .map((part) => [part.start, part.end, 'colon' in part ? (part.colon ?? -1) : -1]);
        expect(places(parts)).toEqual(made);
        compared += made.length;
      }
    }
    expect(compared).toBeGreaterThan(1_000);
  });

  it('are compared where two trees are', () => {
    const [ours, theirs] = ['a: [b]\n', 'a: {b}\n'].map((text) => parseYaml(text, DEFAULT_LIMITS));
    expect(difference(ours?.documents, theirs?.documents, 'documents')).toContain('.value.');
  });

  it('are the same ones each time, asked for singly or all together', () => {
    for (const text of ['a: 1\nb: [2]\nc: {}\n', '- 1\n- b: 2\n- [3]\n']) {
      const [parts] = collections(text);
      const [fresh] = collections(text);
      if (parts === undefined || fresh === undefined) throw new Error('it has a collection');
      const single = [fresh.at(1), fresh.at(2)];
      expect(fresh.all().slice(1)).toEqual(single);
      expect(fresh.all()[1]).toBe(single[0]);
      expect(fresh.at(1)).toBe(single[0]);
      expect(fresh.at(1)?.value).toBe(single[0]?.value);
      expect(fresh.last).toBe(single[1]);
      expect(fresh.run(1, 9)).toEqual(single);
      expect(parts.length).toBe(3);
    }
  });

  it('are none before the first or behind the last, whoever has read them', () => {
    const text = 'a: 1\nb: 2\n';
    const scanned = scanYaml(text, DEFAULT_LIMITS);
    if (!('stream' in scanned)) throw new Error('it can be scanned');
    const byYaml = parseUnusual(text, DEFAULT_LIMITS, { fallback: 'limit', at: 0 }, undefined);
    for (const { documents } of [scanned.stream, byYaml]) {
      const root = documents[0]?.root;
      if (root?.kind !== 'mapping') throw new Error('it is a mapping');
      const { entries } = root;
      for (const index of [-1, 2, Number.NaN]) {
        expect([
          entries.at(index),
          entries.startOf(index),
          entries.endOf(index),
          entries.colonOf(index),
        ]).toEqual([undefined, -1, -1, -1]);
      }
      expect([entries.length, entries.last?.start, entries.run(0, 9).length]).toEqual([2, 5, 2]);
    }
  });
});

const WIDE = 5_000;
const LIST = `list:\n${Array.from({ length: WIDE }, (_, i) => `- v${i}\n`).join('')}`;
const MAPPING = Array.from({ length: WIDE }, (_, i) => `k${i}: v${i}\n`).join('');
const FEW = 40;

const json = 'new';
const EDITS: readonly { text: string; operation: Operation }[] = [
  { text: LIST, operation: { op: 'append', path: 'list', json } },
  { text: LIST, operation: { op: 'set', path: 'list[2500]', json, create: false } },
  { text: LIST, operation: { op: 'delete', path: 'list[2500]' } },
  { text: LIST, operation: { op: 'insert', path: 'list', index: 2_500, json } },
  { text: MAPPING, operation: { op: 'set', path: 'k2500', json, create: false } },
  { text: MAPPING, operation: { op: 'set', path: 'fresh', json, create: true } },
  { text: MAPPING, operation: { op: 'set', path: 'fresh.below', json, create: true } },
  { text: MAPPING, operation: { op: 'delete', path: 'k2500' } },
  { text: MAPPING, operation: { op: 'rename', path: 'k2500', new_key: 'fresh' } },
];

describe('an edit of a wide collection', () => {
  it.each(EDITS.map((edit) => ({ ...edit, what: `${edit.operation.op} ${edit.operation.path}` })))(
    'makes a few of its parts: $what',
    ({ text, operation }) => {
      const all = vi.spyOn(ScannedParts.prototype, 'all');
      const at = vi.spyOn(ScannedParts.prototype, 'at');
      const base = readConfigFile(undefined, text, DEFAULT_LIMITS);
      const progress = { base, current: base, earlierChanges: [] };
      const { edits, check } = planOperation(progress, operation, DEFAULT_LIMITS);
      expect(check(splice(text, edits))).toHaveLength(1);
      expect(
        all.mock.contexts.filter((parts) => parts instanceof ScannedParts && parts.length > FEW),
      ).toEqual([]);
      expect(at.mock.calls.length).toBeLessThan(FEW);
    },
  );
});

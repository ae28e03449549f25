// An outline looks at no more of a file than it can show.
import { expect, test } from 'vitest';
import { parseYaml } from '../../../src/adapters/formats/yaml/parse-yaml.ts';
import { outlineOf } from '../../../src/adapters/tree/outline.ts';
import { ListedParts } from '../../../src/adapters/tree/parts.ts';
import type { MappingNode, SpanNode } from '../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';

const KEYS = 20_000;
const TEXT = Array.from({ length: KEYS }, (_, i) => `k${i}: v\n`).join('');

test('an outline of many keys counts all of them, and reads as many as may be shown', () => {
  const stream = parseYaml(TEXT, DEFAULT_LIMITS);
  const root = stream.documents[0]?.root;
  if (root?.kind !== 'mapping') throw new Error('it is a mapping');
  const read = new Set<SpanNode>();
  const { text, nodes } = outlineOf(stream, watched(root, read), []);
  expect(nodes).toHaveLength(text.split('\n').length - 1);
  expect(text).toContain(`… ${KEYS + 1 - nodes.length} more here`);
  expect(read.size).toBeLessThan(5_000);
});

/** The same mapping, which remembers whose keys were asked for. */
function watched(root: MappingNode, read: Set<SpanNode>): MappingNode {
  const entries = root.entries.all().map((entry) => ({
    ...entry,
    value: entry.value,
    get key() {
      read.add(entry.key);
      return entry.key;
    },
  }));
  return { ...root, kind: root.kind, start: root.start, end: root.end, entries: new ListedParts(entries) };
}

// An outline shows as much of a file as fits, and counts the rest.
import { expect, test } from 'vitest';
import { parseYaml } from '../../../src/adapters/formats/yaml/yaml-format.ts';
import { outlineOf } from '../../../src/adapters/index.ts';
import { DEFAULT_LIMITS } from '../../../src/security/index.ts';

const KEYS = 20_000;
const TEXT = Array.from({ length: KEYS }, (_, i) => `k${i}: v\n`).join('');

test('an outline of many keys counts all of them', () => {
  const stream = parseYaml(TEXT, DEFAULT_LIMITS);
  const root = stream.documents[0]?.root;
  if (root?.kind !== 'mapping') throw new Error('it is a mapping');
  const { text, nodes } = outlineOf(stream, root, []);
  expect(nodes).toHaveLength(text.split('\n').length - 1);
  expect(text).toContain(`… ${KEYS + 1 - nodes.length} more here`);
});

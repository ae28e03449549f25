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
  const rows = outlineOf(stream, root, []).split('\n');
  expect(rows.at(-1)).toContain(`… ${KEYS + 1 - (rows.length - 1)} more here`);
});

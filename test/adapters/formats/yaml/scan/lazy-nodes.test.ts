// The nodes of a scan are made when somebody asks for them, and only once: they are looked up in maps.
import { expect, it } from 'vitest';
import { scanYaml } from '../../../../../src/adapters/formats/yaml/scan/scan-yaml.ts';
import { partsOf, walk } from '../../../../../src/adapters/tree/span-tree.ts';
import { DEFAULT_LIMITS } from '../../../../../src/security/index.ts';

it('are the same objects each time', () => {
  const scanned = scanYaml('a: 1\nb: [2, {c: d}]\ne:\n- *f\n', DEFAULT_LIMITS);
  if (!('stream' in scanned)) throw new Error('it can be scanned');
  const [document] = scanned.stream.documents;
  if (document === undefined) throw new Error('it has a document');
  const nodes = [...walk(document.root)];
  expect(nodes).toHaveLength(12);
  for (const [index, node] of [...walk(document.root)].entries()) {
    expect(node).toBe(nodes[index]);
    if (node.kind === 'mapping' || node.kind === 'sequence') expect(partsOf(node)).toBe(partsOf(node));
  }
});

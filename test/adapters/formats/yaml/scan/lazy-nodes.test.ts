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

it('are read in the memory of the text before, whatever that was', () => {
  const dense = `[${'1,'.repeat(400)}1]\n`;
  const shown = (text: string) => {
    const scanned = scanYaml(text, DEFAULT_LIMITS);
    if (!('stream' in scanned)) return scanned.fallback;
    const { documents, comments } = scanned.stream;
    return JSON.stringify([
      documents.flatMap(({ root }) => [...walk(root)].map(({ kind, start, end }) => [kind, start, end])),
      comments,
    ]);
  };
  const texts = [
    dense,
    'a: 1 # b\n'.repeat(3_000),
    dense,
    '',
    'a: [\n',
    'b: {c: d}\n',
    `${dense}# e\n`,
    'a: é\n- f: "g"\n',
  ];
  const first = texts.map(shown);
  expect(first.filter((one) => one.startsWith('['))).toHaveLength(6);
  for (const [index, text] of [...texts.entries()].reverse()) expect(shown(text)).toBe(first[index]);
});

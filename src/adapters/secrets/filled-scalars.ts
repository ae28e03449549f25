// The scalars of a file that stand where people have filled in values.
import type { FilledPlaces, ScalarThere } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { visitNodes } from '../tree/keys.ts';
import { printNodePath } from '../tree/node-path.ts';

export function scalarsAt({ stream }: ConfigFile, places: FilledPlaces): readonly ScalarThere[] {
  const found: ScalarThere[] = [];
  if (stream.hasStructure === false) return found;
  for (const { root } of stream.documents)
    visitNodes(stream.text, root, (node, at) => {
      if (node.kind !== 'scalar') return;
      const path = printNodePath(at);
      if (places.has(path)) found.push({ path, value: node.value });
    });
  return found;
}

// The scalars of a file that stand where people have filled in values, and those that aliases and merges bring there.
import type { FileFacts, FilledPlaces, ScalarThere } from '../../security/index.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { visitNodes } from '../tree/keys.ts';
import { printDataPath, printNodePath } from '../tree/node-path.ts';

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

/** What a change brings there without writing it there. `written`: what stands there itself. */
export function scalarsBrought(
  { changes, documents }: FileFacts,
  places: FilledPlaces,
  written: readonly ScalarThere[],
): readonly ScalarThere[] {
  const known = new Set(written.map(({ path }) => path));
  return changes.flatMap(({ op, doc, path: at }) => {
    const path = printDataPath(at);
    if ((op !== 'add' && op !== 'replace') || doc === undefined || !places.has(path) || known.has(path))
      return [];
    const found = documents[doc]?.after?.at(at) ?? 'none';
    if (found === 'none' || (typeof found === 'object' && typeof found.value === 'object')) return [];
    return [{ path, value: found === 'unclear' ? UNCLEAR : String(found.value) }];
  });
}

/** No reference, and nothing that could have stood there before. */
const UNCLEAR = '\0';

// Refusals for a node path that leads nowhere for certain: it crosses an alias, meets a repeated key, or takes a node for
// another kind. Each names the paths that would work.

import { Refusal } from '../../security/errors/refusal.ts';
import { keySegment, type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import type { LineIndex } from './lines.ts';
import type { MappingNode } from './span-tree.ts';

const MAX_OCCURRENCES = 8;

/** Makes the refusal for a repeated key, with a path for each. `below` is the rest of the path that was asked for, `lines` are those of the file. */
export function duplicateKey(
  mapping: MappingNode,
  key: string,
  above: NodePath,
  below: string,
  lines?: LineIndex,
): Refusal {
  const path = printNodePath([...above, key]);
  const entries = mapping.entries.filter(({ name }) => name === key).slice(0, MAX_OCCURRENCES);
  const places = lines === undefined ? [] : entries.map((entry) => lines.at(entry.start));
  const where = places.length === 0 ? '' : `, on lines ${places.join(', ')}`;
  const nearestPaths = entries.map((_, i) => printNodePath([...above, keySegment(key, i + 1)]) + below);
  const advice = ['Say which one is meant: [#1] is the first, [#2] the second'];
  // In other branches of a template, it is another key.
  const code = entries.some(({ branch }) => branch !== undefined) ? 'NODE_AMBIGUOUS' : 'DUPLICATE_KEY';
  return new Refusal(
    code,
    `Cannot address ${path}: the key occurs more than once in its mapping${where}`,
    { path },
    { existingPath: printNodePath(above), nearestPaths, advice },
  );
}

/** Makes the refusal. `anchored` is the path of the alias's node with the rest of the path that was asked for. */
export function aliasCrossed(name: string, walked: NodePath, anchored?: string): Refusal {
  const path = printNodePath(walked);
  return new Refusal(
    'ALIAS_CROSSED',
    `Cannot go through ${shownPath(walked)}: it is the alias *${name}; address the anchored node &${name} instead`,
    { path },
    {
      existingPath: path,
      ...(anchored === undefined ? {} : { nearestPaths: [anchored] }),
      advice: [
        `Edit the node that carries &${name}; every alias follows it`,
        `To change this place only, set ${shownPath(walked)} to a value of its own, such as <<: *${name}, first`,
      ],
    },
  );
}

export function mismatch(walked: NodePath, what: string, advice: string, meant?: NodePath): Refusal {
  const path = printNodePath(walked);
  const nearestPaths = meant === undefined ? [] : [printNodePath(meant)];
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot go below ${shownPath(walked)}: it is ${what}`,
    { path },
    { existingPath: path, nearestPaths, advice: [`At ${shownPath(walked)}, ${advice}`] },
  );
}

/** Shows a path in messages. */
export function shownPath(path: NodePath): string {
  return path.length === 0 ? 'the root of the document' : printNodePath(path);
}

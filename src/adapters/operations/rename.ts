// `rename` changes the key of an entry, in the same place and quotes.

import { Refusal } from '../../security/errors/refusal.ts';
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { visibleLine } from '../../security/text/visible.ts';
import type { Target } from '../edit/source.ts';
import type { Step } from '../edit/step.ts';
import { indexesOf } from '../tree/keys.ts';
import { type Located, locateExisting } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';
import { type Entry, type SpanNode, walk } from '../tree/span-tree.ts';
import type { OperationKind } from './operation.ts';

export const rename = {
  name: 'rename',
  needs: [['new_key']],
  may: [],
  steps: (target, path, given) => renameSteps(target, path, given.new_key ?? ''),
  notes: (_target, path, { new_key: key = '' }) => notesOn(path, key),
} as const satisfies OperationKind;

/** Asks about a name that looks like the path of the key, or like the end of it. */
function notesOn(path: NodePath, key: string): readonly string[] {
  const dotted = key.startsWith('/') ? key.slice(1).replaceAll('/', '.') : key;
  const starts = path.slice(0, -1).map((_, from) => `${printNodePath(path.slice(from, -1))}.`);
  const start = starts.find((text) => dotted.startsWith(text));
  if (start === undefined) return [];
  const above = visibleLine(printNodePath(path.slice(0, -1)));
  return [
    `${visibleLine(key)} becomes one key, below ${above}. Did you mean ${visibleLine(dotted.slice(start.length))}? new_key is no path.`,
  ];
}

/** Throws DUPLICATE_KEY for a key that exists, KEY_IS_SHARED if other places depend on the key, TYPE_MISMATCH for items. */
function renameSteps({ document }: Target, path: NodePath, key: string): readonly Step[] {
  const located = locateExisting(document, path, 'rename');
  const step = located.steps.at(-1);
  if (step?.kind !== 'entry') throw notAnEntry(located);
  const { part: entry, container } = step;
  const [there] = indexesOf(container, key);
  if (there === step.index) return [];
  if (there !== undefined) {
    const existing = printNodePath([...located.path.slice(0, -1), key]);
    throw new Refusal(
      'DUPLICATE_KEY',
      `Cannot rename ${printNodePath(located.path)}: ${existing} exists already`,
      {},
      { existingPath: existing, advice: ['Choose another name, or delete the other key first'] },
    );
  }
  requireRenamable(located, entry, document.root);
  return [{ do: 'rename', path: located.path, key }];
}

function notAnEntry(located: Located): Refusal {
  return new Refusal(
    'TYPE_MISMATCH',
    `Cannot rename ${shownPath(located.path)}: only keys of mappings have names`,
    {},
    { existingPath: printNodePath(located.path) },
  );
}

function requireRenamable(located: Located, { key }: Entry, root: SpanNode): void {
  const anchor = key.properties?.anchor?.name;
  const isUsed =
    anchor !== undefined && [...walk(root)].some((node) => node.kind === 'alias' && node.name === anchor);
  if (key.kind !== 'alias' && !isUsed) return;
  const path = printNodePath(located.path);
  const reason =
    key.kind === 'alias'
      ? `the key is the alias *${key.name}`
      : `the key carries &${anchor}, which aliases use`;
  throw new Refusal('KEY_IS_SHARED', `Cannot rename ${path}: ${reason}`, {}, { existingPath: path });
}

// `rename` gives a value another key, in the same place and quoting.
import { type NodePath, printNodePath, Refusal, visibleLine } from '../../security/index.ts';
import { inKeyColumn, keepingCommentColumn } from '../edit/comment-column.ts';
import { isDotted, requireOneStatement } from '../edit/dotted-keys.ts';
import { NO_EDITS, type Plan, type PlanContext, positionOf } from '../edit/intent.ts';
import { AS_NEEDED, quotesOf } from '../edit/neighbour-style.ts';
import { indexesOf } from '../tree/keys.ts';
import { type Located, locateExisting } from '../tree/locate.ts';
import { shownPath } from '../tree/path-refusals.ts';
import { type Entry, isEmpty, isSectional, type SpanNode, walk } from '../tree/span-tree.ts';
import type { OperationKind } from './operation.ts';

export const rename = {
  name: 'rename',
  needs: [['new_key']],
  may: [],
  plan: (context, path, given) => planRename(context, path, given.new_key ?? ''),
  notes: (_context, path, { new_key: key = '' }) => notesOn(path, key),
} as const satisfies OperationKind;

/** Asks about a name that is written like the whole path of the key, or like its end. */
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

/** Plans it. Throws DUPLICATE_KEY for a key that exists, KEY_IS_SHARED where other places depend on the key, TYPE_MISMATCH for items. */
function planRename(context: PlanContext, path: NodePath, newKey: string): Plan {
  const { stream, document, format } = context;
  const { text } = stream;
  const located = locateExisting(document, path, 'rename');
  const step = located.steps.at(-1);
  if (step?.kind !== 'entry') throw notAnEntry(located);
  const { part: entry, container } = step;
  const [there] = indexesOf(container, newKey);
  if (there === step.index) return NO_EDITS;
  if (there !== undefined) {
    const taken = printNodePath([...located.path.slice(0, -1), newKey]);
    throw new Refusal(
      'DUPLICATE_KEY',
      `Cannot rename ${printNodePath(located.path)}: ${taken} exists already`,
      {},
      { existingPath: taken, advice: ['Choose another name, or delete the other key first'] },
    );
  }
  requireRenamable(located, entry, document.root);
  if (isDotted(context, entry.value)) requireOneStatement(text, located, 'rename this');
  const isFlow = located.steps.some((each) => each.container.style !== 'block');
  // A block scalar as a key gives way to a quoted one: a new name is one line.
  const isBlockKey = entry.key.kind === 'scalar' && entry.key.block !== undefined;
  const quotes = isBlockKey ? undefined : quotesOf(entry.key);
  const name = format.writeKey(
    newKey,
    isFlow,
    quotes === undefined ? AS_NEEDED : { style: quotes, isAlways: true },
  );
  // An empty key has no byte between it and its indicator, anchor or tag.
  const gap = isEmpty(entry.key) && /\S/.test(text[entry.key.start - 1] ?? ' ') ? ' ' : '';
  const places = isSectional(container) && format.sections ? format.sections.keys(located) : [entry.key];
  const edits = places.map(({ start, end }) => {
    const edit = { start, end, insert: gap + name };
    return end === entry.key.end ? inKeyColumn(text, edit) : edit;
  });
  return {
    edits: keepingCommentColumn(stream, edits),
    intent: {
      kind: 'rename',
      at: positionOf(context.documentIndex, located.steps.slice(0, -1)),
      index: step.index,
      key: { text: newKey, isPlain: name === newKey },
    },
  };
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

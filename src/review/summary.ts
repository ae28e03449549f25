// Says in one line what a preview or a change does, for titles and lists. What is cut here is whole in the view of the change.
import { counted, firstOf } from '../adapters/tree/wording.ts';
import { displayLine } from '../security/text/visible.ts';
import type { ListedChange } from '../state/event.ts';
import type { PreviewFile } from '../state/preview.ts';

type SummarizedFile = Pick<PreviewFile, 'file' | 'changes'>;

export type WrittenFile = Pick<ListedChange['files'][number], 'file' | 'file_op' | 'paths' | 'more_paths'>;

const MAX_NAMED = 3;
const MAX_CHARACTERS = 32;

/** Names at most three files: `a.yaml, b.yaml, c.yaml and 95 more`. */
export function namedFiles(files: readonly string[]): string {
  return firstOf(files, MAX_NAMED);
}

const VERBS: Readonly<Partial<Record<PreviewFile['changes'][number]['op'], string>>> = {
  ...{ add: 'Set', replace: 'Set', remove: 'Remove', rename: 'Rename', comment: 'Comment', text: 'Edit' },
  ...{ create: 'Create', delete: 'Delete' },
};

/** Returns such as `Set replicas in a.yaml`, or `Set spec.image and 2 more paths in 98 files`. */
export function titleOf(files: readonly SummarizedFile[]): string {
  const [only] = files;
  const place = files.length === 1 && only ? shortened(only.file) : counted(files.length, 'file');
  const changes = files.flatMap((file) => file.changes);
  const [first] = changes;
  if (first === undefined) return displayLine(`Change comments or layout in ${place}`);
  const verb = VERBS[first.op] ?? 'Change';
  if (first.path === '') return displayLine(`${verb} ${place}`);
  const more = new Set(changes.map(({ path }) => path)).size - 1;
  const others = more === 0 ? '' : ` and ${counted(more, 'more path')}`;
  return displayLine(`${verb} ${shortened(first.path)}${others} in ${place}`);
}

/** Returns what the event of a write says of a file. */
export function writtenFile({ file_op, file, changes }: PreviewFile): WrittenFile {
  return { file, ...(file_op === undefined ? {} : { file_op }), paths: changes.map(({ path }) => path) };
}

/** Says it of a write by its event, which has the paths only. */
export function titleOfWrite(files: readonly WrittenFile[]): string {
  const [only] = files;
  const place = files.length === 1 && only ? shortened(only.file) : counted(files.length, 'file');
  const op = only?.file_op;
  if (op !== undefined) return displayLine(`${VERBS[op] ?? 'Change'} ${place}`);
  const count = files.reduce((sum, { paths = [], more_paths: more = 0 }) => sum + paths.length + more, 0);
  const path = files.flatMap(({ paths = [] }) => paths)[0] ?? '';
  if (path === '') return displayLine(`Change ${place}`);
  const others = count === 1 ? '' : ` and ${counted(count - 1, 'more path')}`;
  return displayLine(`Change ${shortened(path)}${others} in ${place}`);
}

/** Cuts the middle, because the beginning and the end tell most. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= MAX_CHARACTERS) return name;
  const half = Math.floor(MAX_CHARACTERS / 2);
  return `${characters.slice(0, half - 1).join('')}…${characters.slice(-half).join('')}`;
}

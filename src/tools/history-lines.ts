// Writes the lines of the history: the state of a change or a preview, and its files.
import { countedPaths } from '../adapters/index.ts';
import {
  type DecisionStatus,
  type ListedChange,
  progressText,
  quoted,
  type StoredPreview,
  shortId,
  visibleLine,
} from '../security/index.ts';
import { isReadable } from './read-file.ts';
import type { CallContext } from './tool.ts';

const MAX_FILES_NAMED = 3;

/** A file, with the paths that change in it where it is known which, or their number. */
export interface NamedFile {
  readonly file: string;
  readonly pathCount: number;
}

export function stateOfPreview({ record }: StoredPreview, status: DecisionStatus): string {
  switch (status.state) {
    case 'rejected': {
      const note = status.note === undefined ? '' : `: ${quoted(status.note)}`;
      return `preview, rejected by ${visibleLine(status.reviewer)}${note}`;
    }
    case 'approved':
      return `preview, approved by ${visibleLine(status.reviewer)}, not applied yet`;
    case 'part':
      return `preview, approved in part: ${status.parts.map((part) => shortId('pv', part)).join(', ')}`;
    case 'pending': {
      if (status.needs !== undefined) return `preview, waits with ${progressText(status.needs)}`;
      return `preview, ${record.approval === 'human' ? `waits for a reviewer${byRules(record)}` : 'not applied'}`;
    }
  }
}

/** Names the rules. Hidden files are not named, and no rule is about a single file only. */
function byRules({ rules }: StoredPreview['record']): string {
  return idsText([...new Set(rules.map(({ rule }) => rule))]);
}

function idsText(ids: readonly string[]): string {
  return ids.length === 0 ? '' : ` (${ids.length === 1 ? 'rule' : 'rules'} ${ids.join(', ')})`;
}

/** The words for changes that are not simply applied. */
const WHAT: Readonly<Partial<Record<ListedChange['state'], string>>> = {
  open: 'being applied',
  unknown: 'interrupted, and files differ from it',
};

export function stateOfChange(change: Omit<ListedChange, 'order' | 'files'>): string {
  const { state, origin, reviewer, caller, undoneBy, isUndoneInPart = false, by_rules: rules = [] } = change;
  const whole = undoneBy === undefined ? '' : ', undone since';
  const undone = isUndoneInPart ? ', undone in part since' : whole;
  const what = origin.kind === 'revert' ? `applied, undoes ${shortId('ch', origin.change_id)}` : 'applied';
  const by = caller.scopes === undefined ? '' : ` by ${visibleLine(caller.principal ?? '')}`;
  const who = reviewer === undefined ? '' : `, approved by ${visibleLine(reviewer)}`;
  return `${WHAT[state] ?? what}${by}${who}${idsText(rules.map(visibleLine))}${undone}`;
}

/** Returns the files that may be read, the wanted one first; empty if that is not among them. What the policy hides is neither named nor counted. */
export function readableFiles<File extends { readonly file: string }>(
  files: readonly File[],
  wanted: string | undefined,
  context: CallContext,
): readonly File[] {
  const readable = files.filter(({ file }) => isReadable(file, context));
  if (wanted === undefined) return readable;
  // Undoing the change concerns the other files as well.
  const asked = readable.filter(({ file }) => file === wanted);
  return asked.length === 0 ? [] : [...asked, ...readable.filter(({ file }) => file !== wanted)];
}

export function filesText(files: readonly NamedFile[]): string {
  const named = files.slice(0, MAX_FILES_NAMED).map(({ file, pathCount }) => {
    return `${visibleLine(file)} (${countedPaths(pathCount)})`;
  });
  const more = files.length - named.length;
  return [...named, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

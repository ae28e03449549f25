// Notes for a reviewer about a change of a template: in which branch something new is, and what happens to the file once it is
// filled in.
import { type Edit, withInserted } from '../../security/edits/edit.ts';
import { visibleLine } from '../../security/text/visible.ts';
import type { ChangedNode } from '../compare/find-changes.ts';
import { shownSpan } from '../shown/shown.ts';
import {
  actionsIn,
  type Branch,
  branchAt,
  conditionsOf,
  isTemplate,
  saidDepth,
  withAround,
  withoutActions,
} from '../tree/actions.ts';
import { lineStart } from '../tree/lines.ts';
import { isBlockCollection, isWritten, outerStart, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';

/** Yields whole sentences. */
export function* findTemplateNotes(
  base: Stream,
  result: Stream,
  changes: readonly ChangedNode[],
  edits: readonly Edit[],
): Generator<string> {
  if (!isTemplate(result)) return;
  const { actions = [], lines } = result;
  if (!isTemplate(base) && base.isAbsent !== true && base.hasStructure !== false)
    yield 'The file becomes a template: its actions are no YAML before a program fills them in.';
  const inserts = withInserted(edits, base.text.length).map(({ inserted }) => inserted);
  // A block that the edit itself adds needs no note.
  const isNew = ({ start }: Branch) => inserts.some((one) => start >= one.start && start < one.end);
  for (const { op, name, old, next: now, after } of changes) {
    if (now === undefined || op === 'rename') continue;
    const branch = op === 'add' ? branchAt(actions, outerStart(now)) : undefined;
    // The whole document is in that branch.
    const isKnown =
      branch !== undefined &&
      after !== undefined &&
      after.root.end <= branch.block.end &&
      withAround(branchAt(actions, after.root.start)).includes(branch);
    if (branch !== undefined && !isNew(branch) && !isKnown)
      yield `${visibleLine(name)} stands in a branch: ${conditionsOf(branch)} (line ${lines.at(branch.start)}).`;
    if (old !== undefined) yield* belowWritten(result, name, old, now);
  }
  yield* replacedActions(base, edits);
  yield* leftOfTheirPlace(base, result, edits);
}

/** Yields a question about a list below a key that only actions wrote: what they write is known only once the template is filled in. */
function* belowWritten(stream: Stream, path: string, old: SpanNode, now: SpanNode): Generator<string> {
  if (!isWritten(old) || now.kind !== 'sequence' || !isBlockCollection(now) || now.around === undefined)
    return;
  const { actions = [], lines } = stream;
  const writing = actionsIn(actions, now.around).find(({ kind, isHidden }) => kind === 'output' && isHidden);
  if (writing === undefined) return;
  yield `${visibleLine(path)}: an action writes what stands above the new lines (line ${lines.at(writing.start)}). Did you mean a list, and is it one there, with an item at least?`;
}

/** Yields a note about the actions that a new value takes the place of. A deletion is no replacement. */
function* replacedActions(base: Stream, edits: readonly Edit[]): Generator<string> {
  if (edits.every(({ insert }) => insert.trim() === '')) return;
  const gone = edits.flatMap((edit) =>
    actionsIn(base.actions ?? [], edit)
      .filter(({ kind }) => kind === 'output' || kind === 'open')
      .filter((action) => !edits.some(({ insert }) => insert.includes(shownSpan(base, action)))),
  );
  const [first] = gone;
  if (first === undefined) return;
  const action = visibleLine(shownSpan(base, first));
  const rest = gone.length === 1 ? '' : ` and ${counted(gone.length - 1, 'other action')}`;
  const what = `${action} (line ${base.lines.at(first.start)})${rest} ${gone.length === 1 ? 'goes' : 'go'} with the old value`;
  yield gone.some(({ isHidden }) => isHidden) &&
  edits.some((edit) => withoutActions(base.text, base.actions ?? [], edit).trim() !== '')
    ? `${what}, of which it wrote more than the text shows. Did you mean to keep it? Then set the parts by their paths.`
    : `${what}, and what is written there no longer depends on it.`;
}

/** Yields a note about each new action that writes to the left of where it stands, as one from another place may. */
function* leftOfTheirPlace(
  base: Stream,
  { text, actions = [], lines }: Stream,
  edits: readonly Edit[],
): Generator<string> {
  for (const { inserted } of withInserted(edits, base.text.length))
    for (const action of actionsIn(actions, inserted)) {
      const depth = action.kind === 'output' ? saidDepth(text, action) : undefined;
      const column = text.slice(lineStart(text, action.start)).search(/[^ ]|$/);
      if (depth === undefined || depth >= column) continue;
      yield `The new action on line ${lines.at(action.start)} writes its lines in column ${depth}, and stands in column ${column}. Did you mean ${column} in its indent?`;
    }
}

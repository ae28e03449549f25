// Writes the lines that show a preview to a person: who asked, when, what would change, what to check carefully, and the diff. The
// texts of the views hold nothing that controls a terminal.
import { countedPaths } from '../../adapters/review/describe-edit.ts';
import { type FileView, STATE_TEXTS } from '../../review/file-view.ts';
import { foldedNotes } from '../../review/folded-view.ts';
import { type PreviewView, queueNotes, type Waiting } from '../../review/preview-view.ts';
import { namedFiles } from '../../review/summary.ts';
import { distance, moment } from '../../review/times.ts';
import { shortId } from '../../state/canonical.ts';
import { type Line, line } from '../terminal/rows.ts';

const MAX_LISTED = 100;
const MAX_VALUE_CHARACTERS = 60;

export function waitingLines(waiting: readonly Waiting[], now: Date): readonly Line[] {
  return waiting.flatMap((entry, index) => [
    ...waitingEntry(entry, index, now),
    ...(entry.progress === undefined ? [] : [line(`   ${entry.progress}`, 'yellow')]),
  ]);
}

function waitingEntry(entry: Waiting, index: number, now: Date): readonly Line[] {
  const {
    id,
    title,
    risks,
    state,
    files,
    change_count,
    asked_by,
    reason,
    first_changes,
    created_at,
    expires_at,
  } = entry;
  return [
    line(`${index + 1}. ${title}`, 'bold'),
    ...risks.map((risk) => line(`   High risk: ${risk}`, 'red')),
    line(`   ${namedFiles(files)}`),
    line(`   ${countedPaths(change_count)}, ${state}, requested by ${asked_by}`),
    ...first_changes.map((change) => line(`     ${change}`)),
    ...reasonLines(reason),
    ...queueNotes(entry).map((note) => line(`   ${note}`, 'dim')),
    line(`   ${moment(created_at, now)}, expires ${distance(expires_at, now)}; ${shortId('pv', id)}`, 'dim'),
  ];
}

export function previewLines(preview: PreviewView, now: Date): readonly Line[] {
  const { id, asked_by, reason, tool, created_at, expires_at, state, decisions, origin } = preview;
  const { progress, risks, rules, skipped, unapprovable } = preview;
  return [
    line(`Preview ${shortId('pv', id)}`, 'bold'),
    line(`Requested by ${asked_by}, with ${tool}`),
    ...reasonLines(reason),
    ...risks.map((risk) => line(`High risk: ${risk}`, 'red')),
    line(`${moment(created_at, now)}, expires ${distance(expires_at, now)}`),
    ...(origin.kind === 'revert' ? [line(`It undoes change ${shortId('ch', origin.change_id)}`)] : []),
    ...(origin.kind === 'part' ? [line(`It is a part of preview ${origin.of}`)] : []),
    line(
      `State: ${progress === undefined ? state : `${state}, ${progress}`}`,
      state === 'pending' ? 'yellow' : undefined,
    ),
    ...(unapprovable === undefined ? [] : [line(`Cannot approve: ${unapprovable}`, 'yellow')]),
    ...decisions.map(({ decision, reviewer, at, note }) =>
      line(`  ${decision} by ${reviewer}, ${moment(at, now)}${note === undefined ? '' : `: ${note}`}`),
    ),
    ...rules.map((rule) => line(`Rule ${rule}`)),
    ...skipped.map((file) => line(`Matched by a pattern and not edited: ${file}`, 'yellow')),
    ...filesLines(preview),
  ];
}

function filesLines(view: Pick<PreviewView, 'files' | 'folded'>): readonly Line[] {
  const { files, folded } = view;
  return [...files.filter(({ file }) => !folded.files.has(file)).flatMap(fileLines), ...foldedLines(view)];
}

/** Returns the lines for equal changes: the diff of one of them, and a line for each place. */
function foldedLines({ folded, files }: Pick<PreviewView, 'files' | 'folded'>): readonly Line[] {
  const notes = foldedNotes(files.filter(({ file }) => folded.files.has(file)));
  return [
    ...folded.groups.flatMap(({ title, diff, places }) => [
      line(),
      line(title, 'bold'),
      ...diffLines(diff),
      line('The same in all of these places:'),
      ...places.map((place) => line(`  ${place}`)),
    ]),
    ...notes.map((note) => line(`  Warning: ${note}`, 'yellow')),
  ];
}

/** Returns the line with the agent's reason, marked as unverified. */
export function reasonLines(reason: string | undefined): readonly Line[] {
  return reason === undefined ? [] : [line(`  The agent's reason (unverified): "${reason}"`)];
}

export function fileLines(file: FileView): readonly Line[] {
  const { changes, removed_comments, also_affects, warnings, state } = file;
  return [
    line(),
    line(`${file.file}: ${countedPaths(changes.length)}`, 'bold'),
    ...(state === 'same' ? [] : [line(`  ${STATE_TEXTS[state]}`, 'yellow')]),
    ...limitLines(
      changes.map(({ op, path, from, to, doc, line: at }) => {
        const where = `line ${at}${doc === 0 ? '' : `, doc ${doc}`}`;
        return line(`  ${op} ${path}${valuesText(from, to)}  (${where})`);
      }),
    ),
    // All of these are shown, because no diff shows them.
    ...also_affects.map((path) => line(`  also changes, through an alias or merge: ${path}`, 'yellow')),
    ...limitLines(removed_comments.map((comment) => line(`  removed comment: ${comment}`, 'yellow'))),
    ...warnings.map((warning) => line(`  Warning: ${warning}`, 'yellow')),
    line(),
    ...diffLines(file.diff),
  ];
}

export function diffLines(diff: string): readonly Line[] {
  const lines = diff.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((text, index) => {
    // The first two lines name the file; below them only the first character counts.
    if (index < 2) return line(text, 'bold');
    if (text.startsWith('@@')) return line(text, 'cyan');
    if (text.startsWith('+')) return line(text, 'green');
    return text.startsWith('-') ? line(text, 'red') : line(text);
  });
}

function limitLines(lines: readonly Line[]): readonly Line[] {
  if (lines.length <= MAX_LISTED) return lines;
  return [
    ...lines.slice(0, MAX_LISTED),
    line(`  … and ${lines.length - MAX_LISTED} more: all of it is in the diff`),
  ];
}

function valuesText(from: string | undefined, to: string | undefined): string {
  if (from === undefined) return to === undefined ? '' : `: ${shortened(to)}`;
  return to === undefined ? `: ${shortened(from)}` : `: ${shortened(from)} → ${shortened(to)}`;
}

/** Shortens a value to what is needed to recognise it; the diff has all of it. */
function shortened(value: string): string {
  const [first = '', ...more] = value.split('\n');
  const characters = Array.from(first);
  const isCut = characters.length > MAX_VALUE_CHARACTERS || more.length > 0;
  return isCut ? `${characters.slice(0, MAX_VALUE_CHARACTERS).join('')} …` : first;
}

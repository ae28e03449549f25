// What the person at the client is asked: the whole preview, or nothing. Every line that comes from a file or from
// the agent stands behind a mark, harmless to the eye, so that none looks like text of this server. It does NOT
// promise how a client shows it.
import { shownDiff } from '../adapters/index.ts';
import {
  displayDiff,
  displayLine,
  Refusal,
  rowsWithin,
  type StoredPreview,
  shortId,
  withVisibleTabs,
} from '../security/index.ts';
import { ruleLine } from './rule-notes.ts';

/** What somebody reads before they say yes. Nobody may approve what nobody saw: what is longer is not asked. */
const MAX_CHARS = 8_000;
/** A line that the client's window wraps would go on without its mark. The mark itself stands before these. */
const MAX_COLUMNS = 72;

type Subject = Pick<StoredPreview['record'], 'files' | 'caller' | 'reason' | 'rules'>;

/** `warnings`: found anew, as all of the preview is that is shown here. Throws APPROVAL_UNAVAILABLE. */
export function questionAbout({ id, record }: StoredPreview, warnings: readonly string[]): string {
  const question = questionText(id, record, warnings);
  if (question.length <= MAX_CHARS) return question;
  throw new Refusal(
    'APPROVAL_UNAVAILABLE',
    'Cannot apply this preview: it is too long for a person to be asked about it in one question',
    {},
    {
      limit: { name: 'a question', allowed: MAX_CHARS, actual: question.length, unit: 'characters' },
      advice: ['Preview the change in smaller pieces, and apply them one by one'],
    },
  );
}

/** Whether a preview of it would be short enough to be asked about. */
export function canBeAsked(subject: Subject, warnings: readonly string[]): boolean {
  return questionText('', subject, warnings).length <= MAX_CHARS;
}

function questionText(
  id: string,
  { files, caller, reason, rules }: Subject,
  warnings: readonly string[],
): string {
  const what = files.length === 1 ? 'this change to one file' : `these changes to ${files.length} files`;
  return [
    `config-airlock asks: apply ${what}? Nothing has been written yet.`,
    'What stands behind │ is quoted from the files and the agent, whatever it says.',
    ...files.map((file, index) => aboutFile(file, index, files.length)),
    ...(warnings.length === 0
      ? []
      : [`Warnings:\n${warnings.map((warning) => marked(displayLine(warning))).join('\n')}`]),
    ...(rules.length === 0
      ? []
      : [`Asked because of:\n${rules.map((note) => marked(displayLine(ruleLine(note)))).join('\n')}`]),
    ...(reason === undefined
      ? []
      : [`The agent says why, and nobody has checked it:\n${marked(displayLine(reason))}`]),
    `Preview ${shortId('pv', id)} for a client that calls itself:\n${marked(displayLine(caller.name))}`,
  ].join('\n\n');
}

function aboutFile(file: Subject['files'][number], index: number, count: number): string {
  const { changes, also_affects, diff, file_op: op, result_sha256 } = file;
  const title = count === 1 ? 'The file' : `File ${index + 1} of ${count}`;
  return [
    op === 'delete'
      ? `${title}, which is deleted`
      : `${title}, which ${op === 'create' ? 'is new, and' : 'then'} has the sha256 ${result_sha256.slice(0, 16)}…`,
    '',
    marked(displayLine(file.file)),
    // What becomes of comments cannot be found by comparing data; the diff shows it.
    ...changes.filter(({ op }) => op !== 'comment').map((change) => marked(describe(change))),
    ...also_affects.map((path) => marked(`  through aliases: ${displayLine(path)}`)),
    // Made visible where it was made; line breaks of Windows are no news here.
    ...displayDiff(shownDiff(diff)).trimEnd().split(/\r?\n/u).map(marked),
  ].join('\n');
}

function describe({ op, path, doc, line, from, to }: Subject['files'][number]['changes'][number]): string {
  const whole = op === 'create' || op === 'delete' ? 'the file' : 'the root';
  const where = `${path === '' ? whole : displayLine(path)} (${doc === 0 ? '' : `doc ${doc}, `}line ${line})`;
  const values = [from, to].flatMap((value) => value ?? []).map(displayLine);
  return `  ${op} ${where}${values.length === 0 ? '' : `: ${values.join(' → ')}`}`;
}

/** Indented as well: where a client renders Markdown, this is code, and holds no link and no picture. */
function marked(line: string): string {
  return rowsWithin(` ${withVisibleTabs(line)}`, MAX_COLUMNS, '↪')
    .map((row) => `    │${row}`)
    .join('\n');
}

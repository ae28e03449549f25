// Writes the question to the person at the client, with the whole preview or not at all. Every line from a file or the agent is marked
// and made visible, so that none looks like text of this server. How a client displays it cannot be guaranteed.
import { shownDiff } from '../adapters/shown/shown.ts';
import type { StoredPreview } from '../security/approval/preview.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { rowsWithin, withVisibleTabs } from '../security/text/columns.ts';
import { displayDiff, displayLine } from '../security/text/visible.ts';
import { shortId } from '../state/canonical.ts';
import { ruleLine } from './rule-notes.ts';

/** The length that a person can be expected to read. A longer question is not asked: no one may approve what they have not seen. */
const MAX_CHARS = 8_000;
/** The width of lines without their mark: a line that the client wraps would continue without one. */
const MAX_COLUMNS = 72;

type Subject = Pick<StoredPreview['record'], 'files' | 'caller' | 'reason' | 'rules'>;

/** The files of a preview and the warnings about them, computed again. */
type AskedAbout = Pick<StoredPreview['record'], 'files' | 'warnings'>;

/**
 * Thrown if a preview needs a confirmation by the person at the client who was not asked yet. It is not a refusal: the server asks,
 * and makes the same call again with the answer.
 */
export class AskFirst extends Error {
  override readonly name = 'AskFirst';
  readonly preview: string;
  readonly question: string;

  /** Writes the question. Throws APPROVAL_UNAVAILABLE for a preview that is too long to be asked about. */
  constructor(preview: StoredPreview, shown: AskedAbout) {
    super('the person at the client has to be asked');
    this.preview = preview.id;
    this.question = questionAbout(preview, shown);
  }
}

/** Writes the question. Throws APPROVAL_UNAVAILABLE. */
function questionAbout({ id, record }: StoredPreview, { files, warnings }: AskedAbout): string {
  const question = questionText(id, { ...record, files }, warnings);
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

/** True if the question about a preview would be short enough. */
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
    'Lines after │ are quoted from the files and the agent, whatever they say.',
    ...files.map((file, index) => aboutFile(file, index, files.length)),
    ...(warnings.length === 0
      ? []
      : [`Warnings:\n${warnings.map((warning) => marked(displayLine(warning))).join('\n')}`]),
    ...(rules.length === 0
      ? []
      : [`Asked because of:\n${rules.map((note) => marked(displayLine(ruleLine(note)))).join('\n')}`]),
    ...(reason === undefined
      ? []
      : [`The reason that the agent gives, unverified:\n${marked(displayLine(reason))}`]),
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
    ...changes.map((change) => marked(describe(change))),
    ...also_affects.map((path) => marked(`  through aliases: ${displayLine(path)}`)),
    // Invisible characters were escaped when the diff was made; CRLF makes no difference here.
    ...displayDiff(shownDiff(diff)).trimEnd().split(/\r?\n/u).map(marked),
  ].join('\n');
}

function describe({ op, path, doc, line, from, to }: Subject['files'][number]['changes'][number]): string {
  const whole = op === 'create' || op === 'delete' ? 'the file' : 'the root';
  const where = `${path === '' ? whole : displayLine(path)} (${doc === 0 ? '' : `doc ${doc}, `}line ${line})`;
  const values = [from, to].flatMap((value) => value ?? []).map(displayLine);
  return `  ${op} ${where}${values.length === 0 ? '' : `: ${values.join(' → ')}`}`;
}

/** Marks and indents a line: in clients that render Markdown it is code, without links and images. */
function marked(line: string): string {
  return rowsWithin(` ${withVisibleTabs(line)}`, MAX_COLUMNS, '↪')
    .map((row) => `    │${row}`)
    .join('\n');
}

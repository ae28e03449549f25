// Completes a refusal: the one place that makes of it what a client gets, as text and as data. Both say the same.
import type { Clues, Refusal } from '../../security/errors/refusal.ts';
import { type ErrorCode, meaningOf } from '../../security/errors/refusals.ts';
import { escapeUnits } from '../../security/node-paths/node-path.ts';
import { quoted, visibleLine, visibleLineOnce } from '../../security/text/visible.ts';
import { guessFile, NO_GUESS, type Surroundings } from './guess-file.ts';
import { type Call, correctedCall, editsOf, fileOf, isGoingTo, look, type Way } from './way-on.ts';

const MAX_TEXT = 1_990;
const MAX_LINE = 400;
/** The most characters of arguments in the text, and in all. */
const MAX_SHOWN_ARGUMENTS = 1_200;
const MAX_ARGUMENTS = 20_000;
/** The longest file and node path that are any; a malformed one may be megabytes. */
const MAX_CONTEXT = 4_096;
const MAX_PROBLEMS = 12;
/** Of the diff of a preview, which comes on top of the text. */
const MAX_SHOWN_DIFF = 6_000;
const FILE_CODES: readonly ErrorCode[] = [
  ...(['FILE_NOT_FOUND', 'PATH_INVALID', 'PATH_OUTSIDE_ROOT', 'PATH_DENIED', 'NOT_REGULAR_FILE'] as const),
];

export function explainRefusal(refusal: Refusal, call: Call, surroundings: Surroundings) {
  const { code, clues, where } = refusal;
  const file = fileOf(refusal, call);
  // A file to which something goes is seldom one of those that are there.
  const isGuessed = FILE_CODES.includes(code) && !editsOf(call).some((edit) => isGoingTo(file, edit));
  const guess = isGuessed ? guessFile(file, surroundings) : NO_GUESS;
  const corrected = correctedCall(refusal, call, guess);
  const again = sendable(corrected ?? look(refusal, call));
  const folder = `Cannot use ${quoted(file ?? '')}: it is a folder, not a file`;
  const message = cut(guess.folder === undefined ? refusal.message : folder, MAX_LINE);
  const words = clues.advice ?? (corrected === undefined ? [meaningOf(code).way] : []);
  const details = [
    ...placeOf(refusal, call),
    ...problemsOf(refusal),
    ...(clues.different ?? []),
    ...nearest('Files', guess.nearest),
    ...nearest('Paths', (clues.nearestPaths ?? []).length > 1 ? (clues.nearestPaths ?? []) : []),
    ...(clues.documents ?? []).slice(0, MAX_PROBLEMS).map((line) => visibleLine(line)),
    ...(clues.limit === undefined ? [] : [describeLimit(clues.limit)]),
    ...(clues.actualSha256 === undefined ? [] : [`The file has sha256 ${clues.actualSha256} now`]),
    ...words.filter((line) => !message.includes(line)),
  ].map((line) => cut(line, MAX_LINE));
  // In the data, the preview has its warnings itself.
  const more = details.filter((line) => [clues.preview?.['warnings']].flat().every((one) => one !== line));
  return {
    text: textOf(`${code}: ${message}`, [...details, ...shownDiff(clues)], again),
    data: {
      ok: false as const,
      error: {
        code,
        message,
        ...(where.file === undefined ? {} : { file: cut(where.file, MAX_CONTEXT) }),
        ...(where.path === undefined ? {} : { path: cut(where.path, MAX_CONTEXT) }),
        ...(more.length === 0 ? {} : { details: more.join('\n') }),
        ...(clues.preview === undefined ? {} : { preview: clues.preview }),
        ...(again === undefined ? {} : { again }),
      },
    },
  };
}

/** Writes arguments so that they mean the same when they are copied: what is hard to see is escaped. */
function sentText(args: unknown): string {
  const escaped = (character: string) =>
    visibleLine(character) === character ? character : escapeUnits(character);
  return Array.from(JSON.stringify(args), escaped).join('');
}

/** Names the edit of a batch, and what of the place neither the message nor the call says. */
function placeOf({ message, where: { file, doc, line, edit_index: index } }: Refusal, call: Call): string[] {
  const edits = editsOf(call);
  const isArrival = edits.some((edit) => isGoingTo(file, edit));
  const isOtherFile = file !== undefined && file !== call.args['file'] && (edits.length !== 1 || isArrival);
  const parts = [
    ...(index === undefined || edits.length < 2 ? [] : [`edits[${index}]`]),
    ...(isOtherFile ? [`${isArrival ? 'to_file ' : ''}${visibleLineOnce(file)}`] : []),
    ...(doc === undefined ? [] : [`document ${doc}`]),
    ...(line === undefined || message.includes(`line ${line}`) ? [] : [`line ${line}`]),
  ];
  return parts.length === 0 ? [] : [`In ${parts.join(', ')}`];
}

function problemsOf({ clues }: Refusal): string[] {
  const problems = clues.problems ?? [];
  const isSaidAlready = problems.length === 1 && problems[0]?.expected === undefined;
  if (problems.length === 0 || isSaidAlready) return [];
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ line, column, message, path, expected }) => {
    const where = line > 0 ? `line ${line}, column ${column}: ` : path === undefined ? '' : `${path}: `;
    const what = path === '' ? 'the whole document' : (path ?? '');
    const wanted = expected === undefined ? '' : `: ${what}; expected ${visibleLine(expected)}`;
    return `${where}${message}${wanted}`;
  });
  const left = problems.length - lines.length;
  return left === 0 ? lines : [...lines, `and ${left} more`];
}

function nearest(what: string, names: readonly string[]): string[] {
  return names.length === 0 ? [] : [`${what} that may be meant: ${names.map(visibleLine).join(', ')}`];
}

function describeLimit({ name, allowed, actual, unit }: NonNullable<Clues['limit']>): string {
  return `The limit for ${name} is ${allowed} ${unit}${actual === undefined ? '' : `; here it is ${actual}`}`;
}

/** Returns the diff, or its first lines: a model that sees the text only should see what it may apply. */
function shownDiff({ diff, previewId }: Clues): string[] {
  if (diff === undefined || diff.length <= MAX_SHOWN_DIFF) return diff === undefined ? [] : [diff.trimEnd()];
  const rest = `… more of it: config_history {"preview_id":"${previewId ?? ''}"}`;
  return [`${diff.slice(0, diff.lastIndexOf('\n', MAX_SHOWN_DIFF) + 1)}${rest}`];
}

/** Returns the way on; one with megabytes of arguments only in words. */
function sendable(way: Way | undefined): Way | undefined {
  if (way === undefined || JSON.stringify(way.arguments).length <= MAX_ARGUMENTS) return way;
  return { do: `${way.do}: the same call as before, corrected` };
}

/** Writes all that some models see. Space for the way on is reserved before details are added; the diff comes on top. */
function textOf(first: string, lines: readonly string[], way: Way | undefined): string {
  const next = way === undefined ? '' : `\nNext: ${wayText(way)}`;
  let text = first;
  let left = MAX_TEXT - first.length - next.length;
  for (const line of lines) {
    // Only a diff is longer than a line may be.
    const isDiff = line.length > MAX_LINE || line.startsWith('--- ');
    if (!isDiff && line.length >= left) continue;
    if (!isDiff) left -= line.length + 1;
    text += `\n${line}`;
  }
  return `${text}${next}`;
}

function wayText({ do: what, tool, arguments: args }: Way): string {
  if (tool === undefined) return what;
  const sent = sentText(args);
  // A call that is cut cannot be sent.
  return sent.length > MAX_SHOWN_ARGUMENTS
    ? `${what}: ${tool}, with its arguments in again`
    : `${what}: ${tool} ${sent}`;
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

// Explains a refusal in the reply that a model reads: the message, suggestions for the case at hand, and steps that work.
import {
  type Clues,
  ERROR_CATEGORIES,
  type ErrorCode,
  escapeUnits,
  quoted,
  type Refusal,
  visibleLine,
  visibleLineOnce,
} from '../../security/index.ts';
import { isGoingTo } from './corrected-call.ts';
import { EXPLANATIONS } from './explanations.ts';
import { guessFile, NO_GUESS, type Surroundings } from './guess-file.ts';
import { fileOf, recoverySteps } from './recovery.ts';
import { type Call, editsOf, type RecoveryStep } from './steps.ts';

const MAX_TEXT = 1_990;
const MAX_LINE = 400;
/** Of the arguments of all steps. */
const MAX_STEPS = 1_200;
/** The longest file and node path that are any; a malformed one may be megabytes. */
const MAX_CONTEXT = 4_096;
const MAX_PROBLEMS = 12;
/** Of the diff of a preview, which comes on top of the text. */
const MAX_SHOWN_DIFF = 6_000;
/** Codes after which the same call may succeed later. */
const RETRYABLE: readonly ErrorCode[] = ['BUSY', 'NO_SPACE', 'IO_ERROR'];
const FILE_CODES: readonly ErrorCode[] = [
  ...(['FILE_NOT_FOUND', 'PATH_INVALID', 'PATH_OUTSIDE_ROOT', 'PATH_DENIED', 'NOT_REGULAR_FILE'] as const),
];

export function explainRefusal(refusal: Refusal, call: Call, surroundings: Surroundings) {
  const { code, clues } = refusal;
  const file = fileOf(refusal, call);
  // A file to which something goes is seldom one of those that are there.
  const isGuessed = FILE_CODES.includes(code) && !editsOf(call).some((edit) => isGoingTo(file, edit));
  const guess = isGuessed ? guessFile(file, surroundings) : NO_GUESS;
  const suggestions = [
    ...(guess.folder === undefined ? [] : [`It is a folder with files: ${visibleLine(guess.folder)}`]),
    ...guess.nearest.map((file) => `Use ${visibleLine(file)}`),
    ...(clues.nearestPaths ?? []).map((path) => `Use ${path}`),
    ...(clues.limit === undefined ? [] : [describeLimit(clues.limit)]),
    ...(clues.documents ?? []).slice(0, MAX_PROBLEMS).map((line) => visibleLine(line)),
    ...(clues.actualSha256 === undefined ? [] : [`The file has sha256 ${clues.actualSha256} now`]),
    ...(clues.advice ?? EXPLANATIONS[code].advice),
  ].map((line) => cut(line, MAX_LINE));
  const steps = recoverySteps(refusal, call, guess);
  const details = [...describeProblems(refusal), ...(clues.different ?? [])].join('\n');
  const context = Object.fromEntries(
    Object.entries(refusal.where)
      .filter((entry): entry is [string, string | number] => entry[1] !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? cut(value, MAX_CONTEXT) : value]),
  );
  const reason =
    guess.folder === undefined
      ? refusal.message
      : `Cannot use ${quoted(file ?? '')}: it is a folder, not a file`;
  const message = cut(reason, MAX_LINE);
  return {
    text: renderText(
      code,
      message,
      shownDiff(clues),
      [...whereIn(refusal, call), ...(details === '' ? [] : [details])],
      suggestions,
      steps,
    ),
    data: {
      ok: false as const,
      error: {
        code,
        category: ERROR_CATEGORIES[code],
        message,
        ...(details === '' ? {} : { details }),
        ...(clues.preview === undefined ? {} : { preview: clues.preview }),
        ...(Object.keys(context).length === 0 ? {} : { context }),
        // The preview has its warnings itself.
        suggestions: suggestions.filter((line) =>
          [clues.preview?.['warnings']].flat().every((one) => one !== line),
        ),
        recovery_steps: steps,
        retryable: clues.isRetryable ?? RETRYABLE.includes(code),
      },
    },
  };
}

/** Names the edit of a batch, or another file than that of the call, because some models see the text only. */
function whereIn({ where: { file, edit_index: editIndex } }: Refusal, call: Call): string[] {
  const edits = editsOf(call);
  const isArrival = edits.some((edit) => isGoingTo(file, edit));
  const isOtherFile = file !== undefined && file !== call.args['file'] && (edits.length !== 1 || isArrival);
  const parts = [
    ...(editIndex === undefined || edits.length < 2 ? [] : [`edits[${editIndex}]`]),
    ...(isOtherFile ? [`${isArrival ? 'to_file ' : ''}${visibleLineOnce(file)}`] : []),
  ];
  return parts.length === 0 ? [] : [`In ${cut(parts.join(', '), MAX_LINE)}`];
}

function describeProblems({ clues }: Refusal): string[] {
  const problems = clues.problems ?? [];
  const isSaidAlready = problems.length === 1 && problems[0]?.expected === undefined;
  if (problems.length === 0 || isSaidAlready) return [];
  const lines = problems.slice(0, MAX_PROBLEMS).map(({ line, column, message, path, expected }) => {
    const where = line > 0 ? `line ${line}, column ${column}: ` : path === undefined ? '' : `${path}: `;
    const what = path === '' ? 'the whole document' : (path ?? '');
    const wanted = expected === undefined ? '' : `: ${what}; expected ${visibleLine(expected)}`;
    return `${where}${message}${wanted}`;
  });
  return [
    ...lines,
    ...(problems.length > MAX_PROBLEMS ? [`and ${problems.length - MAX_PROBLEMS} more`] : []),
  ];
}

/** Returns the diff, or its first lines: a model that sees the text only should see what it may apply. */
function shownDiff({ diff = '', previewId }: Clues): string {
  const end = diff.length > MAX_SHOWN_DIFF ? diff.lastIndexOf('\n', MAX_SHOWN_DIFF) + 1 : diff.length;
  const rest = `… more of it: config_history {"preview_id":"${previewId ?? ''}"}\n`;
  return `${diff.slice(0, end)}${end < diff.length ? rest : ''}`;
}

function describeLimit({ name, allowed, actual, unit }: NonNullable<Refusal['clues']['limit']>): string {
  return `The limit for ${name} is ${allowed} ${unit}${actual === undefined ? '' : `; here it is ${actual}`}`;
}

/** Writes all that some models see. Space for the steps is reserved before suggestions are added. */
function renderText(
  code: ErrorCode,
  message: string,
  diff: string,
  details: readonly string[],
  suggestions: readonly string[],
  steps: readonly RecoveryStep[],
): string {
  let left = MAX_STEPS;
  const stepLines = steps.map(({ do: what, tool, arguments: args }) => {
    if (tool === undefined) return `Next: ${what}`;
    const sent = sendable(args);
    // A call that is cut cannot be sent.
    if (sent.length > left) return `Next: ${what}: ${tool}, with its arguments in recovery_steps`;
    left -= sent.length;
    return `Next: ${what}: ${tool} ${sent}`;
  });
  const tail = stepLines.join('\n');
  const most = MAX_TEXT + diff.length;
  let text = `${code}: ${message}`;
  const isStep = (line: string) =>
    steps.some(({ do: what }) => what === line || what.startsWith(`${line}, if`));
  const others = suggestions.filter((line) => !isStep(line)).map((line) => `- ${line}`);
  for (const line of [...details, ...(diff === '' ? [] : [diff.trimEnd()]), ...others]) {
    if (text.length + line.length + tail.length + 2 > most) break;
    text += `\n${line}`;
  }
  return cut(tail === '' ? text : `${text}\n${tail}`, most);
}

/** Writes JSON that means the same when it is copied, with invisible characters as `\uXXXX`. */
function sendable(args: unknown): string {
  return Array.from(JSON.stringify(args), (character) =>
    visibleLine(character) === character ? character : escapeUnits(character),
  ).join('');
}

function cut(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1).toWellFormed()}…`;
}

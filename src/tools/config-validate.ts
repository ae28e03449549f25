// config_validate reports every problem of a file or a text with its line and column.
import { z } from 'zod';
import {
  type ConfigFile,
  findProblems,
  forOneOfMany,
  isPlainText,
  notesOnReading,
  readOrProblems,
} from '../adapters/formats/registry.ts';
import { findHazards, type Hazard } from '../adapters/review/yaml11-readings.ts';
import { findViolations } from '../adapters/schema/find-violations.ts';
import { isTemplate } from '../adapters/tree/actions.ts';
import { selectDocument } from '../adapters/tree/document.ts';
import { counted } from '../adapters/tree/wording.ts';
import { type Problem, Refusal } from '../security/errors/refusal.ts';
import type { SafePath } from '../security/paths/safe-path.ts';
import { visibleLine } from '../security/text/visible.ts';
import { previewing } from './as-previewed.ts';
import { notChecked } from './check-schemas.ts';
import { noFiles } from './config-list.ts';
import { closedLines } from './named-files.ts';
import {
  boundSchemas,
  eachFile,
  excludeField,
  filesOf,
  joinPatterns,
  locating,
  type NamedSchema,
  ownSchema,
  patternField,
  readSnapshot,
  schemaFile,
} from './read-file.ts';
import { printCursor, readCursor } from './search-page.ts';
import {
  type CallContext,
  cutPath,
  cutSentence,
  docField,
  previewField,
  type Reply,
  runEvenIfInvalid,
  takeWithinBudget,
  tool,
} from './tool.ts';

const MAX_PROBLEMS = 500;
const MAX_HAZARD_LINES = 20;
const NOT_CHECKED = 'Plain text: not checked.';

export const configValidate = tool({
  name: 'config_validate',
  title: 'Check a configuration file',
  description:
    'Finds syntax errors, duplicate keys, dangling aliases and schema violations, with line and column; in all files, or one, or a text.',
  input: z
    .strictObject({
      file: z.string().optional(),
      text: z.string().optional().describe('YAML to check instead of a file'),
      pattern: patternField.describe('Which files'),
      exclude: excludeField,
      doc: docField.describe('Kind/name'),
      schema: z.string().optional().describe('A JSON Schema file inside the root'),
      cursor: z.string().max(64).optional(),
      preview_id: previewField,
    })
    .refine(
      ({ file, text, pattern, exclude }) => [file, text, pattern ?? exclude].filter(isGiven).length <= 1,
      {
        message: 'give one of file, text and pattern',
        path: ['file'],
        ...runEvenIfInvalid,
      },
    ),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ file, text: given, pattern, exclude, doc, schema, cursor, preview_id: previewId }, asked) {
    const context = await previewing(previewId, asked);
    const isOne = file !== undefined || given !== undefined;
    if (!isOne) return validateFiles(joinPatterns(pattern, exclude), cursor, context);
    const { policy, pause } = context;
    const where = file === undefined ? {} : { file };
    // A text without a path is YAML.
    const subject = file === undefined ? { path: undefined, text: given ?? '' } : readSnapshot(file, context);
    const named = schema === undefined ? undefined : schemaFile(schema, context);
    const config = locating(where, () => readOrProblems(subject.path, subject.text, policy.limits));
    // A file with syntax errors has no values to check.
    if (!('stream' in config))
      return replyOf(where, { problems: config, hazards: [], schemas: [], notes: [] }, context);
    // Each of these steps is slow the first time.
    await pause();
    const problems = locating(where, () => findProblems(config, doc));
    await pause();
    const report = locating(where, (): Report => {
      const { schemas, notes } = schemasOf(config, subject.path, named, context);
      const chosen = doc === undefined ? undefined : selectDocument(config.stream, doc);
      const unchecked = isTemplate(config.stream) ? schemas : [];
      const checked = schemas.filter((one) => !unchecked.includes(one));
      const violations = checked.flatMap((one) => findViolations(config.stream, one.schema, chosen));
      return {
        problems: [...problems, ...unique(violations)],
        hazards: config.format.hasDialects ? findHazards(config.stream, chosen) : [],
        schemas: checked.map(({ name }) => name),
        notes: [...notes, ...unchecked.map(({ name }) => notChecked(name))],
      };
    });
    return replyOf(where, report, context);
  },
});

function isGiven(subject: unknown): boolean {
  return subject !== undefined;
}

interface Report {
  readonly problems: readonly Problem[];
  readonly hazards: readonly Hazard[];
  /** The names of the schemas that were applied. */
  readonly schemas: readonly string[];
  readonly notes: readonly string[];
}

function replyOf(where: { readonly file?: string }, report: Report, { policy }: CallContext): Reply {
  const { problems, schemas, notes } = report;
  const chars = policy.limits.replyChars / 4;
  const shown = cut(problems, MAX_PROBLEMS, chars);
  const hazards = cut(report.hazards, report.hazards.length, chars);
  const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
  const valid = notes.includes(NOT_CHECKED) ? [] : ['Valid: no problems found.'];
  const lines = [
    ...(problems.length === 0 ? valid : [`${counted(problems.length, 'problem')}:`]),
    ...shown.map(problemLine),
    ...more,
    ...hazards.slice(0, MAX_HAZARD_LINES).map(hazardLine),
    ...notes,
  ];
  const found = { valid: problems.length === 0, problem_count: problems.length, problems: shown };
  return { text: lines.join('\n'), data: { ok: true, ...where, ...found, hazards, schemas, notes } };
}

/** Returns as many items as the reply can hold, each cut to a readable length. */
function cut<Item extends { readonly message: string; readonly path?: string }>(
  items: readonly Item[],
  most: number,
  chars: number,
): readonly Item[] {
  const short = items.slice(0, most).map((item) => ({
    ...item,
    message: cutSentence(item.message),
    ...(item.path === undefined ? {} : { path: cutPath(item.path) }),
  }));
  return takeWithinBudget(short, { most, chars }, ({ message, path = '' }) => message.length + path.length);
}

/** Returns the schema that the call names, or else that of the file itself, and those that the operator bound to it. */
function schemasOf(
  config: ConfigFile,
  path: SafePath | undefined,
  named: NamedSchema | undefined,
  context: CallContext,
): { readonly schemas: readonly NamedSchema[]; readonly notes: readonly string[] } {
  const given = named === undefined ? [] : [named];
  if (path === undefined) return { schemas: given, notes: [] };
  const own = named === undefined ? ownSchema(config, path, context) : undefined;
  return {
    schemas: [...given, ...boundSchemas(path, context), ...(typeof own === 'object' ? [own] : [])],
    notes: [
      ...(isPlainText(path) ? [NOT_CHECKED] : []),
      ...notesOnReading(config, path),
      ...(typeof own === 'string' ? [own] : []),
    ],
  };
}

/** Removes duplicates, because two schemas may report the same problem. */
function unique(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

function problemLine({ line, column, code, message, path, expected }: Problem): string {
  const where = path === undefined ? '' : ` (${path === '' ? 'the whole document' : visibleLine(path)})`;
  const wanted = expected === undefined ? '' : `; expected ${visibleLine(expected)}`;
  return `line ${line}, column ${column}: ${code}: ${message}${where}${wanted}`;
}

function hazardLine({ line, column, path, message }: Hazard): string {
  return `hazard at line ${line}, column ${column}: ${visibleLine(path)}: ${visibleLine(message)}`;
}

/** The most files on a page. */
const MAX_LISTED = 200;

/** Checks the files that a pattern names. Throws ARGUMENT_INVALID for a bad pattern, and for a cursor of another call. */
async function validateFiles(
  pattern: string | undefined,
  cursor: string | undefined,
  context: CallContext,
): Promise<Reply> {
  const { files, isTruncated, closed } = filesOf(pattern, context);
  const from = readCursor(cursor, files);
  const faulty: string[] = [];
  let chars = context.policy.limits.replyChars / 2;
  const take = (file: string): boolean => {
    if (faulty.length >= MAX_LISTED || chars < 0) return true;
    const fault = rememberedFault(file, context);
    if (fault === '') return false;
    const line = `${visibleLine(file)}: ${fault}`;
    chars -= line.length;
    faulty.push(line);
    return false;
  };
  const end = await eachFile(files, from.file, take, context);
  const found = from.found + faulty.length;
  const isWhole = end === files.length;
  const next = isWhole ? undefined : printCursor({ file: end, skip: 0, found, left: 0 }, files);
  const plain = files.slice(0, end).filter((file) => isPlainText(context.sandbox.parse(file))).length;
  const lines = [
    `${isWhole ? counted(end - plain, 'file') : `${end - plain} of ${counted(files.length, 'file')}`} checked, ${found} with problems${cursor === undefined ? '' : ' on all pages so far'}.`,
    ...(plain === 0 ? [] : [`${counted(plain, 'file')} of plain text: not checked.`]),
    ...(files.length === 0 ? [noFiles(pattern, context)] : []),
    ...faulty,
    ...closedLines(closed),
    ...(isTruncated ? ['The tree is too large to check whole: narrow the pattern.'] : []),
    ...(next === undefined ? [] : [`More: repeat with cursor ${JSON.stringify(next)}`]),
  ];
  return {
    text: lines.join('\n'),
    data: {
      ok: true,
      valid: found === 0 && isWhole && !isTruncated,
      problem_count: found,
      problems: faulty,
      files: end,
      ...(plain === 0 ? {} : { plain_text: plain }),
      ...(isWhole ? {} : { of: files.length, next_cursor: next }),
    },
  };
}

/** The key under which the first problem of a content is remembered; an empty text if there is none. */
const NOTE = 'validate';

/** Returns the first problem of a file, or an empty text. Refusals are remembered only if they follow from its content alone. */
function rememberedFault(file: string, context: CallContext): string {
  try {
    const { path, text, notes } = readSnapshot(file, context);
    const known = notes.get(NOTE);
    if (known !== undefined) return known;
    const config = readOrProblems(path, text, forOneOfMany(context.policy.limits));
    const problems = 'stream' in config ? findProblems(config) : config;
    const [first] = problems;
    const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
    const at = first?.path === undefined || first.path === '' ? '' : ` (${first.path})`;
    const fault =
      first === undefined
        ? ''
        : cutSentence(
            `line ${first.line}, column ${first.column}: ${first.code}: ${first.message}${at}${more}`,
          );
    notes.set(NOTE, fault);
    return fault;
  } catch (error) {
    if (error instanceof Refusal) return cutSentence(`${error.code}: ${error.message}`);
    throw error;
  }
}

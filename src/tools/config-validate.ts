// config_validate reports every problem of a file or a text with its line and column.
import { z } from 'zod';
import {
  type ConfigFile,
  counted,
  findHazards,
  findProblems,
  findViolations,
  type Hazard,
  isPlainText,
  isTemplate,
  notesOnReading,
  readOrProblems,
  selectDocument,
} from '../adapters/index.ts';
import { type Problem, type SafePath, visibleLine } from '../security/index.ts';
import { previewing } from './as-previewed.ts';
import { notChecked } from './check-schemas.ts';
import { excludeField, joinPatterns, patternField } from './file-pattern.ts';
import {
  boundSchemas,
  locating,
  type NamedSchema,
  ownSchema,
  readSnapshot,
  schemaFile,
} from './read-file.ts';
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
import { validateFiles } from './validate-files.ts';

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
    // A file with syntax errors has no values that could be checked any further.
    if (!('stream' in config))
      return replyOf(where, { problems: config, hazards: [], schemas: [], notes: [] }, context);
    // The first time, each of these steps takes a while.
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

/** Returns the first items that the reply can hold, each cut to a readable length. */
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

/** Returns the schema that the call names, or else the file itself, and those that the operator has bound to it. */
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

// config_validate: everything that is wrong with a file or a text, each with its line and column.
import { z } from 'zod';
import {
  type ConfigFile,
  counted,
  type DocumentSelector,
  findHazards,
  findProblems,
  findViolations,
  type Hazard,
  readOrProblems,
  selectDocument,
} from '../adapters/index.ts';
import { type Problem, Refusal, type SafePath, visibleLine } from '../security/index.ts';
import { docField, fileField, runEvenIfInvalid } from './fields.ts';
import { readSnapshot } from './read-file.ts';
import { boundSchemas, type NamedSchema, ownSchema, schemaFile } from './schemas.ts';
import { cutPath, cutSentence, takeWithinBudget } from './take-within-budget.ts';
import { type CallContext, tool } from './tool.ts';

const MAX_PROBLEMS = 500;

export const configValidate = tool({
  name: 'config_validate',
  title: 'Check a configuration file',
  description:
    'Finds every syntax error, duplicate key, dangling alias and schema violation, each with line and column. Give either file or text.',
  input: z
    .strictObject({
      file: fileField.optional(),
      text: z.string().optional().describe('YAML to check instead of a file'),
      doc: docField.describe('As in config_get'),
      schema: z.string().optional().describe('A JSON Schema file inside the root'),
    })
    .refine(({ file, text }) => (file === undefined) !== (text === undefined), {
      message: 'give exactly one of file and text',
      path: ['file'],
      ...runEvenIfInvalid,
    }),
  output: z
    .object({
      ok: z.literal(true),
      valid: z.boolean(),
      problems: z.array(
        z.object({ code: z.string(), message: z.string(), line: z.number(), column: z.number() }).loose(),
      ),
    })
    .loose(),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  writes: () => false,
  async run({ file, text, doc, schema }, context) {
    const report =
      file === undefined
        ? await reportOnText(text ?? '', doc, schema, context)
        : await reportOnFile(file, doc, schema, context);
    const { problems, schemas, notes } = report;
    const chars = context.policy.limits.replyChars / 4;
    const shown = shownProblems(problems, chars);
    const hazards = shownHazards(report.hazards, chars);
    const more = problems.length > shown.length ? [`and ${problems.length - shown.length} more`] : [];
    const summary =
      problems.length === 0 ? 'Valid: no problems found.' : `${counted(problems.length, 'problem')}:`;
    const lines = [
      summary,
      ...shown.map(problemLine),
      ...more,
      ...hazards.slice(0, MAX_HAZARD_LINES).map(hazardLine),
      ...notes,
    ];
    const subject = file === undefined ? {} : { file };
    const found = { valid: problems.length === 0, problem_count: problems.length, problems: shown };
    return { text: lines.join('\n'), data: { ok: true, ...subject, ...found, hazards, schemas, notes } };
  },
});

/** The first of them that have room, none longer than anybody reads. */
function shownProblems(problems: readonly Problem[], chars: number): readonly Problem[] {
  const short = problems.slice(0, MAX_PROBLEMS).map((problem) => ({
    ...problem,
    message: cutSentence(problem.message),
    ...(problem.path === undefined ? {} : { path: cutPath(problem.path) }),
  }));
  return takeWithinBudget(
    short,
    { most: MAX_PROBLEMS, chars },
    ({ message, path = '' }) => message.length + path.length,
  );
}

function shownHazards(hazards: readonly Hazard[], chars: number): readonly Hazard[] {
  const short = hazards.map((hazard) => ({
    ...hazard,
    message: cutSentence(hazard.message),
    path: cutPath(hazard.path),
  }));
  return takeWithinBudget(
    short,
    { most: short.length, chars },
    ({ message, path }) => message.length + path.length,
  );
}

interface Report {
  readonly problems: readonly Problem[];
  readonly hazards: readonly Hazard[];
  /** The names of the schemas that were applied. */
  readonly schemas: readonly string[];
  readonly notes: readonly string[];
}

const MAX_HAZARD_LINES = 20;

function reportOnText(
  text: string,
  doc: DocumentSelector | undefined,
  schema: string | undefined,
  context: CallContext,
): Promise<Report> {
  const schemas = schema === undefined ? [] : [schemaFile(schema, context)];
  return reportOn(text, undefined, doc, context, () => ({ schemas, notes: [] }));
}

async function reportOnFile(
  file: string,
  doc: DocumentSelector | undefined,
  schema: string | undefined,
  context: CallContext,
): Promise<Report> {
  const { path, text } = readSnapshot(file, context);
  const named = schema === undefined ? [] : [schemaFile(schema, context)];
  const schemasOf = (config: ConfigFile) => {
    const own = schema === undefined ? ownSchema(config, path, context) : undefined;
    return {
      schemas: [...named, ...boundSchemas(path, context), ...(typeof own === 'object' ? [own] : [])],
      notes: typeof own === 'string' ? [own] : [],
    };
  };
  try {
    return await reportOn(text, path, doc, context, schemasOf);
  } catch (error) {
    throw error instanceof Refusal ? error.at({ file }) : error;
  }
}

/** Without a path it is YAML. */
async function reportOn(
  text: string,
  path: SafePath | undefined,
  doc: DocumentSelector | undefined,
  { policy, pause }: CallContext,
  schemasOf: (config: ConfigFile) => {
    readonly schemas: readonly NamedSchema[];
    readonly notes: readonly string[];
  },
): Promise<Report> {
  const config = readOrProblems(path, text, policy.limits);
  // A file with syntax errors has no values that could be checked any further.
  if (!('stream' in config)) return { problems: config, hazards: [], schemas: [], notes: [] };
  // The first time, each step of it takes a while.
  await pause();
  const problems = findProblems(config, doc);
  await pause();
  const { schemas, notes } = schemasOf(config);
  const chosen = doc === undefined ? undefined : selectDocument(config.stream, doc);
  const violations = unique(schemas.flatMap(({ schema }) => findViolations(config.stream, schema, chosen)));
  return {
    problems: [...problems, ...violations],
    hazards: config.syntax.name === 'JSON' ? [] : findHazards(config.stream, chosen),
    schemas: schemas.map(({ name }) => name),
    notes,
  };
}

/** Two schemas may ask for the same. */
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

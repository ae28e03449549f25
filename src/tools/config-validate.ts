// config_validate: everything that is wrong with a file or a text, each with its line and column.
import { z } from 'zod';
import { findProblems } from '../adapters/index.ts';
import { visibleLine } from '../security/index.ts';
import { docField, fileField, whateverElseIsWrong } from './fields.ts';
import { locating, readSnapshot } from './read-file.ts';
import { type Desk, tool } from './tool.ts';

const MAX_PROBLEMS = 500;

export const configValidate = tool({
  name: 'config_validate',
  title: 'Check a configuration file',
  description:
    'Finds every syntax error, duplicate key and alias without anchor, each with line and column. Give either file or text.',
  input: z
    .strictObject({
      file: fileField.optional(),
      text: z.string().optional().describe('YAML to check instead of a file'),
      doc: docField,
    })
    .refine(({ file, text }) => (file === undefined) !== (text === undefined), {
      message: 'give exactly one of file and text',
      path: ['file'],
      ...whateverElseIsWrong,
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
  run({ file, text, doc }, desk) {
    const found =
      file === undefined ? findProblems(text ?? '', desk.policy.limits, doc) : problemsOf(file, doc, desk);
    const problems = found.slice(0, MAX_PROBLEMS);
    const lines = problems.map(({ line, column, code, message, path }) => {
      return `line ${line}, column ${column}: ${code}: ${message}${path === undefined ? '' : ` (${visibleLine(path)})`}`;
    });
    const more = found.length > problems.length ? [`and ${found.length - problems.length} more`] : [];
    const summary =
      found.length === 0
        ? 'Valid: no problems found.'
        : `${found.length} ${found.length === 1 ? 'problem' : 'problems'}:`;
    const counted = { valid: found.length === 0, problem_count: found.length, problems };
    return {
      text: [summary, ...lines, ...more].join('\n'),
      data: { ok: true, ...(file === undefined ? {} : { file }), ...counted },
    };
  },
});

function problemsOf(file: string, doc: Parameters<typeof findProblems>[2], desk: Desk) {
  const snapshot = readSnapshot(file, desk);
  return locating({ file }, () => findProblems(snapshot.text, desk.policy.limits, doc, snapshot.path));
}

// config_edit: a batch over one or many files, all or nothing. It only says what is to be done.
import { z } from 'zod';
import type { Operation } from '../adapters/index.ts';
import { quoted, Refusal } from '../security/index.ts';
import { type FileEdits, runEdits } from './edit-flow.ts';
import {
  asksForWrite,
  docField,
  dryRunField,
  editOutput,
  jsonField,
  runEvenIfInvalid,
  sha256Pattern,
} from './fields.ts';
import { tool } from './tool.ts';

/** Which arguments an operation must have, and which it may have besides file, path and doc. */
const ARGUMENTS = {
  set: { needs: ['value|json'], may: ['create'] },
  delete: { needs: [], may: [] },
  append: { needs: ['value|json'], may: [] },
  insert: { needs: ['value|json', 'index|key'], may: ['before', 'after'] },
  rename: { needs: ['new_key'], may: [] },
  comment: { needs: ['comment'], may: ['place'] },
} as const;

const COMMON: readonly string[] = ['op', 'file', 'path', 'doc'];

const editFields = z
  .strictObject({
    op: z.enum(['set', 'delete', 'append', 'insert', 'rename', 'comment']),
    file: z.string(),
    path: z.string(),
    doc: docField.describe('file, path, doc, value, json, create: as in config_set'),
    value: z.string().optional().describe('For set, append, insert'),
    json: jsonField.optional(),
    create: z.boolean().optional(),
    index: z.number().int().optional().describe('insert into the list at path'),
    key: z.string().optional().describe('insert into the mapping at path'),
    before: z.string().optional().describe('insert: the key to stand before'),
    after: z.string().optional(),
    new_key: z.string().optional().describe('rename'),
    comment: z.string().optional().describe('Text; "" removes'),
    place: z.enum(['before', 'line_end']).optional(),
  })
  .superRefine((edit, context) => {
    for (const message of misfits(edit)) context.addIssue({ code: 'custom', message, path: ['op'] });
  }, runEvenIfInvalid);

type EditInput = z.infer<typeof editFields>;

export const configEdit = tool({
  name: 'config_edit',
  title: 'Edit configuration in a batch',
  description:
    'Edits one or many files, in order, all or nothing; later edits see earlier ones. Answers a preview for config_apply.',
  input: z.strictObject({
    edits: z.array(editFields).min(1).max(200),
    dry_run: dryRunField,
    expected_sha256: z
      .union([sha256Pattern, z.record(z.string(), sha256Pattern)])
      .optional()
      .describe('sha256 of the file, or by file'),
  }),
  output: editOutput,
  hints: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
  writes: asksForWrite,
  run({ edits, dry_run: dryRun, expected_sha256: expected }, context) {
    const files = groupByFile(edits, expected);
    return runEdits({ files, dryRun, tool: 'config_edit', request: { edits } }, context);
  },
});

/** Files in the order of their first edit; the edits of each in their own order. */
function groupByFile(
  edits: readonly EditInput[],
  expected: string | Readonly<Record<string, string>> | undefined,
): FileEdits[] {
  const byFile = new Map<string, { operation: Operation; editIndex: number }[]>();
  for (const [editIndex, edit] of edits.entries()) {
    const operations = byFile.get(edit.file) ?? [];
    operations.push({ operation: operationOf(edit), editIndex });
    byFile.set(edit.file, operations);
  }
  const named = typeof expected === 'object' ? Object.keys(expected) : [];
  const stranger = named.find((file) => !byFile.has(file));
  if (stranger !== undefined || (typeof expected === 'string' && byFile.size > 1)) {
    throw new Refusal(
      'ARGUMENT_INVALID',
      stranger === undefined
        ? 'Cannot use expected_sha256: for several files, give it as {"file": "sha256"}'
        : `Cannot use expected_sha256: no edit is of ${quoted(stranger)}`,
    );
  }
  return [...byFile].map(([file, operations]) => ({
    file,
    operations,
    expectedSha256:
      typeof expected === 'string'
        ? expected
        : expected === undefined
          ? undefined
          : new Map(Object.entries(expected)).get(file),
  }));
}

function operationOf(edit: EditInput): Operation {
  const { path, doc } = edit;
  const value = edit.value === undefined ? { json: edit.json ?? null } : { source: edit.value };
  switch (edit.op) {
    case 'set':
      return { op: 'set', path, doc, value, create: edit.create ?? true };
    case 'delete':
      return { op: 'delete', path, doc };
    case 'append':
      return { op: 'append', path, doc, value };
    case 'insert':
      if (edit.index !== undefined) return { op: 'insert', path, doc, value, index: edit.index };
      return { op: 'insert', path, doc, value, key: edit.key ?? '', before: edit.before, after: edit.after };
    case 'rename':
      return { op: 'rename', path, doc, newKey: edit.new_key ?? '' };
    case 'comment':
      return { op: 'comment', path, doc, comment: edit.comment ?? '', place: edit.place ?? 'before' };
  }
}

/** What is missing, or has no meaning for the operation. The operation itself may be wrong, which is reported already. */
function misfits(edit: EditInput): string[] {
  if (!Object.hasOwn(ARGUMENTS, edit.op)) return [];
  const { needs, may } = ARGUMENTS[edit.op];
  const given = Object.entries(edit).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const known = [...COMMON, ...may, ...needs.flatMap((need) => need.split('|'))];
  const missing = needs.filter((need) => need.split('|').filter((name) => given.includes(name)).length !== 1);
  return [
    ...missing.map((need) =>
      need.includes('|')
        ? `${edit.op} takes exactly one of ${need.split('|').join(' and ')}`
        : `${edit.op} needs ${need}`,
    ),
    ...given.filter((name) => !known.includes(name)).map((name) => `${edit.op} takes no ${name}`),
    ...(edit.before !== undefined && edit.after !== undefined ? ['give before or after, not both'] : []),
    ...(edit.index !== undefined && (edit.before !== undefined || edit.after !== undefined)
      ? ['before and after go with key']
      : []),
  ];
}

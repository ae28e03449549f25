// Parses a batch of edits and finds its files, for config_edit and for edits that join a preview.
import { z } from 'zod';
import type { Arguments } from '../adapters/operations/operation.ts';
import {
  argumentErrors,
  conditionErrors,
  describeOperations,
  OPERATION_NAMES,
  pathError,
} from '../adapters/operations/registry.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { quoted } from '../security/text/visible.ts';
import type { Preview } from '../state/preview.ts';
import { bulkOf, type FileEdit, isFilePattern } from './bulk.ts';
import type { FileEdits } from './file-operations.ts';
import { FilesNamed } from './matched-nodes.ts';
import { excludeField, joinPatterns, locating } from './read-file.ts';
import { type CallContext, docField, jsonField, runEvenIfInvalid } from './tool.ts';

/** The most edits of a batch. */
export const MOST_EDITS = 200;

const argumentFields = {
  value: z.string().optional(),
  json: jsonField.optional(),
  create: z.boolean().optional().describe('Make missing keys; a pattern does so only with true'),
  if_missing: z.boolean().optional().describe('Change only where nothing exists'),
  each: z.boolean().optional().describe('Each item of a list'),
  index: z.number().int().optional().describe('Of a new item; 0: first'),
  key: z.string().optional().describe('Of a new entry'),
  before: z.string().optional().describe('A key there, or an item: [name=web], its text'),
  after: z.string().optional().describe('As before'),
  new_key: z.string().optional(),
  comment: z.string().optional().describe('"" removes. path "": header'),
  place: z.enum(['before', 'line_end']).optional(),
  keep: z.boolean().optional().describe('Add to the comment there'),
  to: z.string().optional().describe('New parent; default: its own'),
  to_file: z.string().optional(),
  to_doc: docField.describe('As doc'),
  old_text: z.string().optional(),
  new_text: z.string().optional(),
  content: z.string().optional(),
} as const satisfies Record<keyof Arguments, z.ZodType>;

export const editFields = z
  .strictObject({
    op: z.enum(OPERATION_NAMES).describe(describeOperations()),
    file: z.string().describe('Or a pattern: {a,b}/**/*.yaml'),
    exclude: excludeField.describe('With a pattern'),
    path: z.string().optional().describe('Or a pattern: **.steps[*].uses, args[=-v]'),
    doc: docField.describe('As in config_set, or Deployment/*'),
    from: z.string().optional().describe('Only nodes with this value; * and ? as in search'),
    expect: z.number().int().min(1).optional().describe('Number of matches, for a text at several places'),
    ...argumentFields,
  })
  .superRefine(({ op, file, exclude, path, doc, from, expect: _e, ...given }, context) => {
    if (exclude !== undefined && exclude.length > 0 && !isFilePattern(file))
      context.addIssue({ code: 'custom', message: 'it goes with a pattern in "file"', path: ['exclude'] });
    // An unknown operation is reported already.
    if (!OPERATION_NAMES.includes(op)) return;
    for (const message of [...argumentErrors(op, given, path), ...conditionErrors(op, { path, doc, from })])
      context.addIssue({ code: 'custom', message, path: ['op'] });
    // A path of another type is reported already.
    const error = typeof path === 'string' || path === undefined ? pathError(op, path) : undefined;
    if (error !== undefined) context.addIssue({ code: 'custom', message: error, path: ['path'] });
  }, runEvenIfInvalid);

export type EditInput = z.infer<typeof editFields>;

/** Returns the edits of the call that made a preview; undefined if they cannot be read. */
export function recordedEdits({ request }: Pick<Preview, 'request'>): readonly EditInput[] | undefined {
  const { edits, ...single } = Object(request);
  return editFields.array().safeParse(edits ?? [{ op: 'set', ...single }]).data;
}

/** Returns the files that the call of a preview would edit now. Throws the refusals of `groupByFile`. */
export function recordedFiles(preview: Pick<Preview, 'tool' | 'request'>, context: CallContext): FileEdits[] {
  const edits = recordedEdits(preview);
  const [only] = edits ?? [];
  if (edits === undefined || only === undefined) throw new Error('the call of a preview cannot be read');
  return preview.tool === 'config_set' ? [fileOfSet(only)] : groupByFile(edits, undefined, context);
}

/** Returns the only edit of config_set, which has no patterns. */
export function fileOfSet(
  { file, path, doc, value, json, create }: Omit<EditInput, 'op'>,
  expectedSha256?: string,
): FileEdits {
  const operation = { op: 'set', path, doc, value, json, create } as const;
  return { file, operations: [{ operation }], expectedSha256 };
}

/** Groups edits by file: files in the order of their first edits, the edits of each in order. */
export function groupByFile(
  edits: readonly EditInput[],
  expected: string | readonly { readonly file: string; readonly sha256: string }[] | undefined,
  context: CallContext,
): FileEdits[] {
  const byFile = new Map<string, FileEdit[]>();
  const named = new FilesNamed(context);
  for (const [editIndex, { exclude, ...given }] of edits.entries()) {
    const file = exclude === undefined ? given.file : (joinPatterns(given.file, exclude) ?? given.file);
    const edit = { ...given, file };
    const { from: _, expect: _expect, file: _file, ...operation } = edit;
    locating({ file: edit.file, path: edit.path, edit_index: editIndex }, () => {
      const bulk = bulkOf(operation, edit);
      for (const file of named.by(edit)) {
        const operations = byFile.get(file) ?? [];
        operations.push({ operation, editIndex, ...(bulk === undefined ? {} : { bulk }) });
        byFile.set(file, operations);
      }
      const { to_file: toFile, to, to_doc: toDoc, key, index, before, after, create } = operation;
      if (toFile === undefined) return;
      requireOneFile(edit.file, toFile, bulk !== undefined);
      const place = { path: to ?? '', doc: toDoc, key, index, before, after, create };
      const arriving = { operation: { op: 'copy', ...place } as const, editIndex, comesFrom: edit.file };
      byFile.set(toFile, [...(byFile.get(toFile) ?? []), arriving]);
    });
  }
  if (typeof expected === 'string' && byFile.size > 1)
    throw unusable('for several files, give it as [{"file": …, "sha256": …}]');
  const hashes = new Map(
    typeof expected === 'string'
      ? [...byFile.keys()].map((file) => [file, expected])
      : (expected ?? []).map(({ file, sha256 }) => [file, sha256]),
  );
  const stranger = [...hashes.keys()].find((file) => !byFile.has(file));
  if (stranger !== undefined) throw unusable(`no edit is of ${quoted(stranger)}`);
  return [...byFile].map(([file, operations]) => ({ file, operations, expectedSha256: hashes.get(file) }));
}

function requireOneFile(file: string, toFile: string, isBulk: boolean): void {
  const reason = isBulk
    ? 'only one node can go to another file in one edit'
    : file === toFile
      ? 'it names the file itself: leave it out'
      : undefined;
  if (reason !== undefined) throw new Refusal('ARGUMENT_INVALID', `Cannot use to_file: ${reason}`);
}

function unusable(reason: string): Refusal {
  return new Refusal('ARGUMENT_INVALID', `Cannot use expected_sha256: ${reason}`);
}

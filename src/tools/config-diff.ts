// config_diff compares the data of two files, documents or nodes, or of one file before and after a change.
import { z } from 'zod';
import { type Compared, type Comparison, compareFiles } from '../adapters/compare/compare-files.ts';
import { readConfigFile } from '../adapters/formats/registry.ts';
import { counted } from '../adapters/tree/wording.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { visibleLine } from '../security/text/visible.ts';
import { previewing } from './as-previewed.ts';
import { maskedNow } from './masked-now.ts';
import { ownChange } from './own.ts';
import { locating, locatingLater, readSnapshot, requireReadable } from './read-file.ts';
import {
  type CallContext,
  cutSentence,
  docField,
  previewField,
  type Reply,
  takeWithinBudget,
  tool,
} from './tool.ts';

const MAX_LINES = 300;

const sideFields = z.strictObject({
  file: z.string(),
  doc: docField.describe('Kind/name'),
  path: z.string().optional(),
  before_change: z.string().optional().describe('A change_id'),
  preview_id: previewField,
});

type SideInput = z.infer<typeof sideFields>;

export const configDiff = tool({
  name: 'config_diff',
  title: 'Compare configuration',
  description:
    'Compares two files, documents or nodes, also before a change or in a preview: added (+), removed (-), changed (~) paths with values.',
  input: z.strictObject({ a: sideFields, b: sideFields }),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ a, b }, context) {
    const one = await sideOf(a, context);
    await context.pause();
    const other = await sideOf(b, context);
    await context.pause();
    const compared = locating({ file: b.file }, () => compareFiles(one, other));
    const budget = { most: MAX_LINES, chars: context.policy.limits.replyChars / 2 };
    const shown = takeWithinBudget(compared.lines.map(cutSentence), budget, ({ length }) => length);
    return replyOf(`${nameOf(a)} → ${nameOf(b)}`, shown, compared);
  },
});

/** Reads one side. Throws the refusals of reading it, and CHANGE_NOT_FOUND. */
async function sideOf(
  { file, doc, path, before_change: changeId, preview_id: previewId }: SideInput,
  asked: CallContext,
): Promise<Compared> {
  return locatingLater({ file, path }, async () => {
    const context = await previewing(previewId, asked);
    const { limits } = context.policy;
    if (changeId === undefined) {
      const { path: place, text } = readSnapshot(file, context);
      return { stream: readConfigFile(place, text, limits).stream, doc, path };
    }
    const before = await textBefore(file, changeId, context);
    return { stream: readConfigFile(context.sandbox.parse(file), before, limits).stream, doc, path };
  });
}

/** Returns the text before a change, if the policy still allows the file to be read. */
async function textBefore(file: string, changeId: string, context: CallContext): Promise<string> {
  requireReadable(file, context);
  const name = context.sandbox.parse(file).toString();
  const change = await ownChange(changeId, context);
  const changed = change?.files.find((one) => one.file === name);
  if (changed !== undefined) return maskedNow(changed, context).base;
  throw new Refusal(
    'CHANGE_NOT_FOUND',
    'Cannot compare with this change: none with this id has changed this file, or its record was dropped.',
  );
}

function nameOf({ file, path = '', before_change: changeId, preview_id: previewId }: SideInput): string {
  const place = path === '' ? visibleLine(file) : `${visibleLine(file)} ${visibleLine(path)}`;
  if (changeId !== undefined) return `${place} before the change`;
  return previewId === undefined ? place : `${place} as previewed`;
}

const NUMBERS = 'Indexes and lines are those of b, behind "-" those of a.';

function replyOf(title: string, lines: readonly string[], compared: Comparison): Reply {
  const { added, removed, changed, isText = false } = compared;
  const left = compared.lines.length - lines.length;
  const more = isText
    ? 'of the diff more: read the files with view "raw"'
    : 'more: compare a part with "path"';
  const notes = [
    ...(left > 0 ? [`${counted(left, isText ? 'line' : 'difference')} ${more}`] : []),
    ...(!isText && lines.some((line) => line.startsWith('- ') || /^[^:=]*\[\d/u.test(line)) ? [NUMBERS] : []),
  ];
  const summary =
    added + removed + changed === 0
      ? `${title}: no difference${isText ? '' : ' in the data'}`
      : `${title}: ${isText ? 'lines of plain text: ' : ''}${added} added, ${removed} removed${isText ? '' : `, ${changed} changed`}`;
  return {
    text: [summary, ...lines, ...notes].join('\n'),
    data: { ok: true, result: summary, differences: lines, ...(notes.length === 0 ? {} : { notes }) },
  };
}

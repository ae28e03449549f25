// config_get shows one node as exact source, as an outline without values, or as a JSON value.
import { z } from 'zod';
import { encryptionNote } from '../adapters/encrypted/encrypted.ts';
import { withoutKeys } from '../adapters/formats/text/text-format.ts';
import { findNode, shownFile, shownLines } from '../adapters/shown/shown.ts';
import { describeDocuments } from '../adapters/tree/document.ts';
import { outlineOf } from '../adapters/tree/outline.ts';
import { cutText } from '../adapters/tree/wording.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { previewing } from './as-previewed.ts';
import { locating, type ReadFile, readFile, snapshotOf } from './read-file.ts';
import { type CallContext, docField, previewField, type Reply, takeWithinBudget, tool } from './tool.ts';

const INPUT = z.strictObject({
  file: z.string().describe('Relative to the root: deploy/web.yaml (of several: @name/deploy/web.yaml)'),
  path: z
    .string()
    .default('')
    .describe(
      'spec.containers[0].image, containers[name=web].image, labels["a.b/c"] or a JSON pointer (/spec/0). Empty: the whole document',
    ),
  doc: docField,
  view: z
    .enum(['source', 'outline', 'value', 'raw'])
    .optional()
    .describe(
      'source (default; of a large file without a path its outline): exact text. outline: structure. value: as JSON, aliases followed. raw: numbered lines, of any file',
    ),
  lines: z.string().optional().describe('Of view raw: "120-160"'),
  preview_id: previewField.describe('As it would be then'),
});

type Asked = Omit<z.infer<typeof INPUT>, 'preview_id'>;
type Input = Asked & { readonly view: NonNullable<Asked['view']> };

/** A longer file is outlined, unless the call names a part or a view. */
const MAX_WHOLE_CHARS = 40_000;

export const configGet = tool({
  name: 'config_get',
  title: 'Read a configuration node',
  description: 'Reads a file or one node of it.',
  input: INPUT,
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run({ preview_id: previewId, ...given }, asked) {
    const context = await previewing(previewId, asked);
    const { file, lines } = given;
    const input = { ...given, view: given.view ?? (lines === undefined ? 'source' : 'raw') };
    if (input.view === 'raw')
      return locating({ file }, () => rawView(file, lines ?? linesOf(input, context), context));
    const read = readFile(file, context, isWholeFile(input));
    await context.pause();
    const { text, hasStructure } = read.stream;
    if (given.view === undefined && isWholeFile(input) && text.length > MAX_WHOLE_CHARS)
      return locating({ file }, () =>
        hasStructure === false
          ? rawView(file, undefined, context, MAX_WHOLE_CHARS)
          : largeFile(file, read, context),
      );
    const reply = await shown(input, read, context);
    const encrypted = encryptionNote(read, file);
    return encrypted === undefined ? reply : alsoSaying(encrypted, reply);
  },
});

/** Returns the lines of the node; undefined if the whole file is asked for. */
function linesOf({ file, path, doc }: Input, context: CallContext): string | undefined {
  if (path === '' && doc === undefined) return undefined;
  const read = readFile(file, context);
  if (read.stream.hasStructure === false) throw withoutKeys('show its keys', file, read.isNot);
  const { line, end_line: end } = locating({ file, path }, () => findNode(read, path, doc));
  return `${line}-${end}`;
}

function isWholeFile({ view, path, doc }: Input): boolean {
  return view === 'source' && path === '' && doc === undefined;
}

async function shown(input: Input, read: ReadFile, context: CallContext): Promise<Reply> {
  const { file, path, doc, view } = input;
  if (read.stream.hasStructure === false && (view !== 'source' || path !== ''))
    throw withoutKeys(`show its ${path === '' ? view : 'keys'}`, file, read.isNot);
  const where = { file, path };
  if (view === 'outline' && path === '' && doc === undefined)
    return locating(where, () => outlineAll(file, read));
  if (isWholeFile(input)) return locating(where, () => wholeFile(file, read, context));
  const { source, value, outline, inherited, ...place } = locating(where, () => findNode(read, path, doc));
  const { sha256 } = read.snapshot;
  const note = hashNote(sha256);
  const data = { ok: true, file, ...place, view, sha256 } as const;
  const whole = (text: string): string => locating(where, () => requireShort(text, context, place.path));
  switch (view) {
    case 'source': {
      const text = whole(source());
      if (inherited === undefined) return { text, note, data: { ...data, source: text } };
      const steps = inheritedSteps({ file, path, doc: place.doc }, place.path, text, inherited === 'merge');
      const origin = `It comes from ${place.path}, through an alias or a merge (<<).`;
      const lines = steps.map((step) => `Next: ${step.do}: ${step.tool} ${JSON.stringify(step.arguments)}`);
      return {
        text,
        note: [origin, ...lines, note].join('\n'),
        data: { ...data, source: text, note: origin, next: steps },
      };
    }
    case 'value': {
      await context.pause();
      const json = locating(where, value);
      await context.pause();
      return { text: whole(JSON.stringify(json, null, 2)), note, data: { ...data, value: json } };
    }
    default: {
      const text = outline();
      return { text, note, data: { ...data, outline: text } };
    }
  }
}

/** Adds a sentence before the notes of a reply. */
function alsoSaying(sentence: string, { text, note, data }: Reply): Reply {
  const own = typeof data['note'] === 'string' ? ` ${data['note']}` : '';
  return {
    text,
    note: note === undefined ? sentence : `${sentence}\n${note}`,
    data: { ...data, note: `${sentence}${own}` },
  };
}

/**
 * Returns the calls that give the path a value of its own, or change the inherited value everywhere. No own value can be set below
 * an alias; the refusal of such an edit says what can be done.
 */
function inheritedSteps(
  asked: { readonly file: string; readonly path: string; readonly doc: number },
  from: string,
  value: string,
  canOverride: boolean,
) {
  if (value.includes('\n') || value.length > MAX_STEP_CHARS) return [];
  const call = (what: string, path: string) => {
    return { do: what, tool: 'config_set', arguments: { ...asked, path, value } };
  };
  return [...(canOverride ? [call('Override it here', asked.path)] : []), call('Change it for all', from)];
}

const MAX_STEP_CHARS = 300;

/** Shows the whole file, with its header, last comments and every document. The text need not be valid. */
function wholeFile(
  file: string,
  { stream, snapshot, format, unreadable, isNot }: ReadFile,
  context: CallContext,
): Reply {
  const source = requireShort(shownFile(stream.text), context, '');
  const [only, second] = stream.documents;
  const place =
    second === undefined ? { doc: 0, kind: only?.root.kind } : { documents: stream.documents.length };
  const end_line = stream.lines.at(Math.max(stream.text.length - 1, 0));
  const where = { path: '', ...place, line: 1, end_line };
  const data = { ok: true, file, ...where, view: 'source', sha256: snapshot.sha256, source } as const;
  if (unreadable === undefined && isNot === undefined) return { text: source, data };
  const [first] = unreadable?.clues.problems ?? [];
  const why = first === undefined ? '' : ` (line ${first.line}, column ${first.column}: ${first.message})`;
  const isValid = unreadable !== undefined && first === undefined;
  const what = isValid
    ? unreadable.message
    : isNot === undefined
      ? `This is not valid ${format.name}${why}`
      : `Read as text: ${isNot}`;
  const note = `${what}. It has no paths: edit it with replace_text.`;
  return { text: source, note, data: { ...data, note } };
}

/** Outlines a large file, and says how to read parts or all of it. */
function largeFile(file: string, read: ReadFile, { policy }: CallContext): Reply {
  const { length } = read.stream.text;
  const all = length > policy.limits.replyChars ? 'by view "raw" with lines' : 'by view "source"';
  const sentence = `The file has ${length} characters, so this is its outline. Read a part by "path", all of it ${all}.`;
  const reply = alsoSaying(sentence, outlineAll(file, read));
  const encrypted = encryptionNote(read, file);
  return encrypted === undefined ? reply : alsoSaying(encrypted, reply);
}

/** Longer outlines are cut; a document can then be named in "doc". */
const MAX_OUTLINE_CHARS = 6_000;

/** Outlines every document of the file. */
function outlineAll(file: string, { stream, snapshot }: ReadFile): Reply {
  const titles = describeDocuments(stream);
  const all = stream.documents;
  const outlines = all.map(({ root }, doc) => {
    const title = titles[doc] ?? '';
    const text = outlineOf(stream, root, [], all.length);
    return all.length === 1 ? text : `${title}\n${text}`;
  });
  const budget = { most: all.length, chars: MAX_OUTLINE_CHARS };
  const shown = takeWithinBudget(outlines, budget, ({ length }) => length + 1);
  const left = all.length - shown.length;
  const more = `… ${left} more documents: name one in "doc", by its index (0 to ${all.length - 1}) or a matcher`;
  const text = [...shown, ...(left > 0 ? [more] : [])].join('\n');
  const { sha256 } = snapshot;
  return { text, note: hashNote(sha256), data: { ok: true, file, view: 'outline', sha256, outline: text } };
}

/** Shows the beginning of the hash, which is enough for expected_sha256. */
function hashNote(sha256: string): string {
  return `sha256: ${sha256.slice(0, 12)}`;
}

/** Throws LIMIT_EXCEEDED for a text that is too long for a reply: a cut slice could be taken for the node. */
function requireShort(text: string, { policy }: CallContext, path: string): string {
  const allowed = policy.limits.replyChars;
  if (text.length <= allowed) return text;
  throw new Refusal(
    'LIMIT_EXCEEDED',
    `Cannot return this node: it is longer than the ${allowed} characters of a reply`,
    {},
    {
      existingPath: path,
      limit: { name: 'a reply', allowed, actual: text.length, unit: 'characters' },
      advice: ['See its parts with view "outline", then read them one by one'],
    },
  );
}

/**
 * Shows the lines `120-160`, `120` or `120-`, or all where `lines` is not given, up to `chars`, whether or not the file can be
 * parsed. What follows is named in parts as long. Throws ARGUMENT_INVALID.
 */
function rawView(
  file: string,
  lines: string | undefined,
  context: CallContext,
  chars = context.policy.limits.replyChars,
): Reply {
  const { text, sha256 } = snapshotOf(file, context);
  const all = shownLines(text);
  const [from, to] = lines === undefined ? [1, all.length] : rangeOf(lines, all.length);
  const numbered = all.slice(from - 1, to).map((line, index) => `${from + index}\t${line}`);
  const shown = takeWithinBudget(numbered, { most: numbered.length, chars }, ({ length }) => length + 1);
  const end = from + shown.length - 1;
  const last = lines === undefined ? Math.min(to, end + shown.length) : to;
  const next = end < to ? `${end + 1}-${last}` : undefined;
  const source = shown.map((line) => cutText(line, chars)).join('\n');
  const isAll = from === 1 && end === all.length;
  const notes = [
    ...(all.length === 0 ? ['The file is empty.'] : []),
    ...(isAll ? [] : [`(lines ${from}-${end} of ${all.length})`]),
    ...(next === undefined ? [] : [`More: repeat with lines "${next}"`]),
  ];
  return {
    text: [...(source === '' ? [] : [source]), ...notes].join('\n'),
    data: {
      ...{ ok: true, file, view: 'raw', sha256, source, line_count: all.length },
      ...(isAll ? {} : { lines: `${from}-${end}` }),
      ...(next === undefined ? {} : { next_lines: next }),
    },
  };
}

/** Returns the first and the last line. */
function rangeOf(lines: string, count: number): readonly [number, number] {
  const [, first = '', dash, last = ''] = /^ *(\d{1,9}) *(?:(-) *(\d{0,9}))? *$/.exec(lines) ?? [];
  const from = Number(first);
  const to = dash === undefined ? from : last === '' ? count : Number(last);
  if (first === '' || from < 1 || to < from)
    throw new Refusal('ARGUMENT_INVALID', 'Cannot use lines: give a range such as "120-160", counted from 1');
  if (from > count)
    throw new Refusal(
      'ARGUMENT_INVALID',
      `Cannot use lines: the file has ${count} lines`,
      {},
      { advice: ['Read it without lines'] },
    );
  return [from, Math.min(to, count)];
}

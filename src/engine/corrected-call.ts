// Guesses the call that was probably meant where arguments do not fit: fields and words are renamed, and fields of an edit moved
// into it. The guess passes the schema, and is offered, never run.
import { z } from 'zod';
import { closest } from '../adapters/tree/closest.ts';
import type { Refusal } from '../security/errors/refusal.ts';
import type { Tool } from '../tools/index.ts';
import { leniently } from './lenient-arguments.ts';

type Arguments = Readonly<Record<string, unknown>>;
type Corrected = NonNullable<Refusal['clues']['again']>;

/** The limit of fields that are corrected; more of them are no mistake in a name. */
const MOST_FIELDS = 200;

/** Names that other tools have for the field. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  file: ['filename', 'file_path', 'filepath', 'file_name'],
  path: ['key', 'key_path', 'yaml_path', 'json_path', 'selector', 'node'],
  value: ['new_value', 'val', 'yaml'],
  json: ['json_value', 'data'],
  doc: ['document', 'document_index', 'doc_index'],
  op: ['operation', 'action', 'type'],
  edits: ['operations', 'changes', 'patches'],
  old_text: ['old_string', 'oldText', 'search', 'find', 'old'],
  new_text: ['new_string', 'newText', 'replacement', 'replace', 'new'],
  content: ['contents', 'body', 'text'],
  new_key: ['new_name', 'name', 'to'],
  comment: ['text', 'message'],
  pattern: ['glob', 'path', 'files', 'directory', 'folder', 'file'],
  text: ['query', 'content', 'yaml'],
  key: ['name', 'query', 'path'],
  reason: ['message', 'description', 'why', 'note'],
  preview_id: ['id', 'preview'],
  change_id: ['id', 'change'],
};

const OTHER_WORDS: ReadonlyMap<string, string> = new Map([
  ['remove', 'delete'],
  ['update', 'set'],
  ['replace', 'set'],
  ['change', 'set'],
  ['push', 'append'],
  ['before_line', 'before'],
  ['above', 'before'],
  ['inline', 'line_end'],
  ['structure', 'outline'],
  ['json', 'value'],
  ['text', 'source'],
]);

/** Returns the corrected call; undefined if there is no guess. */
export function correctedCall({ name, input }: Tool, args: unknown): Corrected | undefined {
  if (!isObject(args)) return undefined;
  const whole = 'edits' in input.shape ? withEdits(input, args) : args;
  const corrected = leniently(input, correctedFields(input, whole));
  const isOther = JSON.stringify(corrected) !== JSON.stringify(args);
  if (!isOther || !input.safeParse(corrected).success) return undefined;
  return { do: 'Send it like this, if that is meant', tool: name, arguments: corrected };
}

/** Moves fields beside the list of edits into every edit that lacks them; or makes a list of a single edit. */
function withEdits(input: z.ZodObject, args: Arguments): Arguments {
  const entries = Object.entries(args);
  const beside = Object.fromEntries(
    entries.filter(([name]) => !Object.hasOwn(input.shape, name) && name !== 'operations'),
  );
  const own = Object.fromEntries(entries.filter(([name]) => !Object.hasOwn(beside, name)));
  if (!('edits' in args) && !('operations' in args)) return { ...own, edits: [beside] };
  const { file, doc, ...others } = beside;
  const common = { ...(file === undefined ? {} : { file }), ...(doc === undefined ? {} : { doc }) };
  const edits: unknown = leniently(input, own)['edits'];
  if (!Array.isArray(edits) || Object.keys(common).length === 0) return args;
  return {
    ...own,
    ...others,
    edits: edits.map((edit: unknown) => (isObject(edit) ? { ...common, ...edit } : edit)),
  };
}

function correctedFields(schema: z.ZodObject, args: Arguments): Arguments {
  const known = Object.keys(schema.shape);
  const given = Object.entries(args).slice(0, MOST_FIELDS);
  const renamed = new Map<string, unknown>();
  for (const [name, value] of given) if (known.includes(name)) renamed.set(name, value);
  for (const [name, value] of given) {
    if (known.includes(name)) continue;
    const [meant = name, another] = fieldsMeant(name, known);
    // An unknown field stays, so that the schema refuses it again; a tool without fields drops it.
    if (known.length > 0) renamed.set(another !== undefined || renamed.has(meant) ? name : meant, value);
  }
  const { value, json } = Object.fromEntries(renamed);
  if (known.includes('json') && typeof value === 'object' && value !== null && json === undefined) {
    renamed.delete('value');
    renamed.set('json', value);
  }
  if (known.includes('op') && !renamed.has('op') && (renamed.has('value') || renamed.has('json')))
    renamed.set('op', 'set');
  const corrected = [...renamed].map(
    ([name, field]) => [name, correctedValue(fieldNamed(schema, name), field)] as const,
  );
  return Object.fromEntries(corrected);
}

/** Returns the schema of a field; undefined for a name that every object has, such as `__proto__`. */
function fieldNamed({ shape }: z.ZodObject, name: string): unknown {
  return Object.hasOwn(shape, name) ? shape[name] : undefined;
}

/** Returns the fields that a name may stand for; exactly one where that is clear. */
export function fieldsMeant(name: string, known: readonly string[]): readonly string[] {
  const folded = name.replace(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`).replaceAll('-', '_');
  if (known.includes(folded)) return [folded];
  const synonyms = known.filter((field) => SYNONYMS[field]?.includes(folded) === true);
  return synonyms.length === 1 ? synonyms : closest(name, known);
}

function correctedValue(field: unknown, given: unknown): unknown {
  if (field instanceof z.ZodOptional || field instanceof z.ZodDefault)
    return correctedValue(field.unwrap(), given);
  if (field instanceof z.ZodEnum && typeof given === 'string') {
    const choices = field.options.map(String);
    const other = OTHER_WORDS.get(given.toLowerCase());
    if (choices.includes(given)) return given;
    return other !== undefined && choices.includes(other) ? other : (closest(given, choices, 1)[0] ?? given);
  }
  if (field instanceof z.ZodBoolean && typeof given === 'string' && given.toLowerCase() === 'false')
    return false;
  if (field instanceof z.ZodArray && Array.isArray(given)) {
    const { element } = field;
    return element instanceof z.ZodObject
      ? given.map((item: unknown) => (isObject(item) ? correctedFields(element, item) : item))
      : given;
  }
  return given;
}

function isObject(value: unknown): value is Arguments {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// Makes the refused call with one thing corrected, so that it works as it is. All else
// that was sent stays, `dry_run` too.
import { isPattern, type PathWord, parsePath, type Refusal, unlessRefused } from '../../security/index.ts';
import { again, askedFor, type Call, editsOf, type RecoveryStep } from './steps.ts';

/** Returns the same call with the nearest path. A shorter path would replace more than was asked, so it is not offered. */
export function withNearestPath(
  { clues: { nearestPaths = [] }, where }: Refusal,
  call: Call,
): RecoveryStep[] {
  const { path } = askedFor(call, where.edit_index);
  const [near] = nearestPaths;
  if (typeof path !== 'string' || near === undefined || !isAsDeep(near, path)) return [];
  return [corrected({ path: near }, where.edit_index, call, `Use ${near}`)];
}

/** True if both paths have the same number of levels; dots within a key count as the levels that they were taken for. */
function isAsDeep(near: string, asked: string): boolean {
  return unlessRefused(() => levelsOf(near) === levelsOf(asked)) === true;
}

function levelsOf(path: string): number {
  return parsePath(path).flatMap((word) => (word.kind === 'key' ? word.key.split('.') : [''])).length;
}

const MAX_CHOICES = 4;

/** Returns the same call for each path that it can mean. */
export function atEachPath({ clues: { nearestPaths = [] }, where }: Refusal, call: Call): RecoveryStep[] {
  const { op, path, to } = askedFor(call, where.edit_index);
  // A key that the value of a merge names: all of the value does not belong there.
  if (op === 'merge' && typeof path === 'string' && !leadsTo(path, where.path)) return [];
  const field =
    typeof to === 'string' && leadsTo(to, where.path) && !leadsTo(path, where.path) ? 'to' : 'path';
  return nearestPaths
    .slice(0, MAX_CHOICES)
    .map((near) => corrected({ [field]: near }, where.edit_index, call, `Use ${near}, if that is meant`));
}

/** True if the path that was asked for goes through the node, or ends at it. */
function leadsTo(asked: unknown, node = ''): boolean {
  if (typeof asked !== 'string') return false;
  const leads = unlessRefused(() => {
    const words = parsePath(asked);
    return parsePath(node).every((word, at) => nameOf(word) === nameOf(words[at]));
  });
  return leads === true;
}

function nameOf(word: PathWord | undefined): string | undefined {
  return word?.kind === 'key' ? word.key : word?.kind;
}

/** Returns the same call for each document that it can be about. */
export function inEachDocument({ clues: { inDocuments = [] }, where }: Refusal, call: Call): RecoveryStep[] {
  // Where the edit goes to another file, the document there may be meant.
  const isOfArrival = isGoingTo(where.file, editsOf(call)[where.edit_index ?? 0]);
  return inDocuments.map((doc) => {
    const name = typeof doc === 'number' ? `document ${doc}` : doc;
    if (isOfArrival) return corrected({ to_doc: `${doc}` }, where.edit_index, call, `If you mean ${name}`);
    const step = corrected({ doc: `${doc}` }, where.edit_index, call, `If you mean ${name}`);
    return inSameDocument(step, where.edit_index);
  });
}

/** Gives the document of this edit also to later edits of its file that name none. */
function inSameDocument(step: RecoveryStep, index = 0): RecoveryStep {
  const { edits } = step.arguments ?? {};
  if (!Array.isArray(edits)) return step;
  const { file, doc } = Object(edits[index]);
  const isAlike = (edit: unknown, at: number) =>
    at > index &&
    Object(edit).file === file &&
    Object(edit).doc === undefined &&
    Object(edit).path !== undefined;
  const same = edits.map((edit: unknown, at) => (isAlike(edit, at) ? { ...Object(edit), doc } : edit));
  return { ...step, arguments: { ...step.arguments, edits: same } };
}

/** True if the edit moves or copies something to this file. */
export function isGoingTo(file: string | undefined, edit: unknown): boolean {
  return file !== undefined && Object(edit).to_file === file;
}

/** Returns the call with these fields changed; `index` names the refused edit of a batch. An undefined field is left out. */
function corrected(
  fields: Readonly<Record<string, unknown>>,
  index: number | undefined,
  call: Call,
  what: string,
): RecoveryStep {
  const edits = editsOf(call);
  const at = index ?? 0;
  const args =
    edits.length === 0
      ? { ...call.args, ...fields }
      : { ...call.args, edits: edits.map((edit, i) => (i === at ? { ...Object(edit), ...fields } : edit)) };
  return again({ ...call, args }, what);
}

/** Returns the same call with `create`, so that a pattern makes missing keys. */
export function withCreate({ clues, where }: Refusal, call: Call): RecoveryStep[] {
  // A false is a guard, which is not removed.
  if (clues.isCreatable !== true || askedFor(call, where.edit_index)['create'] !== undefined) return [];
  const what =
    clues.again === undefined ? 'If the keys are to be made' : 'If the keys are to be made in each place';
  return [corrected({ create: true }, where.edit_index, call, what)];
}

/** Returns the same call with the fields that make it what was meant. */
export function withFields({ clues: { instead }, where }: Refusal, call: Call): RecoveryStep[] {
  return instead === undefined ? [] : [corrected(instead.fields, where.edit_index, call, instead.what)];
}

/** The keys of a mapping that was to be added to a list, where a mapping stands. */
export function asMerge({ clues, where }: Refusal, call: Call): RecoveryStep[] {
  const { op, json, value } = Object(editsOf(call)[where.edit_index ?? 0]);
  const isMapping = isObject(json) || (typeof value === 'string' && /^[^\s#][^\n]*:(?:\s|$)/u.test(value));
  if (clues.isMapping !== true || op !== 'append' || !isMapping) return [];
  return [corrected({ op: 'merge' }, where.edit_index, call, 'Add its keys to the mapping')];
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the same replacement for those of the many values that hold the text. */
export function whereItStands({ where }: Refusal, call: Call): RecoveryStep[] {
  const { op, path, from, old_text: old } = askedFor(call, where.edit_index);
  const isMany = typeof path === 'string' && /[*]/u.test(path);
  if (op !== 'replace_text' || !isMany || from !== undefined || typeof old !== 'string') return [];
  if (old === '' || old.length > MAX_FROM || /[*?\n]/u.test(old)) return [];
  return [corrected({ from: `*${old}*` }, where.edit_index, call, 'In the values that hold it')];
}

/** A longer `from` is no pattern. */
const MAX_FROM = 90;

/** Returns the same replacement for all places of the text. */
export function atAllPlaces({ clues: { places }, where }: Refusal, call: Call): RecoveryStep[] {
  const { expect } = Object(editsOf(call)[where.edit_index ?? 0]);
  // Another expected number is a guard, which is not removed.
  if (places === undefined || expect !== undefined || editsOf(call).length === 0) return [];
  return [corrected({ expect: places }, where.edit_index, call, `If all ${places} places are meant`)];
}

/** Returns the call with the value as a quoted text; with the actions of a template, which only `value` may bring, as source. */
export function asJson(call: Call, { clues, where }: Refusal): RecoveryStep | undefined {
  const { edit_index: index } = where;
  const { value, path = '' } = askedFor(call, index);
  if (typeof value !== 'string' || !value.isWellFormed()) return undefined;
  const { translated, asText: source } = clues;
  if (translated !== undefined)
    return corrected({ value: translated.value }, index, call, `Send it in ${translated.format}`);
  // A text at the root would replace the whole document.
  if (path === '' || path === '$' || path === '.') return undefined;
  const asText = source === undefined ? { value: undefined, json: value } : { value: source };
  return corrected(asText, index, call, 'Send it as a string, quoted as needed');
}

/** Returns the step; undefined if no pattern was given. */
export function forEachMatch({ code }: Refusal, { tool, args }: Call): RecoveryStep | undefined {
  if (code !== 'NODE_PATH_INVALID') return undefined;
  const { file, path, dry_run, expected_sha256, preview_id, reason, ...others } = args;
  if (typeof file !== 'string' || typeof path !== 'string' || !isPatternText(path)) return undefined;
  if (tool === 'config_get')
    return {
      do: 'See all that match, with their values',
      tool: 'config_search',
      arguments: { pattern: file, key: path },
    };
  if (tool !== 'config_set') return undefined;
  const whole = Object.entries({ dry_run, expected_sha256, preview_id, reason });
  const rest = Object.fromEntries(whole.filter(([, given]) => given !== undefined));
  const edits = [{ op: 'set', file, path, ...others }];
  return { do: 'Change all that match', tool: 'config_edit', arguments: { edits, ...rest } };
}

function isPatternText(path: string): boolean {
  return unlessRefused(() => isPattern(parsePath(path))) === true;
}

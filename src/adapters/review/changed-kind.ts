// Finds values that change their kind, or that are written where something else was probably meant. A quoted version
// becomes a number, for example, a text becomes a mapping, or a value repeats its own key.
import { readNestedJson } from '../../protocol/read-nested-json.ts';
import { unlessRefused } from '../../security/errors/refusal.ts';
import { keyOf, printNodePath } from '../../security/node-paths/node-path.ts';
import { DEFAULT_LIMITS } from '../../security/policy/policy.ts';
import { visibleLine } from '../../security/text/visible.ts';
import type { ChangedNode } from '../compare/find-changes.ts';
import type { Step } from '../compare/tree-difference.ts';
import { parseYaml } from '../formats/yaml/yaml-format.ts';
import { shownAsText } from '../shown/shown.ts';
import { scalarAt } from '../tree/locate.ts';
import { type DocumentSpans, isCollection, partsOf, type SpanNode, type Stream } from '../tree/span-tree.ts';
import { counted } from '../tree/wording.ts';
import { findNoTexts, kindOf, TAKES_TEXTS } from './yaml11-readings.ts';

/** Yields whole sentences, each with its path. One with "Did you mean" is a question: see `isQuestion`. */
export function* findChangedKinds(base: Stream, result: Stream, change: ChangedNode): Generator<string> {
  const { op, path, name, next, before, after } = change;
  if (before === undefined || after === undefined || next === undefined || op === 'rename') return;
  const old = isSameItem(change.step) && !isNewKey(change.step) ? change.old : undefined;
  const noTexts = findNoTexts(result, after, path, next);
  // A value that is not allowed there at all is reported only once.
  if (old !== undefined && !noTexts.some((said) => said.startsWith(`${name}: `)))
    yield* kindChange(
      name,
      { stream: base, document: before, node: old },
      { stream: result, document: after, node: next },
    );
  if (
    op === 'replace' &&
    name !== '' &&
    change.old?.kind === next.kind &&
    isCollection(next) &&
    partsOf(next).length === 0
  )
    yield `It leaves ${name} empty (${next.kind === 'mapping' ? '{}' : '[]'}).`;
  yield* misplaced(change, old, next);
  yield* noTexts;
  yield* brokenText(name, old, next);
  yield* spelledOut(change, old, next);
}

/** A question has to be answered by a person or an agent who has seen the preview. */
export function isQuestion(warning: string): boolean {
  return warning.includes('Did you mean ');
}

/** True for a key that stands where another one was removed. */
function isNewKey(step: Step | undefined): boolean {
  const [mapping, part] = [step?.old, step?.part];
  if (mapping?.kind !== 'mapping' || part === undefined || !('key' in part)) return false;
  return !mapping.entries.some(({ name }) => name === part.name);
}

interface Place {
  readonly stream: Stream;
  readonly document: DocumentSpans;
  readonly node: SpanNode;
}

/** Replacing so many parts by one value is either intended or a mistake that deserves a question. */
const MANY_PARTS = 3;

/** True if no item of its list was added or removed; otherwise an index names another item than before. */
function isSameItem(step: Step | undefined): boolean {
  if (step === undefined) return true;
  const [old, next] = [step.old, step.next];
  const isShifted =
    old?.kind === 'sequence' && next?.kind === 'sequence' && old.items.length !== next.items.length;
  return !isShifted && isSameItem(step.above);
}

function* kindChange(path: string, old: Place, now: Place): Generator<string> {
  const [from, to] = [kindOf(old.node), kindOf(now.node)];
  if (from === to || from === 'null' || from === 'alias' || to === 'alias') return;
  const where = path === '' ? 'The whole document' : path;
  if (isCollection(old.node)) {
    const { length } = partsOf(old.node);
    if (length === 0) return;
    const parts = counted(length, old.node.kind === 'mapping' ? 'key' : 'item');
    const what = `${where}: ${from} of ${parts} becomes ${to}`;
    yield isCollection(now.node) || length < MANY_PARTS
      ? `${what}.`
      : `${what}. Did you mean one of its parts? See it with config_get and view "outline".`;
    return;
  }
  const value = shownAsText(now.stream, now.document, now.node);
  if (to === 'null' && from !== 'text') return;
  const what = `${where}: was ${from} (${shownAsText(old.stream, old.document, old.node)}) and becomes ${to} (${value})`;
  if (
    from === 'text' &&
    isCollection(now.node) &&
    old.node.kind === 'scalar' &&
    old.node.value.includes('\n')
  )
    yield `${what}. Did you mean a text? Then send it as "json".`;
  else if (from === 'text' && now.node.kind === 'scalar' && isLikeNumber(old.node))
    yield `${what}. Did you mean "json": ${JSON.stringify(now.node.value.slice(0, 60))}?`;
  else yield `${what}.`;
}

/** A mapping that gets other keys in place of all it has: they were to be added to it, as likely as not. */
export function* findReplacedKeys(changes: readonly ChangedNode[]): Generator<string> {
  const seen = new Set<unknown>();
  for (const { op, path, step } of changes) {
    const [old, now] = [step?.old, step?.next];
    if (op !== 'remove' || old?.kind !== 'mapping' || now?.kind !== 'mapping' || seen.has(old)) continue;
    seen.add(old);
    const names = new Set(now.entries.map(({ name }) => name));
    const isFew = old.entries.length < MANY_PARTS || names.size === 0;
    if (isFew || old.entries.some(({ name }) => names.has(name))) continue;
    const where = printNodePath(path.slice(0, -1)) || 'The whole document';
    yield `${where}: none of its ${old.entries.length} keys stays. Did you mean to add to them? Then use op "merge".`;
  }
}

/** A version, a port or a switch that was put into quotes, so that it is text. */
function isLikeNumber(node: SpanNode): boolean {
  if (node.kind !== 'scalar') return false;
  // Without quotes it is a switch for readers of YAML 1.1, and stays one.
  const isQuoted = node.style === 'double' || node.style === 'single';
  return (
    (isQuoted && /^(?:true|false|yes|no|on|off|y|n)$/iu.test(node.value)) ||
    /^[-+]?\d[\d._]*$/u.test(node.value)
  );
}

/** Yields questions about the place of a value. Where its path leads to an item, its siblings show what items are. */
function* misplaced(
  { path, name, step }: ChangedNode,
  old: SpanNode | undefined,
  now: SpanNode,
): Generator<string> {
  const key = keyOf(path.at(-1));
  const isOnly = now.kind === 'mapping' && now.entries.length === 1 && now.entries[0]?.name === key;
  if (key !== undefined && isOnly) {
    const wasSo = old?.kind === 'mapping' && old.entries.some(({ name }) => name === key);
    if (!wasSo)
      yield `${name}: the value says the key ${key} again. Did you mean the value alone, without its key?`;
  }
  const list = step?.next;
  if (list?.kind !== 'sequence') return;
  if (list.items.length < 2) return;
  // Not a list of its own for each item: all of them may have moved.
  const areOthers = (are: (value: SpanNode) => boolean) =>
    list.items.every(({ value }) => value === now || are(value));
  yield* notAssigned(name, now, areOthers);
  if (now.kind !== 'sequence') return;
  if (now.style === 'block' && now.items.length === 1 && areOthers(({ kind }) => kind !== 'sequence'))
    yield `${name}: a list within the list, whose other items are none. Did you mean the item alone, without "- "?`;
  else if (areOthers(({ kind }) => kind === 'scalar'))
    yield `${name}: a list within a list of texts. Did you mean to append each? Then send "each": true, or one by one.`;
}

/** Yields a question about a variable in one of the two forms in which lists hold them, where all others stand in the other form. */
function* notAssigned(
  name: string,
  now: SpanNode,
  areOthers: (are: (value: SpanNode) => boolean) => boolean,
): Generator<string> {
  const [entry, second] = now.kind === 'mapping' ? now.entries : [];
  const isOne = entry?.value.kind === 'scalar' && second === undefined;
  if (isOne && areOthers(isAssignment))
    yield `${name}: a mapping, where the other items are texts. Did you mean the text "${visibleLine((entry.name ?? '').slice(0, 60))}=…"?`;
  if (isAssignment(now) && areOthers((value) => scalarAt(value, ['name']) !== undefined))
    yield `${name}: a text, where the other items have a name. Did you mean a mapping with name and value?`;
}

/** True for `NAME=value`. */
function isAssignment(node: SpanNode): boolean {
  return node.kind === 'scalar' && /^[A-Za-z_]\w*=/.test(node.value);
}

/** Yields a question about JSON written as text on one line, where there was none before: clients send it like this where their schemas lack a type. */
function* spelledOut(
  { path, name }: ChangedNode,
  old: SpanNode | undefined,
  now: SpanNode,
): Generator<string> {
  const takesTexts = TAKES_TEXTS.includes(keyOf(path.at(-2)) ?? '');
  if (takesTexts || now.kind !== 'scalar' || kindOf(now) !== 'text' || now.value.includes('\n')) return;
  if (old !== undefined && kindOf(old) === 'text') return;
  const spelled = readNestedJson(now.value);
  if (typeof spelled !== 'object' || spelled === null) return;
  const meant = Array.isArray(spelled) ? 'the list' : 'the mapping';
  yield `${name}: a text. Did you mean ${meant} that it spells? Then send it as "value".`;
}

/** A text that was YAML or JSON itself, and no longer is: lines that were copied with the indentation of the file, for one. */
function* brokenText(name: string, old: SpanNode | undefined, now: SpanNode): Generator<string> {
  if (old?.kind !== 'scalar' || now.kind !== 'scalar' || now.isWritten === true) return;
  const language = LANGUAGES.find(({ holds }) => holds(old.value));
  if (language === undefined || language.holds(now.value)) return;
  yield `${name}: the text was valid ${language.name} and no longer is. Did you mean it to stay valid? Look at the indentation of its lines.`;
}

/** Languages in which texts may hold collections, the strictest first, because JSON is YAML too. */
const LANGUAGES = [
  { name: 'JSON', holds: isJsonCollection },
  { name: 'YAML', holds: (text: string) => isJsonCollection(text) || isYamlCollection(text) },
];

function isJsonCollection(text: string): boolean {
  return /^\s*[[{]/.test(text) && typeof readNestedJson(text) === 'object';
}

/** True for a text of several lines that is a YAML collection; prose on one line is seldom meant as YAML. */
function isYamlCollection(text: string): boolean {
  if (!/\n./.test(text.trim())) return false;
  const documents = unlessRefused(() => parseYaml(text, DEFAULT_LIMITS).documents);
  return documents?.some(({ root }) => isCollection(root)) === true;
}

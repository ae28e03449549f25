// Proves an edit of a template: in each text that it may become, what the edit does not touch reads as before, and what it touches has
// the place and the value that the tree of the template shows.
import { type Edit, inOrder } from '../../security/edits/edit.ts';
import { unlessRefused } from '../../security/errors/refusal.ts';
import type { Limits } from '../../security/policy/policy.ts';
import { tailEnd } from '../edit/extent.ts';
import type { Part } from '../edit/neighbours.ts';
import type { Target } from '../edit/source.ts';
import type { Step } from '../edit/step.ts';
import { refused, requireUnwrittenRoot } from '../edit/template.ts';
import { scanYaml } from '../formats/yaml/scan/scan-yaml.ts';
import { firstFrom } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import {
  isCollection,
  outerStart,
  partsOf,
  type Span,
  type SpanNode,
  type Stream,
  walk,
} from '../tree/span-tree.ts';
import { type Choice, Expander, type Expansion, isEqual, type Way } from './expansion.ts';
import { choicesFor, knownWays, type Level, Moved, type Window, windowOf } from './template-choices.ts';
import {
  branchProblem,
  columnProblem,
  commentProblem,
  hasActions,
  joinProblem,
  keyOf,
  keyProblem,
  swallowProblem,
  writerProblem,
} from './template-rules.ts';

/** The part that a step touches, with the parts on the path to it, before and after. */
interface Touched {
  readonly edits: readonly Edit[];
  /** The start of the edits, before and after. */
  readonly start: number;
  readonly at: number;
  readonly before?: readonly Part[] | undefined;
  readonly after?: readonly Part[] | undefined;
  /** True if only its key changes. */
  readonly isRenamed?: boolean;
  /** The new root of a document. */
  readonly root?: SpanNode | undefined;
  readonly window: Window;
}

interface Both {
  readonly before: Stream;
  readonly after: Stream;
  readonly limits: Limits;
}

/** A step that was carried out. */
export interface Carried {
  readonly target: Target;
  readonly at: Located;
  readonly does: Step['do'];
  readonly edits: readonly Edit[];
  /** The index of a new part. */
  readonly place: number | undefined;
}

/**
 * Throws TEMPLATE_ACTION for a step that is wrong in a text that the template may become. The steps were carried out on one reading,
 * and none changes the indexes on the path of another.
 */
export function requireExpansions(
  before: Stream,
  all: readonly Carried[],
  after: Stream,
  limits: Limits,
): void {
  const isTemplate = [before, after].some(({ actions = [] }) => actions.length > 0);
  if (!isTemplate) return;
  const edits = all.flatMap((one) => one.edits);
  const refuseIf = (wrong: string | undefined, { edits: [first] }: Pick<Carried, 'edits'>): void => {
    if (wrong === undefined) return;
    throw refused(before, first?.start ?? 0, `in what the template may become, ${wrong}`);
  };
  const moved = new Moved(inOrder(edits, before.text.length));
  const touched: Touched[] = [];
  for (const one of all) {
    if (one.does === 'add document' || one.does === 'remove document') {
      refuseIf(joinProblem(before, edits, after), one);
      continue;
    }
    const path = one.at.steps.map(({ part }) => part);
    if (path.length === 0 && one.place === undefined && one.does !== 'comment')
      requireUnwrittenRoot(before, one.target.doc, one.edits);
    const now = partsAfter(one, after);
    refuseIf(ruleProblem(before, one, after, now ?? []), one);
    touched.push(touchedBy(before, one, after, now, moved));
  }
  if (touched.length === 0) return;
  refuseIf(swallowProblem(before, edits, after), { edits });
  const both = { before, after, limits };
  const inText = touched.toSorted((a, b) => a.start - b.start);
  for (const one of inText) refuseIf(wrongExpansion(both, one, inText), one);
}

/** Returns the parts on the path to the result of a step; undefined if a step leaves no part of its own. */
function partsAfter({ target: { doc }, at, does, place }: Carried, after: Stream): Part[] | undefined {
  const isNew = does === 'insert';
  const isRoot = at.steps.length === 0 && !isNew;
  if (does === 'remove' || does === 'comment' || isRoot) return undefined;
  const indexes = [...at.steps.map(({ index }) => index), ...(isNew ? [place ?? 0] : [])];
  return partsAt(after.documents[doc]?.root, indexes);
}

function ruleProblem(
  before: Stream,
  { target: { doc }, at, does, edits }: Carried,
  after: Stream,
  now: readonly Part[],
): string | undefined {
  const last = at.steps.at(-1)?.part;
  const isNew = does === 'insert';
  const beside = isCollection(at.node) ? partsOf(at.node) : [];
  const comesNew = does === 'rename' ? hasActions(before, keyOf(last)) : isNew;
  return (
    (does === 'comment' ? commentProblem(before, edits) : undefined) ??
    (does === 'replace' ? writerProblem(before, edits, last) : undefined) ??
    (isNew ? branchProblem(after, now) : undefined) ??
    columnProblem(before, isNew ? beside : at.steps.slice(-1).map(({ part }) => part)) ??
    keyProblem(after, after.documents[doc]?.root, comesNew, now)
  );
}

function touchedBy(
  before: Stream,
  { target: { doc }, at: { steps, node }, does, edits, place }: Carried,
  after: Stream,
  now: readonly Part[] | undefined,
  moved: Moved,
): Touched {
  const isNew = does === 'insert';
  const isRoot = steps.length === 0 && !isNew && does !== 'comment';
  const start = Math.min(...edits.map((edit) => edit.start));
  const levels: Level[] = steps.map(({ container, index }) => ({ container, index }));
  if (isNew) levels.push({ container: isCollection(node) ? node : undefined, index: place ?? 0 });
  // A key may be a duplicate anywhere in the collection, so the window is all of it.
  const around = isNew || does === 'rename' ? Math.max(levels.length - 1, 1) : levels.length;
  return {
    edits,
    start,
    at: now?.at(-1)?.start ?? moved.endOf(start),
    before: does === 'comment' || isNew ? undefined : steps.map(({ part }) => part),
    after: now,
    isRenamed: does === 'rename',
    root: isRoot ? after.documents[doc]?.root : undefined,
    window: windowOf(before, after, { doc, edits, levels: isRoot ? [] : levels.slice(0, around) }, moved),
  };
}

/** Throws TEMPLATE_ACTION for a part that may be rendered elsewhere than below the parts on its path. */
export function requireRenderedInPlace({ stream, doc, limits }: Target, { steps }: Located): void {
  if ((stream.actions ?? []).length === 0) return;
  const path = steps.map(({ part }) => part);
  const start = path.at(-1)?.start ?? 0;
  const moved = new Moved([]);
  const window = windowOf(stream, stream, { doc, edits: [], levels: steps }, moved);
  const touched = { edits: [], start, at: start, before: path, after: path, window };
  const both = { before: stream, after: stream, limits };
  const wrong = wrongExpansion(both, touched, [touched]);
  if (wrong !== undefined) throw refused(stream, start, `in what the template may become, ${wrong}`);
}

function partsAt(root: SpanNode | undefined, indexes: readonly number[]): Part[] {
  const parts: Part[] = [];
  let node = root;
  for (const index of indexes) {
    const part: Part | undefined =
      node !== undefined && isCollection(node) ? partsOf(node)[index] : undefined;
    if (part === undefined) return parts;
    parts.push(part);
    node = part.value;
  }
  return parts;
}

/** Returns why a step is wrong in one expansion; undefined if it is right in all that were tried. `all` are in source order. */
function wrongExpansion(
  { before, after, limits }: Both,
  touched: Touched,
  all: readonly Touched[],
): string | undefined {
  const { own, next, level } = touched.window;
  const [old, now] = [new Expander(before, own), new Expander(after, next)];
  const inside = all.slice(firstFrom(all, own.start), firstFrom(all, own.end));
  const others = inside.filter((one) => one !== touched);
  const tried = new Set<string>();
  const tryOne = (choice: Choice): string | undefined => {
    const [a, b] = [old.expand(choice), now.expand(choice)];
    const texts = `${a.text}\0${b.text}`;
    if (tried.has(texts)) return undefined;
    const was = read(a, limits);
    if (was === undefined) return UNREADABLE;
    tried.add(texts);
    const is = read(b, limits);
    return is === undefined
      ? 'a text that cannot be read may come out'
      : wrongIn({ was, is, after, level }, touched, others);
  };
  const { edits, at } = touched;
  const known = knownWays(before, own, after, next);
  const choices = choicesFor({ before, after, edits, at, known, within: next }, old, now);
  for (const usual of choices.usual) {
    const tries = WAYS.map((way) => ({ way, wrong: tryOne(usual(way)) }));
    const readable = tries.filter(({ wrong }) => wrong !== UNREADABLE);
    const [first] = readable;
    if (first === undefined) continue;
    const found = [
      ...readable.map(({ wrong }) => wrong),
      ...choices.others.map((other) => tryOne(other(first.way))),
    ];
    return found.find((wrong) => wrong !== undefined && wrong !== UNREADABLE);
  }
  return UNREADABLE;
}

const UNREADABLE = 'nothing that can be read comes out';
/** What an action may write if its place does not show it. */
const WAYS: readonly Way[] = ['key', 'item', 'word', 'nothing'];
interface Reading extends Expansion {
  readonly roots: readonly SpanNode[];
}

function read(expansion: Expansion, limits: Limits): Reading | undefined {
  const scanned = unlessRefused(() => scanYaml(expansion.text, limits));
  if (scanned === undefined || 'what' in scanned) return undefined;
  return { ...expansion, roots: scanned.stream.documents.map(({ root }) => root) };
}

interface Readings {
  readonly was: Reading;
  readonly is: Reading;
  readonly after: Stream;
  /** The number of parts on the path to the window. */
  readonly level: number;
}

function wrongIn({ was, is, after, level }: Readings, touched: Touched, others: readonly Touched[]) {
  const { root: asRoot } = touched;
  if (asRoot !== undefined)
    return hasActions(after, asRoot) ||
      is.roots.some((root) => isEqual({ text: after.text, node: asRoot }, { text: is.text, node: root }))
      ? undefined
      : 'another text would come out';
  const all = [touched, ...others];
  const old = all.map(({ before }) => followed(was, before?.slice(level)));
  const now = all.map((one) => followed(is, one.after?.slice(level)));
  const [[gone], [come]] = [old, now];
  if (gone === 'apart' || come === 'apart' || [...old, ...now].includes('apart'))
    return 'it would come out elsewhere than it stands here';
  const isBoth = touched.before !== undefined && touched.after !== undefined;
  if (isBoth && (gone === undefined) !== (come === undefined))
    return 'it would come out under another condition';
  const isSame =
    was.roots.length === is.roots.length &&
    was.roots.every((root, at) =>
      isEqual(
        { text: was.text, node: root, without: old },
        { text: is.text, node: is.roots[at], without: now },
      ),
    );
  if (!isSame) return 'something else would change';
  const asked = touched.after?.at(-1);
  if (come === undefined || asked === undefined) return undefined;
  if ((gone === undefined || touched.isRenamed === true) && isTwice(is, come))
    return 'its key would come out twice';
  const isAsked = (one: SpanNode | undefined, other: SpanNode | undefined) =>
    isEqual({ text: after.text, node: one }, { text: is.text, node: other });
  const isKept = (one: SpanNode | undefined, other: SpanNode | undefined) =>
    isEqual({ text: was.text, node: one }, { text: is.text, node: other });
  const isFixed = (span: Span | undefined) => span !== undefined && !hasActions(after, span);
  const isRenamed = touched.isRenamed === true;
  const isKeyWrong =
    gone === undefined || isRenamed
      ? isFixed(keyOf(asked)) && !isAsked(keyOf(asked), keyOf(come))
      : !isKept(keyOf(gone), keyOf(come));
  const isValueWrong =
    gone !== undefined && isRenamed
      ? !isKept(gone.value, come.value)
      : isFixed({ start: keyOf(asked)?.end ?? asked.start, end: tailEnd(after, asked) }) &&
        !isAsked(asked.value, come.value);
  return isKeyWrong || isValueWrong ? 'another text would come out' : undefined;
}

/** True if another entry of the same mapping has its key. */
function isTwice({ roots }: Reading, part: Part): boolean {
  if (!('key' in part)) return false;
  const all = roots.flatMap((root) => [...walk(root)]);
  const own = all.find((node) => node.kind === 'mapping' && node.entries.includes(part));
  return own?.kind === 'mapping' && own.entries.some((one) => one !== part && one.name === part.name);
}

/** Returns the part of an expansion that a part of the template becomes; 'apart' if it is not below the parts on its path. */
function followed(
  { roots, offsetOf }: Reading,
  path: readonly Part[] | undefined,
): Part | undefined | 'apart' {
  const last = path?.at(-1);
  const end = last && offsetOf(last.start);
  if (path === undefined || end === undefined) return undefined;
  let node = roots.findLast((root) => outerStart(root) <= end);
  let part: Part | undefined;
  for (const one of path) {
    const start = offsetOf(one.start);
    const parts: readonly Part[] = node !== undefined && isCollection(node) ? partsOf(node) : [];
    part = start === undefined ? undefined : parts[firstFrom(parts, start)];
    if (part === undefined || part.start !== start) return 'apart';
    node = part.value;
  }
  return part;
}

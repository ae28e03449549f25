// The proof of an edit of a template: in each text that it may become, what the edit does not touch reads as before, and what it
// touches is where, and what, the template's own tree says.
import { type Edit, type Limits, unlessRefused, withInserted } from '../../security/index.ts';
import { tailEnd } from '../edit/extent.ts';
import type { Part } from '../edit/neighbours.ts';
import type { Target } from '../edit/source.ts';
import type { Step } from '../edit/step.ts';
import { refused, requireUnwrittenRoot } from '../edit/template.ts';
import { scanYaml } from '../formats/yaml/scan/scan-yaml.ts';
import { columnOf, firstFrom } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import {
  isCollection,
  isNull,
  outerStart,
  partsOf,
  propertiesText,
  type Span,
  type SpanNode,
  type Stream,
  walk,
} from '../tree/span-tree.ts';
import { type Choice, Expander, type Expansion, type Way } from './expansion.ts';
import { choicesFor, windowsOf } from './template-choices.ts';
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

/** The part that an edit touches, with those that lead to it, as it was and as it is. */
interface Touched {
  readonly before?: readonly Part[] | undefined;
  readonly after?: readonly Part[] | undefined;
  /** True if only its key changes. */
  readonly isRenamed?: boolean;
  /** The new root of a document. */
  readonly root?: SpanNode | undefined;
}

interface Both {
  readonly before: Stream;
  readonly after: Stream;
  readonly edits: readonly Edit[];
  readonly touched: Touched;
  /** The document, and the part of its root; undefined for all of it. */
  readonly at: { readonly doc: number; readonly index: number | undefined };
}

/** Throws TEMPLATE_ACTION for an edit that is not right in some text that the template may become. */
export function requireExpansions(
  { stream, doc, limits }: Target,
  { steps, node }: Located,
  { does, edits, place }: Carried,
  after: Stream,
): void {
  const isTemplate = [stream, after].some(({ actions = [] }) => actions.length > 0);
  if (!isTemplate) return;
  if (does === 'add document' || does === 'remove document') {
    const joined = joinProblem(stream, edits, after);
    if (joined !== undefined)
      throw refused(stream, edits[0]?.start ?? 0, `in what the template may become, ${joined}`);
    return;
  }
  const path = steps.map(({ part }) => part);
  const isNew = does === 'insert';
  const isRoot = path.length === 0 && !isNew && does !== 'comment';
  if (path.length === 0 && place === undefined && does !== 'comment')
    requireUnwrittenRoot(stream, doc, edits);
  const root = after.documents[doc]?.root;
  const indexes = [...steps.map(({ index }) => index), ...(isNew ? [place ?? 0] : [])];
  const now = does === 'remove' || does === 'comment' || isRoot ? undefined : partsAt(root, indexes);
  const reason =
    (does === 'comment' ? commentProblem(stream, edits) : undefined) ??
    swallowProblem(stream, edits, after) ??
    (does === 'replace' ? writerProblem(stream, edits, path.at(-1)) : undefined) ??
    (isNew ? branchProblem(after, now ?? []) : undefined) ??
    columnProblem(stream, isNew ? (isCollection(node) ? partsOf(node) : []) : path.slice(-1)) ??
    keyProblem(after, root, does === 'rename' ? hasActions(stream, keyOf(path.at(-1))) : isNew, now ?? []);
  const touched: Touched = {
    before: does === 'comment' || isNew ? undefined : path,
    after: now,
    isRenamed: does === 'rename',
    root: isRoot ? root : undefined,
  };
  const wrong =
    reason ??
    wrongExpansion(
      { before: stream, after, edits, touched, at: { doc, index: isRoot ? undefined : indexes[0] } },
      limits,
    );
  if (wrong !== undefined)
    throw refused(stream, edits[0]?.start ?? 0, `in what the template may become, ${wrong}`);
}

/** Throws TEMPLATE_ACTION for a part that does not come out below those that lead to it. */
export function requireTogether({ stream, doc, limits }: Target, { steps }: Located): void {
  if ((stream.actions ?? []).length === 0) return;
  const path = steps.map(({ part }) => part);
  const at = { doc, index: steps[0]?.index };
  const both = { before: stream, after: stream, edits: [], touched: { before: path, after: path }, at };
  const wrong = wrongExpansion(both, limits);
  if (wrong !== undefined)
    throw refused(stream, path.at(-1)?.start ?? 0, `in what the template may become, ${wrong}`);
}

/** A step that was carried out. */
interface Carried {
  readonly does: Step['do'];
  readonly edits: readonly Edit[];
  /** The index of a new part. */
  readonly place: number | undefined;
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

/** Returns why the edit is not right in one of them; undefined if it is right in all that were tried. */
function wrongExpansion(both: Both, limits: Limits): string | undefined {
  const [own, next] = windowsOf(both.before, both.after, both.edits, both.at);
  const [old, now] = [new Expander(both.before, own), new Expander(both.after, next)];
  const tried = new Set<string>();
  const tryOne = (choice: Choice): string | undefined => {
    const [a, b] = [old.expand(choice), now.expand(choice)];
    const texts = `${a.text}\0${b.text}`;
    if (tried.has(texts)) return undefined;
    const was = read(a, limits);
    if (was === undefined) return UNREADABLE;
    tried.add(texts);
    const is = read(b, limits);
    return is === undefined ? 'a text that cannot be read may come out' : wrongIn(was, is, both);
  };
  const { before, after, edits, touched } = both;
  const [first] = withInserted(edits, before.text.length);
  const at = touched.after?.at(-1)?.start ?? first?.inserted.start ?? 0;
  const { usual, others } = choicesFor({ before, after, edits, at }, old, now);
  for (const taken of usual) {
    const tries = WAYS.map((way) => ({ way, wrong: tryOne(taken(way)) }));
    const readable = tries.filter(({ wrong }) => wrong !== UNREADABLE);
    const [first] = readable;
    if (first === undefined) continue;
    const all = [...readable.map(({ wrong }) => wrong), ...others.map((other) => tryOne(other(first.way)))];
    return all.find((wrong) => wrong !== undefined && wrong !== UNREADABLE);
  }
  return UNREADABLE;
}

const UNREADABLE = 'nothing that can be read comes out';
/** What an action may write that stands where nothing tells. */
const WAYS: readonly Way[] = ['key', 'item', 'word', 'nothing'];
interface Reading extends Expansion {
  readonly roots: readonly SpanNode[];
}

function read(expansion: Expansion, limits: Limits): Reading | undefined {
  const scanned = unlessRefused(() => scanYaml(expansion.text, limits));
  if (scanned === undefined || 'what' in scanned) return undefined;
  return { ...expansion, roots: scanned.stream.documents.map(({ root }) => root) };
}

function wrongIn(was: Reading, is: Reading, { after, touched }: Both): string | undefined {
  const { root: asRoot } = touched;
  if (asRoot !== undefined)
    return hasActions(after, asRoot) ||
      is.roots.some((root) => isAlike({ text: after.text, node: asRoot }, { text: is.text, node: root }))
      ? undefined
      : 'another text would come out';
  const [gone, come] = [followed(was, touched.before), followed(is, touched.after)];
  if (gone === 'apart' || come === 'apart') return 'it would come out elsewhere than it stands here';
  const isBoth = touched.before !== undefined && touched.after !== undefined;
  if (isBoth && (gone === undefined) !== (come === undefined))
    return 'it would come out under another condition';
  const isSame =
    was.roots.length === is.roots.length &&
    was.roots.every((root, at) =>
      isAlike(
        { text: was.text, node: root, without: gone },
        { text: is.text, node: is.roots[at], without: come },
      ),
    );
  if (!isSame) return 'something else would change';
  const asked = touched.after?.at(-1);
  if (come === undefined || asked === undefined) return undefined;
  if ((gone === undefined || touched.isRenamed === true) && isTwice(is, come))
    return 'its key would come out twice';
  const isAsked = (one: SpanNode | undefined, other: SpanNode | undefined) =>
    isAlike({ text: after.text, node: one }, { text: is.text, node: other });
  const isKept = (one: SpanNode | undefined, other: SpanNode | undefined) =>
    isAlike({ text: was.text, node: one }, { text: is.text, node: other });
  const isFixed = (span: Span | undefined) => span !== undefined && !hasActions(after, span);
  const isRenamed = touched.isRenamed === true;
  const isKeyWrong =
    gone === undefined || isRenamed
      ? isFixed(keyOf(asked)) && !isAsked(keyOf(asked), keyOf(come))
      : !isKept(keyOf(gone), keyOf(come));
  const isValueWrong =
    gone !== undefined && isRenamed
      ? !isKept(gone.value, come.value)
      : isFixed({ start: asked.start, end: tailEnd(after, asked) }) && !isAsked(asked.value, come.value);
  return isKeyWrong || isValueWrong ? 'another text would come out' : undefined;
}

/** True if another part beside it has its key. */
function isTwice({ roots }: Reading, part: Part): boolean {
  if (!('key' in part)) return false;
  const all = roots.flatMap((root) => [...walk(root)]);
  const own = all.find((node) => node.kind === 'mapping' && node.entries.includes(part));
  return own?.kind === 'mapping' && own.entries.some((one) => one !== part && one.name === part.name);
}

/** The part of a text that a part of the template becomes; 'apart' if it is not below those that lead to it. */
function followed(
  { roots, placeOf }: Reading,
  path: readonly Part[] | undefined,
): Part | undefined | 'apart' {
  const last = path?.at(-1);
  const end = last && placeOf(last.start);
  if (path === undefined || end === undefined) return undefined;
  let node = roots.findLast((root) => outerStart(root) <= end);
  let part: Part | undefined;
  for (const one of path) {
    const start = placeOf(one.start);
    const parts: readonly Part[] = node !== undefined && isCollection(node) ? partsOf(node) : [];
    part = start === undefined ? undefined : parts[firstFrom(parts, start)];
    if (part === undefined || part.start !== start) return 'apart';
    node = part.value;
  }
  return part;
}

interface View {
  readonly text: string;
  readonly node: SpanNode | undefined;
  /** The part that is not looked at. */
  readonly without?: Part | undefined;
}

function isAlike(a: View, b: View): boolean {
  if (isNothing(a) || isNothing(b)) return isNothing(a) && isNothing(b);
  const [one, other] = [a.node, b.node];
  if (one === undefined || other === undefined) return one === other;
  if (propertiesText(a.text, one) !== propertiesText(b.text, other)) return false;
  if (one.kind === 'alias') return other.kind === 'alias' && one.name === other.name;
  if (one.kind === 'scalar')
    return other.kind === 'scalar' && one.value === other.value && isPlain(one) === isPlain(other);
  if (!isCollection(other) || one.kind !== other.kind) return false;
  const [parts, others] = [partsIn(a), partsIn(b)];
  return (
    parts.length === others.length &&
    parts.every((part, at) => {
      const twin = others[at];
      if (twin !== undefined && isWrittenAlike(a, part, b, twin)) return true;
      return (
        isAlike({ ...a, node: keyOf(part) }, { ...b, node: keyOf(twin) }) &&
        isAlike({ ...a, node: part.value }, { ...b, node: twin?.value })
      );
    })
  );
}

/** True if both are the same text in the same column, so that they need not be compared. */
function isWrittenAlike(a: View, part: Part, b: View, twin: Part): boolean {
  const holds = ({ start, end }: Part, one: Part | undefined) =>
    one !== undefined && one.start >= start && one.start < end;
  if (holds(part, a.without) || holds(twin, b.without)) return false;
  if (part.end - part.start !== twin.end - twin.start) return false;
  if (columnOf(a.text, part.start) !== columnOf(b.text, twin.start)) return false;
  return a.text.slice(part.start, part.end + 1) === b.text.slice(twin.start, twin.end + 1);
}

function partsIn({ node, without }: View): readonly Part[] {
  return node !== undefined && isCollection(node) ? partsOf(node).filter((part) => part !== without) : [];
}

/** True for null and for what holds no parts, between which a part that comes or goes may make the difference. */
function isNothing(view: View): boolean {
  const { node } = view;
  return node !== undefined && (isCollection(node) ? partsIn(view).length === 0 : isNull(node));
}

function isPlain(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.style === 'plain';
}

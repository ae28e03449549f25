// Expands a template to a text that it may become: one branch of each block, without the blanks that actions trim, and with a word, a
// key or an item in place of what an action writes.
import type { Part } from '../edit/neighbours.ts';
import { type Action, type Block, type Branch, branchAt, isDefined, withAround } from '../tree/actions.ts';
import { columnOf, firstFrom, isBlank, lineEnd, lineStart } from '../tree/lines.ts';
import {
  isCollection,
  isNull,
  partsOf,
  propertiesText,
  type Span,
  type SpanNode,
  type Stream,
} from '../tree/span-tree.ts';
import { keyOf } from './template-rules.ts';

/** What an action writes on lines of its own. */
export type Way = 'key' | 'item' | 'word' | 'nothing';

/** Selects one expansion. Blocks and actions are identified by their source, so that equal conditions are true together. */
export interface Choice {
  /** Returns the index of the branch to take in blocks that this action opens; -1 for none. */
  readonly branchOf: (opening: string) => number;
  readonly wayOf: (source: string) => Way;
  /** The action that opens the definition to expand; undefined for the file outside of definitions. */
  readonly definition: string | undefined;
}

export interface Expansion {
  readonly text: string;
  /** Returns the offset of a character of the template in the text; undefined if it is not there. */
  readonly offsetOf: (offset: number) => number | undefined;
}

export interface Alternatives {
  /** The source of the action that opens the block. */
  readonly opening: string;
  readonly branches: readonly Branch[];
  /** True if it may take none of its branches. */
  readonly isOptional: boolean;
}

interface Literal {
  readonly start: number;
  readonly end: number;
  readonly branch: Branch | undefined;
  /** The action after it. */
  readonly action: Action | undefined;
}

export class Expander {
  readonly #text: string;
  readonly #literals: readonly Literal[];
  readonly #around: readonly (Branch | undefined)[];
  readonly #blocks = new Map<Block, Alternatives & { readonly branches: Branch[] }>();

  /** Only the window is expanded; the branches around it are taken. */
  constructor({ text, actions = [] }: Pick<Stream, 'text' | 'actions'>, window: Span) {
    this.#text = text;
    const first = firstFrom(actions, window.start);
    this.#around = withAround(branchAt(actions, window.start));
    const literals: Literal[] = [];
    let last = actions[first - 1];
    for (let at = first; ; at++) {
      const action = actions[at];
      const { start, end } = trimmed(text, last, action);
      const [from, to] = [Math.max(start, window.start), Math.min(end, window.end)];
      const isLast = action === undefined || action.start >= window.end;
      const branch = last?.after;
      literals.push({ start: from, end: Math.max(from, to), branch, action: isLast ? undefined : action });
      if (isLast) break;
      this.#addBranch(action);
      last = action;
    }
    this.#literals = literals;
  }

  #addBranch({ start, end, kind, block, after }: Action): void {
    if (block === undefined || after === undefined || kind === 'end') return;
    const source = this.#text.slice(start, end);
    const known = this.#blocks.get(block);
    const isOptional = known === undefined || (known.isOptional && !BARE_ELSE.test(source));
    const branches = [...(known?.branches ?? []), after];
    this.#blocks.set(block, { opening: known?.opening ?? source, branches, isOptional });
  }

  alternativesOf(block: Block): Alternatives | undefined {
    return this.#blocks.get(block);
  }

  expand(choice: Choice): Expansion {
    const shown = new Map<Branch | undefined, boolean>([[undefined, choice.definition === undefined]]);
    for (const branch of this.#around) if (branch !== undefined) shown.set(branch, true);
    const isShown = (branch: Branch | undefined): boolean => {
      const known = shown.get(branch);
      if (known !== undefined || branch === undefined) return known ?? false;
      const isTaken = this.#isTaken(branch, choice, isShown);
      shown.set(branch, isTaken);
      return isTaken;
    };
    const pieces: { start: number; end: number; at: number }[] = [];
    let text = '';
    for (const { start, end, branch, action } of this.#literals) {
      if (!isShown(branch)) continue;
      pieces.push({ start, end, at: text.length });
      text += this.#text.slice(start, end);
      if (action?.kind !== 'output') continue;
      const written = this.#written(action, choice);
      const at = text.length + written.search(/\S|$/);
      pieces.push({ start: action.start, end: action.start + 1, at });
      text += written;
    }
    return {
      text,
      offsetOf: (offset) => {
        const piece = pieces[firstFrom(pieces, offset + 1) - 1];
        return piece === undefined || offset >= piece.end ? undefined : piece.at + offset - piece.start;
      },
    };
  }

  #isTaken(branch: Branch, choice: Choice, isShown: (branch: Branch | undefined) => boolean): boolean {
    const { opening = '', branches = [] } = this.#blocks.get(branch.block) ?? {};
    return isDefined(this.#text, branch.block)
      ? opening === choice.definition
      : branches[choice.branchOf(opening)] === branch && isShown(branch.around);
  }

  #written(action: Action, { wayOf }: Choice): string {
    const text = this.#text;
    const { start, end, isHidden } = action;
    const source = text.slice(start, end);
    const word = wordFor(source);
    const said = /\bn?indent\s+(\d{1,4})/.exec(source);
    const isAlone =
      isBlank(text, lineStart(text, start), start) && (isHidden || isBlank(text, end, lineEnd(text, end)));
    if (said === null && !isAlone) return word;
    const way = wayOf(source);
    // What an action writes at the end of the previous line may or may not begin with a line break.
    const isJoined = said === null && source[2] === '-' && way !== 'word';
    const depth = isJoined ? columnOf(text, start) : Number(said?.[1] ?? 0);
    const before = (isJoined || /\bnindent\b/.test(source) ? '\n' : '') + ' '.repeat(depth);
    return before + { key: `${word}: w`, item: `- ${word}`, word, nothing: '' }[way];
  }
}

const BARE_ELSE = /^\{[{%][-+]?\s*else\s*[-+]?[%}]\}$/;

/** Returns the literal text between two actions, without the blanks that they trim. */
function trimmed(
  text: string,
  before: Action | undefined,
  after: Action | undefined,
): { readonly start: number; readonly end: number } {
  let [start, end] = [before?.end ?? 0, after?.start ?? text.length];
  if (before !== undefined && text[start - 3] === '-')
    while (start < end && BLANKS.has(text[start] ?? '')) start += 1;
  if (after !== undefined && text[end + 2] === '-')
    while (end > start && BLANKS.has(text[end - 1] ?? '')) end -= 1;
  return { start, end };
}

const BLANKS: ReadonlySet<string> = new Set([' ', '\n', '\t', '\r']);

/** Returns a word for what an action writes, the same for equal actions. */
function wordFor(source: string): string {
  let hash = 7;
  for (let at = 0; at < source.length; at++) hash = (hash * 31 + source.charCodeAt(at)) % 2_147_483_647;
  return `w${hash.toString(36)}`;
}

interface View {
  readonly text: string;
  readonly node: SpanNode | undefined;
  /** The parts to ignore. */
  readonly without?: readonly (Part | 'apart' | undefined)[];
}

/** True if two expansions have the same data. */
export function isEqual(a: View, b: View): boolean {
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
      if (twin !== undefined && isSameText(a, part, b, twin)) return true;
      return (
        isEqual({ ...a, node: keyOf(part) }, { ...b, node: keyOf(twin) }) &&
        isEqual({ ...a, node: part.value }, { ...b, node: twin?.value })
      );
    })
  );
}

/** True for the same text in the same column, which need not be compared node by node. */
function isSameText(a: View, part: Part, b: View, twin: Part): boolean {
  const holds = ({ start, end }: Part, { without = [] }: View) =>
    without.some((one) => typeof one === 'object' && one.start >= start && one.start < end);
  if (holds(part, a) || holds(twin, b)) return false;
  if (part.end - part.start !== twin.end - twin.start) return false;
  if (columnOf(a.text, part.start) !== columnOf(b.text, twin.start)) return false;
  return a.text.slice(part.start, part.end + 1) === b.text.slice(twin.start, twin.end + 1);
}

function partsIn({ node, without }: View): readonly Part[] {
  return node !== undefined && isCollection(node)
    ? partsOf(node).filter((part) => without?.includes(part) !== true)
    : [];
}

/** True for null and empty collections: they are interchangeable when a part is added or removed. */
function isNothing(view: View): boolean {
  const { node } = view;
  return node !== undefined && (isCollection(node) ? partsIn(view).length === 0 : isNull(node));
}

function isPlain(node: SpanNode): boolean {
  return node.kind === 'scalar' && node.style === 'plain';
}

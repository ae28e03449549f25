// Resolves the names in the actions of a template: which action binds the dot, `$`, or a variable at a place. A name means the
// same at two places where the same action binds it for both.
import { type Action, actionsIn, branchAt, withAround } from './actions.ts';
import { firstFrom } from './lines.ts';
import type { Span, Stream } from './span-tree.ts';

/** The parts of a stream that are needed here. */
interface Templated extends Pick<Stream, 'text' | 'lines'> {
  readonly actions: readonly Action[];
}

/** A name in a part of a template that something outside of the part gives its meaning. */
export interface Need {
  readonly name: string;
  /** The actions that bind it, from the inside out; undefined if its value depends on more than its place. */
  readonly binding: string | undefined;
  /** The line of its action in the file. */
  readonly line: number;
}

/** The names that mean something from outside of the part. */
export function needsOf(template: Templated, part: Span): readonly Need[] {
  const own = actionsIn(template.actions, part);
  return own.flatMap((action) => {
    // The condition of an `else` is that of its block's beginning.
    const at = action.kind === 'middle' ? (action.block?.start ?? action.start) : action.start;
    return [...namesIn(template, action)].flatMap((name) => {
      const binders = bindersOf(template, name, at);
      const [innermost] = binders ?? [];
      if (innermost !== undefined && own.includes(innermost)) return [];
      return { name, binding: textOf(template, binders), line: template.lines.at(action.start) };
    });
  });
}

/** The first need that means something else at `offset`, or may do so; undefined if all mean the same. */
export function firstChanged(
  template: Templated,
  needs: readonly Need[],
  offset: number,
  isOtherFile: boolean,
): Need | undefined {
  return needs.find(({ name, binding }) => {
    if (binding === undefined || (isOtherFile && binding !== '')) return true;
    return textOf(template, bindersOf(template, name, offset)) !== binding;
  });
}

/** The variables that the part sets for actions behind it, with the first that uses one. */
export function usedBehind(
  template: Templated,
  part: Span,
): { readonly name: string; readonly line: number } | undefined {
  const { text, actions } = template;
  const setters = actionsIn(actions, part).filter((action) => setIn(sourceOf(text, action), ':=').length > 0);
  if (setters.length === 0) return undefined;
  for (const { start, ...action } of actions.slice(firstFrom(actions, part.end)))
    for (const name of namesIn(template, { start, ...action }))
      if (declarationsOf(template, name, start).some((setter) => setters.includes(setter)))
        return { name, line: template.lines.at(start) };
  return undefined;
}

/** Returns the first variable in the spans that is set in the file, but not for that place; undefined if there is none. */
export function firstOutOfScope(
  template: Templated,
  spans: readonly Span[],
): { readonly name: string; readonly line: number } | undefined {
  const { text, actions, lines } = template;
  const setters = new Map<string, Action[]>();
  for (const action of actions)
    for (const name of setIn(sourceOf(text, action), ':=')) {
      const others = setters.get(name);
      if (others === undefined) setters.set(name, [action]);
      else others.push(action);
    }
  if (setters.size === 0) return undefined;
  for (const action of spans.flatMap((span) => actionsIn(actions, span)))
    for (const name of namesIn(template, action)) {
      const isKnown = setters.get(name)?.some((setter) => holdsAt(template, setter, action.start)) ?? true;
      if (!isKnown) return { name, line: lines.at(action.start) };
    }
  return undefined;
}

/** The same actions around two places bind a name to the same value. */
function textOf({ text }: Templated, binders: readonly Action[] | undefined): string | undefined {
  return binders?.map((binder) => sourceOf(text, binder)).join('\n');
}

/** The actions that give the name its meaning at `offset`, from the inside out; none for what the file is filled in with, undefined if more than the place decides. */
function bindersOf(template: Templated, name: string, offset: number): readonly Action[] | undefined {
  const { text, actions } = template;
  const words = (action: Action) => wordsOf(sourceOf(text, action));
  const around = openersAround(template, offset);
  // What binds a name in Jinja is not known here.
  if (isJinja(template)) return undefined;
  if (name === '.') return around.filter((opener) => BINDS_DOT.test(words(opener)));
  const definitions = around.filter((opener) => DEFINES.test(words(opener)));
  if (name === '$') return definitions;
  if (actions.some((action) => setIn(sourceOf(text, action), '=').includes(name))) return undefined;
  const declarations = declarationsOf(template, name, offset);
  // What it is set to depends on the blocks around.
  return declarations.length === 1
    ? [
        ...declarations,
        ...around.filter((opener) => BINDS_DOT.test(words(opener)) && !declarations.includes(opener)),
      ]
    : undefined;
}

const BINDS_DOT = /^(?:else\s+)?with\b|^(?:range|define|block)\b/;
const DEFINES = /^(?:define|block)\b/;

/** The actions that begin the branches around a place, from the inside out. */
function openersAround({ actions }: Templated, offset: number): readonly Action[] {
  return withAround(branchAt(actions, offset)).flatMap(
    (branch) => (branch && actions[firstFrom(actions, branch.start)]) ?? [],
  );
}

/** The declarations of a variable that hold at a place. */
function declarationsOf(template: Templated, name: string, offset: number): readonly Action[] {
  const { text, actions } = template;
  const before = actions.slice(0, firstFrom(actions, offset));
  return before.filter(
    (action) => setIn(sourceOf(text, action), ':=').includes(name) && holdsAt(template, action, offset),
  );
}

/** True if what an action declares is known at a place behind it. */
function holdsAt(template: Templated, action: Action, offset: number): boolean {
  const { text, actions } = template;
  if (action.start >= offset) return false;
  const chain = withAround(branchAt(actions, offset));
  const isOpen =
    action.block === undefined
      ? chain.includes(branchAt(actions, action.start))
      : chain.some((branch) => branch?.block === action.block);
  const definitionAt = (at: number) =>
    openersAround(template, at).find((opener) => DEFINES.test(wordsOf(sourceOf(text, opener))));
  return isOpen && definitionAt(action.start) === definitionAt(offset);
}

function isJinja({ text, actions }: Templated): boolean {
  return actions.some(({ start }) => text[start + 1] === '%');
}

/** Returns the text of an action without strings and comments. */
function sourceOf(text: string, { start, end }: Action): string {
  return text
    .slice(start, end)
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\//g, '""');
}

function wordsOf(source: string): string {
  return source.replace(/^\{[{%#][-+]?\s*/, '');
}

/** The variables that an action declares (`:=`) or sets anew (`=`). */
function setIn(source: string, sign: ':=' | '='): readonly string[] {
  const pattern = sign === ':=' ? /((?:\$\w+\s*,\s*)?\$\w+)\s*:=/g : /((?:\$\w+\s*,\s*)?\$\w+)\s*=(?!=)/g;
  return Array.from(source.matchAll(pattern), ([, names = '']) => names.split(/\s*,\s*/)).flat();
}

/** The names that the action asks for: `.` for the dot, `$`, variables; of Jinja all words that are no attribute. */
function namesIn(template: Templated, action: Action): ReadonlySet<string> {
  const source = sourceOf(template.text, action);
  if (/^\{#|^\{\{-?\s*""\s*-?\}\}$/.test(source) || action.kind === 'end') return new Set();
  if (isJinja(template)) return new Set(source.match(/(?<![.\w])[A-Za-z_]\w*/g) ?? []);
  const asked = source.replaceAll(/(?:\$\w+\s*,\s*)?\$\w+\s*:=/g, ' ');
  const names = new Set(asked.match(/\$\w*/g) ?? []);
  const isOfLoop = /^(?:break|continue)\b/.test(wordsOf(asked));
  if (isOfLoop || /[^\w$)\]"]\.(?!\d)/.test(asked)) names.add('.');
  return names;
}

// Resolves the names in the actions of a template: which action binds the dot, `$`, or a variable at a place. A name means the
// same at two places where the same action binds it for both.
import { type Action, actionsIn, type Branch, branchAt, withAround } from './actions.ts';
import { firstFrom } from './first-from.ts';
import type { Span, Stream } from './span-tree.ts';

/** The parts of a stream that are needed here. */
interface Templated extends Pick<Stream, 'text' | 'lines'> {
  readonly actions: readonly Action[];
}

/** A name in a part of a template that something outside of the part gives its meaning. */
export interface Need {
  readonly name: string;
  readonly binding: string;
  /** The line of its action in the file. */
  readonly line: number;
}

/** Stands for a name whose value depends on more than its place. */
const UNKNOWN = 'unknown';
/** Stands for the data with which the whole file is filled in. */
const ROOT = 'root';

/** The names that mean something from outside of the part. `isLeaving`: the part is gone where its meaning is compared. */
export function needsOf(template: Templated, part: Span, isLeaving: boolean): readonly Need[] {
  const { actions } = template;
  const own = actionsIn(actions, part);
  const gone = isLeaving ? own : [];
  const needs = new Map<string, Need>();
  for (const action of own) {
    // The condition of an `else` is that of its block's beginning.
    const at = action.kind === 'middle' ? (action.block?.start ?? action.start) : action.start;
    for (const name of namesIn(template, action)) {
      const binder = binderOf(template, at, name);
      if (binder !== undefined && binder !== UNKNOWN && own.includes(binder)) continue;
      const binding = bindingText(template, binder, gone);
      needs.set(`${name} ${binding}`, { name, binding, line: template.lines.at(action.start) });
    }
  }
  return [...needs.values()];
}

/** The first need that means something else at `offset`, or may do so; undefined where all mean the same. */
export function firstChanged(
  template: Templated,
  needs: readonly Need[],
  offset: number,
  isOtherFile: boolean,
): Need | undefined {
  return needs.find(({ name, binding }) => {
    if (binding === UNKNOWN || (isOtherFile && binding !== ROOT)) return true;
    return bindingText(template, binderOf(template, offset, name), []) !== binding;
  });
}

/** The variables that the part sets for actions behind it, with the first that uses one. */
export function usedBehind(
  template: Templated,
  part: Span,
): { readonly name: string; readonly line: number } | undefined {
  const { text, actions } = template;
  const setters = actionsIn(actions, part).filter((action) => declaredIn(sourceOf(text, action)).length > 0);
  if (setters.length === 0) return undefined;
  for (const action of actions.slice(firstFrom(actions, part.end)))
    for (const name of namesIn(template, action)) {
      const binder = binderOf(template, action.start, name);
      if (typeof binder === 'object' && setters.includes(binder))
        return { name, line: template.lines.at(action.start) };
    }
  return undefined;
}

/** Describes the binding by the action's number and text, so that it can be found again once `gone` is removed. */
function bindingText(
  { text, actions }: Templated,
  binder: Action | typeof UNKNOWN | undefined,
  gone: readonly Action[],
): string {
  if (binder === undefined) return ROOT;
  if (binder === UNKNOWN) return UNKNOWN;
  const number = firstFrom(actions, binder.start);
  const before = gone.filter(({ start }) => start < binder.start).length;
  return `${number - before} ${sourceOf(text, binder)}`;
}

/** The action that gives the name its meaning at `offset`; undefined for what the file is filled in with. */
function binderOf(template: Templated, offset: number, name: string): Action | typeof UNKNOWN | undefined {
  if (isJinja(template)) return jinjaBinder(template, offset, name);
  const chain = withAround(branchAt(template.actions, offset)).filter((branch) => branch !== undefined);
  if (name === '.') return openerOf(template, chain, BINDS_DOT);
  const definition = openerOf(template, chain, DEFINES);
  return name === '$' ? definition : variableBinder(template, offset, name, chain, definition);
}

const BINDS_DOT = /^(?:else\s+)?with\b|^(?:range|define|block)\b/;
const DEFINES = /^(?:define|block)\b/;

/** The action that begins the innermost of the branches whose words are these. */
function openerOf({ text, actions }: Templated, chain: readonly Branch[], words: RegExp): Action | undefined {
  const branch = chain.find(({ start }) => {
    const action = actions[firstFrom(actions, start)];
    return action !== undefined && words.test(wordsOf(sourceOf(text, action)));
  });
  return branch && actions[firstFrom(actions, branch.start)];
}

/** The last declaration before `offset` whose block goes on there; one that is set anew somewhere has no one value. */
function variableBinder(
  template: Templated,
  offset: number,
  name: string,
  chain: readonly Branch[],
  definition: Action | undefined,
): Action | typeof UNKNOWN | undefined {
  const { text, actions } = template;
  let found: Action | undefined;
  for (const action of actions) {
    const source = sourceOf(text, action);
    if (!source.includes(name)) continue;
    if (assignedIn(source).includes(name)) return UNKNOWN;
    if (action.start >= offset || !declaredIn(source).includes(name)) continue;
    const around = branchAt(actions, action.start);
    const isOpen =
      action.block === undefined
        ? around === undefined || chain.includes(around)
        : chain.some(({ block }) => block === action.block);
    const own = openerOf(
      template,
      withAround(around).filter((branch) => branch !== undefined),
      DEFINES,
    );
    if (isOpen && own === definition) found = action;
  }
  return found ?? UNKNOWN;
}

function isJinja({ text, actions }: Templated): boolean {
  return actions.some(({ start }) => text[start + 1] === '%');
}

/** A name of Jinja is what a block around it calls so; one that is set somewhere else in the file may be anything. */
function jinjaBinder(template: Templated, offset: number, name: string): Action | typeof UNKNOWN | undefined {
  const { text, actions } = template;
  const isSet = actions.some((action) => {
    const words = wordsOf(sourceOf(text, action));
    return /^(?:set|import|from)\b/.test(words) && hasWord(words, name);
  });
  if (isSet) return UNKNOWN;
  const chain = withAround(branchAt(actions, offset)).filter((branch) => branch !== undefined);
  const branch = chain.find(({ start }) => {
    const action = actions[firstFrom(actions, start)];
    const words = action === undefined ? '' : wordsOf(sourceOf(text, action));
    const bound = /^for\s+([\s\S]*?)\sin\s/.exec(words)?.[1];
    return bound === undefined
      ? !/^(?:if|elif|else)\b/.test(words) && hasWord(words, name)
      : name === 'loop' || hasWord(bound, name);
  });
  return branch && actions[firstFrom(actions, branch.start)];
}

function hasWord(words: string, name: string): boolean {
  return words.split(/[^\w]+/).includes(name);
}

/** Answers the text of an action without strings and comments. */
function sourceOf(text: string, { start, end }: Action): string {
  return text
    .slice(start, end)
    .replaceAll(/"(?:[^"\\\n]|\\.)*"|`[^`]*`|'(?:[^'\\\n]|\\.)*'|\/\*[\s\S]*?\*\//g, '""');
}

function wordsOf(source: string): string {
  return source.replace(/^\{[{%#][-+]?\s*/, '');
}

function declaredIn(source: string): readonly string[] {
  return setIn(source, /((?:\$\w+\s*,\s*)?\$\w+)\s*:=/g);
}

function assignedIn(source: string): readonly string[] {
  return setIn(source, /((?:\$\w+\s*,\s*)?\$\w+)\s*=(?!=)/g);
}

function setIn(source: string, pattern: RegExp): readonly string[] {
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

// Finds the actions of a template and the blocks that they form, as Go's text/template and Jinja read them: strings, raw
// strings and comments may hold what would otherwise end an action. Linear in the length of the text.
import type { Action, Block, Branch } from '../../tree/actions.ts';

/** An action; `isHidden` is set when the text is masked. */
export type Lexeme = Omit<Action, 'isHidden'> & { isHidden: boolean };

export type Lexed =
  | { readonly lexemes: readonly Lexeme[] }
  | { readonly offset: number; readonly message: string };

interface Found {
  readonly start: number;
  readonly end: number;
  readonly kind: Action['kind'];
  /** The words of the action, such as `if .Values.enabled`. */
  readonly words: string;
}

/** True if a text may hold an action; one with `$` before it belongs to another program. */
export function mayHoldActions(text: string): boolean {
  if (text.includes('{%') || text.includes('{#')) return true;
  return text.includes('{{') && /(?:^|[^$])\{\{/.test(text);
}

/**
 * True if the text holds the actions of the value as they are: what fills the file in reads them before any escape is resolved.
 * The lines of one may be indented.
 */
export function keepsActions(value: string, text: string): boolean {
  const lexed = mayHoldActions(value) ? lexActions(value) : { lexemes: [] };
  if ('message' in lexed) return true;
  const unindented = text.replaceAll(INDENTS, '\n');
  let at = 0;
  return lexed.lexemes.every(({ start, end }) => {
    const action = value.slice(start, end).replaceAll(INDENTS, '\n');
    const found = unindented.indexOf(action, at);
    at = found + action.length;
    return found !== -1;
  });
}

const INDENTS = /\n +/g;

export function lexActions(text: string): Lexed {
  const isJinja = isJinjaText(text);
  const found: Found[] = [];
  const opening = isJinja ? /\{[{%#]/g : /\{\{/g;
  for (let match = opening.exec(text); match !== null; match = opening.exec(text)) {
    const start = match.index;
    const end = endOfAction(text, start);
    if (end === undefined)
      return { offset: start, message: `the action (${match[0]}) that begins here is not closed` };
    const action = classify(text, start, end, isJinja);
    found.push(action);
    opening.lastIndex = isRaw(action) ? endOfRaw(text, end) : end;
  }
  return pair(found);
}

/** True for Jinja: `{% if %}` is Jinja, unless the text also has words of Go's templates. */
function isJinjaText(text: string): boolean {
  if (!/\{[%#]/.test(text)) return false;
  return !/\{\{-?\s*(?:\/\*|(?:define|block|template|include)\s+["`]|(?:if|range|with|toYaml)\s|(?:end|else)\b|\$\w*\s*:=|\.[A-Z]\w*)/.test(
    text,
  );
}

function endOfAction(text: string, start: number): number | undefined {
  const mark = text[start + 1];
  if (mark === '#') return after(text, text.indexOf('#}', start + 2), 2);
  const close = mark === '%' ? '%}' : '}}';
  let at = start + 2;
  if (/[-+]/.test(text[at] ?? '')) at += 1;
  while (/\s/.test(text[at] ?? '')) at += 1;
  if (text.startsWith('/*', at)) {
    const end = after(text, text.indexOf('*/', at + 2), 2);
    if (end === undefined) return undefined;
    const rest = /\s*-?\}\}/y;
    rest.lastIndex = end;
    return rest.test(text) ? rest.lastIndex : undefined;
  }
  const stop = mark === '%' ? /["'`]|%\}/g : /["'`]|\}\}/g;
  stop.lastIndex = at;
  for (let met = stop.exec(text); met !== null; met = stop.exec(text)) {
    if (met[0] === close) return met.index + 2;
    const end = endOfQuoted(text, met.index);
    if (end === undefined) return undefined;
    stop.lastIndex = end;
  }
  return undefined;
}

function after(text: string, at: number, length: number): number | undefined {
  return at === -1 || at >= text.length ? undefined : at + length;
}

/** Returns the offset after the closing quote; only a raw string holds line breaks. */
function endOfQuoted(text: string, start: number): number | undefined {
  const quote = text[start] ?? '';
  if (quote === '`') return after(text, text.indexOf('`', start + 1), 1);
  for (let at = start + 1; at < text.length && text[at] !== '\n'; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === quote) return at + 1;
  }
  return undefined;
}

const OPENING = {
  go: /^(?:if|with|range)\b|^(?:define|block)\s*["`]/,
  jinja: /^(?:if|for|block|macro|call|filter|with|autoescape|raw|trans)\b|^set\s+\w+\s*$/,
} as const;

function classify(text: string, start: number, end: number, isJinja: boolean): Found {
  const mark = text[start + 1];
  const words = text
    .slice(start + 2, end - 2)
    .replace(/^[-+]/, '')
    .replace(/(^|\s)-$/, '')
    .trim();
  const make = (kind: Action['kind']): Found => ({ start, end, kind, words });
  if (mark === '#' || words.startsWith('/*')) return make('silent');
  if (mark === '%') {
    if (/^end\w+/.test(words)) return make('end');
    if (/^(?:else|elif)\b/.test(words)) return make('middle');
    if (OPENING.jinja.test(words)) return make('open');
    return make(/^(?:set|import|from|extends|do|break|continue)\b/.test(words) ? 'silent' : 'output');
  }
  // In Jinja `block` and `range` are names like any other.
  if (isJinja) return make('output');
  if (/^end\b/.test(words)) return make('end');
  if (/^else\b/.test(words)) return make('middle');
  if (OPENING.go.test(words)) return make('open');
  return make(/^\$\w*\s*(?:,\s*\$\w+\s*)?:?=|^(?:break|continue)\b/.test(words) ? 'silent' : 'output');
}

function isRaw({ kind, words }: Found): boolean {
  return kind === 'open' && /^raw\b/.test(words);
}

/** Returns the end of a raw part: between `{% raw %}` and `{% endraw %}` there are no actions. */
function endOfRaw(text: string, from: number): number {
  const end = /\{%[-+]?\s*endraw\b/g;
  end.lastIndex = from;
  return end.exec(text)?.index ?? text.length;
}

interface Open {
  readonly block: { start: number; end: number; lastStart: number };
  readonly first: Found;
  readonly around: Branch | undefined;
}

/** Pairs each `end` and each `else` with its opening action. */
function pair(found: readonly Found[]): Lexed {
  const lexemes: Lexeme[] = [];
  const open: Open[] = [];
  let branch: Branch | undefined;
  const add = ({ start, end, kind }: Found, block: Block | undefined): void => {
    lexemes.push({ start, end, kind, block, after: branch, isHidden: false });
  };
  for (const action of found) {
    const { start, end, words } = action;
    const last = open.at(-1);
    switch (action.kind) {
      case 'open': {
        const block = { start, end, lastStart: start };
        open.push({ block, first: action, around: branch });
        if (open.length > MAX_NESTING)
          return { offset: start, message: `blocks are nested deeper than ${MAX_NESTING} here` };
        branch = { around: branch, block, condition: shortened(words), start };
        add(action, block);
        break;
      }
      case 'middle': {
        if (last === undefined)
          return { offset: start, message: `nothing is open here that this ${shortened(words)} belongs to` };
        const isBare = /^else$/.test(words);
        const condition = isBare ? `else of ${shortened(last.first.words)}` : shortened(words);
        branch = { around: last.around, block: last.block, condition, start };
        add(action, last.block);
        break;
      }
      case 'end': {
        const closed = open.pop();
        if (closed === undefined)
          return { offset: start, message: 'nothing is open here that this end could close' };
        closed.block.end = end;
        closed.block.lastStart = start;
        branch = closed.around;
        add(action, closed.block);
        break;
      }
      default:
        add(action, undefined);
    }
  }
  const [left] = open;
  if (left !== undefined)
    return { offset: left.block.start, message: `this ${shortened(left.first.words)} has no end` };
  return { lexemes };
}

const MAX_CONDITION = 60;
/** The deepest nesting, which equals the default limit for nodes. */
const MAX_NESTING = 100;

function shortened(words: string): string {
  const line = words.replaceAll(/\s+/g, ' ');
  return line.length > MAX_CONDITION ? `${line.slice(0, MAX_CONDITION - 1)}…` : line;
}

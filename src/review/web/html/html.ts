// HTML in which no text can become markup. A hole in a template stands in text or in a double-quoted attribute,
// and is escaped for it; a template with a hole anywhere else does not run at all. Says nothing about whether
// a text deceives a reader's eyes: that is the matter of shown-text.ts.
import { contextsIn } from './template-context.ts';

const KEY: unique symbol = Symbol('Html');

export class Html {
  readonly #markup: string;

  /** @internal Made by `html` and `styleElement` only. */
  constructor(key: typeof KEY, markup: string) {
    if (key !== KEY) throw new TypeError('an Html is made by html`…` only');
    this.#markup = markup;
    Object.freeze(this);
  }

  /** Whether it was made here, whatever it looks like. */
  static isGenuine(value: unknown): value is Html {
    return typeof value === 'object' && value !== null && #markup in value;
  }

  toString(): string {
    return this.#markup;
  }
}

type Part = string | number | Html | readonly Html[];

export function html(statics: TemplateStringsArray, ...parts: readonly Part[]): Html {
  const holes = contextsIn(statics);
  const filled = parts.map((part, index) => {
    const hole = holes[index];
    if (hole === 'text') return inText(part);
    return inAttribute(part, hole === 'address');
  });
  return new Html(KEY, statics.map((text, index) => text + (filled[index] ?? '')).join(''));
}

export const NOTHING = html``;

/** A style sheet that the program brings along. Throws for one that could end its own element. */
export function styleElement(css: string): Html {
  if (css.includes('<')) throw new TypeError('a style sheet holds no "<"');
  return new Html(KEY, `<style>${css}</style>`);
}

function inText(part: Part): string {
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  const pieces: readonly unknown[] = Array.isArray(part) ? part : [part];
  if (!pieces.every(Html.isGenuine)) throw new TypeError('only text and Html can stand in a page');
  return pieces.join('');
}

function inAttribute(part: Part, isAddress: boolean): string {
  if (typeof part !== 'string' && typeof part !== 'number')
    throw new TypeError('only text can stand in an attribute');
  // "javascript:", "//elsewhere" and the like: a page of ours leads to its own pages only.
  if (isAddress && !/^(?:\/(?:[\w-]+\/)*[\w-]*|#[\w-]+)$/u.test(String(part)))
    throw new TypeError('a link leads to a page of this server only');
  return escaped(String(part));
}

const ENTITIES = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
]);

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/gu, (character) => ENTITIES.get(character) ?? '');
}

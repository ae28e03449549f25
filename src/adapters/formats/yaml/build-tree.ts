// Turns tokens of `yaml` into the project's own span tree. The tokens must be free of syntax errors; nesting is within the
// depth limit, so recursion is safe.
import { CST } from 'yaml';
import { ParsedDocument } from '../../tree/document.ts';
import { LineIndex } from '../../tree/lines.ts';
import type { DocumentSpans, SpanNode, Stream } from '../../tree/span-tree.ts';
import { NodeBuilder } from './build-node.ts';
import { YamlScalar } from './scalar/scalar-value.ts';
import { end } from './token-parts.ts';

export function buildTree(text: string, tokens: readonly CST.Token[]): Stream {
  const builder = new TreeBuilder(text);
  for (const [index, token] of tokens.entries()) {
    builder.take(token);
    if (token.type === 'document') builder.noteDropped(token, tokens[index + 1]?.offset ?? text.length);
  }
  return builder.finish();
}

class TreeBuilder {
  readonly #text: string;
  readonly #nodes: NodeBuilder;
  readonly #documents: DocumentSpans[] = [];
  #tagHandles = new Map<string, string>();
  /** The offset at which a `...` ends a document that was never begun. */
  #earlyEnd: number | undefined;
  #current: { start: number; contentStart: number; root: SpanNode } | undefined;

  constructor(text: string) {
    this.#text = text;
    this.#nodes = new NodeBuilder(text);
  }

  take(token: CST.Token): void {
    switch (token.type) {
      case 'directive': {
        const [name, handle, prefix] = token.source.split(/[ \t]+/);
        if (name === '%TAG' && handle !== undefined && prefix !== undefined)
          this.#tagHandles.set(handle, prefix);
        break;
      }
      case 'document': {
        this.#close(token.offset);
        const marker = token.start.find((part) => part.type === 'doc-start');
        // Comments between two `...` are no document, though `yaml` makes one of them.
        if (!token.value && token.start.every(({ type }) => ['comment', 'space', 'newline'].includes(type))) {
          this.#nodes.note(token.start);
          break;
        }
        const contentStart = marker === undefined ? token.offset : end(marker);
        const root = this.#nodes.node(token.value, token.start, contentStart);
        this.#nodes.note(token.end);
        this.#current = { start: token.offset, contentStart, root };
        break;
      }
      case 'doc-end':
        if (this.#documents.length === 0 && this.#current === undefined) this.#earlyEnd ??= token.offset;
        this.#close(token.offset);
        this.#nodes.note(token.end);
        break;
      case 'comment':
        this.#nodes.note([token]);
        break;
      default:
    }
  }

  /** Collects the comments after an empty last value, which `yaml` drops where another document follows at `until`. */
  noteDropped(token: CST.Document, until: number): void {
    const kept = CST.stringify(token);
    let at = token.offset + kept.length;
    if (at >= until || !this.#text.startsWith(kept, token.offset)) return;
    const lines = this.#text.slice(at, until).split('\n');
    if (!lines.every((line) => /^[ \t]*(?:#|\r?$)/.test(line))) return;
    for (const line of lines) {
      const start = line.indexOf('#');
      const end = line.endsWith('\r') ? line.length - 1 : line.length;
      if (start !== -1) this.#nodes.comments.push({ start: at + start, end: at + end });
      at += line.length + 1;
    }
  }

  finish(): Stream {
    const text = this.#text;
    this.#close(text.length);
    if (this.#documents.length === 0) {
      const at = text.length;
      const root = new YamlScalar(text, 'empty', { start: at, end: at }, undefined);
      const bounds = {
        start: 0,
        end: text.length,
        contentStart: text.startsWith('\uFEFF') ? 1 : 0,
        contentEnd: this.#earlyEnd ?? text.length,
      };
      this.#documents.push(new ParsedDocument(text, { ...bounds, tagHandles: this.#tagHandles, root }));
    }
    const comments = this.#nodes.comments.sort((a, b) => a.start - b.start);
    return { text, lines: new LineIndex(text), documents: this.#documents, comments };
  }

  #close(at: number): void {
    if (this.#current === undefined) return;
    const spans = { ...this.#current, end: at, contentEnd: at, tagHandles: this.#tagHandles };
    this.#documents.push(new ParsedDocument(this.#text, spans));
    this.#tagHandles = new Map();
    this.#current = undefined;
  }
}

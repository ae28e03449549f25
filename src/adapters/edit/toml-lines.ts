// The lines of a TOML file: where statements and sections begin and end, and the blank lines between sections.
import { definitionOf, type Statement, type TablePath } from '../formats/toml/statements.ts';
import { type Commented, commentStart, headStart } from '../tree/comments.ts';
import { isBlank, lineBefore, lineEnd, lineStart, nextLine } from '../tree/lines.ts';
import type { Located } from '../tree/locate.ts';
import type { Span, SpanNode } from '../tree/span-tree.ts';
import { vote } from './style.ts';

/** The number of headers that are looked at for the usual blank lines. */
const ENOUGH = 50;

export class TomlLines {
  readonly text: string;
  readonly all: readonly Statement[];
  readonly #commented: Commented;

  /** `node` is any table of the text that is written in sections. */
  constructor({ text, comments }: Commented, node: SpanNode) {
    this.text = text;
    this.all = definitionOf(node).all;
    this.#commented = { text, comments };
  }

  /** Returns the start of a statement with the comment above it. */
  head({ start }: Span): number {
    return headStart(this.#commented, start);
  }

  /** Returns the start of the comment above that belongs to the statement. */
  commentStart({ start, keys }: Statement): number {
    const key = keys.at(-1);
    const name = key && this.text.slice(key.start, key.end);
    return commentStart(this.#commented, { start, key, name });
  }

  indent({ start }: Span): string {
    const line = lineStart(this.text, start);
    return isBlank(this.text, line, start) ? this.text.slice(line, start) : '';
  }

  /** Returns the indentation of keys below their header, in the last section whose header has so many keys, or else in the last one. */
  levelIndent(keys: number): string {
    const headers = this.all.filter(
      ({ kind, index }) => kind !== 'entry' && this.all[index + 1]?.kind === 'entry',
    );
    const header = headers.findLast((one) => one.keys.length === keys) ?? headers.at(-1);
    const key = header && this.all[header.index + 1];
    if (header === undefined || key === undefined) return '';
    const [outer, inner] = [this.indent(header), this.indent(key)];
    return inner.startsWith(outer) ? inner.slice(outer.length) : '';
  }

  /** Returns the end of the statement's section, with the comments directly below; the end of the file for the last section. */
  endOfSection(statement: Statement | undefined): number {
    const { text, all } = this;
    if (statement === undefined) return text.length;
    let last = statement;
    for (let next = all[last.index + 1]; next?.section === statement.section; next = all[last.index + 1])
      last = next;
    const next = all[last.index + 1];
    if (next === undefined) return text.length;
    const stop = this.head(next);
    let at = nextLine(text, last.end);
    while (at < stop && !isBlank(text, at, lineEnd(text, at))) at = nextLine(text, at);
    return at;
  }

  /** Returns the usual number of blank lines above headers of so many keys, or above all headers. */
  gap(keys: number): number {
    const headers = this.all.filter(({ kind, index }) => kind !== 'entry' && index > 0);
    const alike = headers.filter((header) => header.keys.length === keys);
    const gaps = (alike.length > 0 ? alike : headers)
      .slice(0, ENOUGH)
      .map((header) => this.blankLinesAbove(this.head(header)));
    return vote(gaps.sort((a, b) => b - a)) ?? 1;
  }

  blankLinesAbove(at: number): number {
    let count = 0;
    for (let end = at; end > 0; count += 1) {
      const line = lineBefore(this.text, end);
      if (!isBlank(this.text, line, lineEnd(this.text, line))) break;
      end = line;
    }
    return count;
  }

  /** Returns the keys of the statement for the first `depth` parts of its path. */
  keysOf({ keys }: Statement, depth: number): string[] {
    return keys.flatMap((key) => (key.depth < depth ? [this.text.slice(key.start, key.end)] : []));
  }

  /** Returns the keys on the way to a path, as they are written. */
  keysTo(path: TablePath): string[] {
    return path.flatMap((part, depth) => {
      if (typeof part === 'number') return [];
      const above = path.slice(0, depth + 1);
      for (const statement of this.all) {
        if (!statement.isWithin(above)) continue;
        const key = statement.keys.find((one) => one.depth === depth);
        if (key !== undefined) return [this.text.slice(key.start, key.end)];
      }
      throw new Error('a key on the way is written somewhere');
    });
  }
}

export function pathOf(steps: Located['steps']): TablePath {
  return steps.map((step) => (step.kind === 'entry' ? (step.part.name ?? '') : step.index));
}

/** Groups statements that directly follow each other. */
export function runsOf(own: readonly Statement[]): Statement[][] {
  const runs: Statement[][] = [];
  for (const statement of own) {
    const run = runs.at(-1);
    if (run?.at(-1)?.index === statement.index - 1) run.push(statement);
    else runs.push([statement]);
  }
  return runs;
}

export function endsOf(run: readonly Statement[]): readonly [Statement, Statement] {
  const [first, last] = [run[0], run.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a run has statements');
  return [first, last];
}

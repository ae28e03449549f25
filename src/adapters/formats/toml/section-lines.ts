// The lines of a TOML file: where those of a statement begin and end, how sections are separated, and how a line is written
// beside others.
import { commentStart } from '../../tree/commented-out.ts';
import { headStart } from '../../tree/head-comment.ts';
import { isBlank, lineBefore, lineEnd, lineStart, nextLine } from '../../tree/lines.ts';
import type { Step } from '../../tree/locate.ts';
import type { Span, SpanNode, Stream } from '../../tree/span-tree.ts';
import { definitionOf, type Statement, type TablePath } from './statements.ts';

/** True if the statement is about the node at the path, or a node in it. */
export function isWithin({ path }: Pick<Statement, 'path'>, above: TablePath): boolean {
  return above.every((part, i) => path[i] === part);
}

/** Returns the path of the node to which the steps lead. */
export function pathOf(steps: readonly Step[]): TablePath {
  return steps.map((step) => (step.kind === 'entry' ? (step.part.name ?? '') : step.index));
}

/** The number of headers that is enough to learn how sections are separated. */
const FEW = 50;

/** One file, and all of its statements. */
export class SectionFile {
  readonly text: string;
  readonly all: readonly Statement[];
  readonly #stream: Stream;

  /** Takes the stream and any of its nodes in sections. */
  constructor(stream: Stream, node: SpanNode) {
    this.text = stream.text;
    this.all = definitionOf(node).all;
    this.#stream = stream;
  }

  /** Returns where the statement begins with the comment above it. */
  head({ start }: Span): number {
    return headStart(this.#stream, start);
  }

  /** Returns where the comment that leaves with the statement begins. */
  commentStart({ start, keys }: Statement): number {
    const [key] = keys.slice(-1);
    const name = key === undefined ? undefined : this.text.slice(key.start, key.end);
    return commentStart(this.#stream, { start, key, name });
  }

  indent({ start }: Span): string {
    const line = lineStart(this.text, start);
    return isBlank(this.text, line, start) ? this.text.slice(line, start) : '';
  }

  /** The lines of a new section, those below its one header as far in as elsewhere: not where they are given so, or may be of a text. */
  inPlace(section: readonly string[], indent: string, keys: number): readonly string[] {
    const top = section.findIndex((line) => line.startsWith('['));
    const below = section.slice(top + 1);
    const isGiven = /^\s/.test(below[0] ?? '') || below.some((line) => /^\s*\[|"""|'''/.test(line));
    const step = isGiven ? '' : this.#keyStep(keys);
    return section.map((line, index) => (line === '' ? '' : indent + (index > top ? step : '') + line));
  }

  /** Returns how much further in than its header the keys of the last section are: of the last one whose header has so many keys, if there is one. */
  #keyStep(keys: number): string {
    const headers = this.all.filter(
      ({ kind, index }) => kind !== 'entry' && this.all[index + 1]?.kind === 'entry',
    );
    const header = headers.findLast((one) => one.keys.length === keys) ?? headers.at(-1);
    const key = header === undefined ? undefined : this.all[header.index + 1];
    if (header === undefined || key === undefined) return '';
    const [outer, inner] = [this.indent(header), this.indent(key)];
    return inner.startsWith(outer) ? inner.slice(outer.length) : '';
  }

  /** The last statement of the section that this one stands in. */
  lastOfSection(statement: Statement): Statement {
    let last = statement;
    for (
      let next = this.all[last.index + 1];
      next?.section === statement.section;
      next = this.all[last.index + 1]
    )
      last = next;
    return last;
  }

  /** Returns the offset after a section that ends in this statement, with the comments directly after it; for the last section, the end of the file. */
  endOfSection(last: Statement | undefined): number {
    const { text } = this;
    if (last === undefined || last.index === this.all.length - 1) return text.length;
    const next = this.all[last.index + 1];
    const stop = next === undefined ? text.length : this.head(next);
    let at = nextLine(text, last.end);
    while (at < stop && !isBlank(text, at, lineEnd(text, at))) at = nextLine(text, at);
    return at;
  }

  /** The blank lines that most headers of so many keys have above them, or all of them where there are none such. */
  gap(keys: number): number {
    const headers = this.all.filter(({ kind, index }) => kind !== 'entry' && index > 0);
    const alike = headers.filter((header) => header.keys.length === keys);
    const counts = new Map<number, number>();
    for (const header of (alike.length > 0 ? alike : headers).slice(0, FEW)) {
      const lines = this.blankLinesAbove(this.head(header));
      counts.set(lines, (counts.get(lines) ?? 0) + 1);
    }
    const [best] = [...counts].sort(([linesA, a], [linesB, b]) => b - a || linesB - linesA);
    return best?.[0] ?? 1;
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

  /** Returns the keys on the way to the path as they are written elsewhere in the file. */
  keySources(path: TablePath): string[] {
    return path.flatMap((part, depth) => {
      if (typeof part === 'number') return [];
      const above = path.slice(0, depth + 1);
      for (const statement of this.all) {
        if (!isWithin(statement, above)) continue;
        const key = statement.keys.find((one) => one.depth === depth);
        if (key !== undefined) return [this.text.slice(key.start, key.end)];
      }
      throw new Error('a key on the way is written somewhere');
    });
  }
}

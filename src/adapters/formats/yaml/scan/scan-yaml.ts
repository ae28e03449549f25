// Scans a YAML text to its span tree in one pass, by character code, for everything that real configuration holds. It is
// strict: it reads nothing that is wrong or unusual, and where it succeeds, the data is what `yaml` reads.
import type { Limits } from '../../../../security/policy/policy.ts';
import { ParsedDocument } from '../../../tree/document.ts';
import { LineIndex } from '../../../tree/lines.ts';
import type { DocumentSpans, Span, Stream } from '../../../tree/span-tree.ts';
import { requireAtMost } from '../../../tree/wording.ts';
import { readNode } from './block.ts';
import {
  BYTE_ORDER_MARK,
  DOT,
  giveBack,
  isMarkerAt,
  PERCENT,
  SPACE,
  TAB,
  Unusual,
  type UnusualPart,
} from './chars.ts';
import { Cursor, NO_COLUMN } from './cursor.ts';
import { nodeAt } from './lazy-nodes.ts';
import type { Source } from './leaf-nodes.ts';
import { EMPTY } from './node-table.ts';

/** The result; `at` is about where the scan met what it does not read. */
export type Scanned = { readonly stream: Stream } | { readonly what: UnusualPart; readonly at: number };

/** The caller has checked the size of the text. Throws LIMIT_EXCEEDED. */
export function scanYaml(text: string, limits: Limits): Scanned {
  const scan = new Scan(text, limits);
  try {
    return { stream: scan.read() };
  } catch (reason) {
    if (reason instanceof Unusual) return { what: reason.what, at: scan.at };
    throw reason;
  } finally {
    scan.end();
  }
}

const VERSIONS = ['%YAML 1.2', '%YAML 1.1'] as const;
const VERSION_LENGTH = VERSIONS[0].length;

class Scan {
  readonly #cursor: Cursor;
  readonly #source: Source;
  readonly #documents: DocumentSpans[] = [];
  readonly #limits: Limits;

  constructor(text: string, limits: Limits) {
    this.#limits = limits;
    this.#cursor = new Cursor(text, limits);
    const { table } = this.#cursor;
    this.#source = { text, table };
  }

  get at(): number {
    return this.#cursor.at;
  }

  end(): void {
    giveBack(this.#cursor.codes);
  }

  read(): Stream {
    const cursor = this.#cursor;
    const { end } = cursor;
    const first = cursor.at;
    cursor.toContent();
    this.#skipVersion();
    while (cursor.at < end) {
      this.#readDocument();
      // Each document costs more memory than the node of a scalar, so half a million are not made only to be
      // refused at the end.
      requireAtMost(this.#limits.documents, this.#documents.length, 'number of documents', 'documents');
    }
    if (this.#documents.length === 0) this.#add(0, first, end, end);
    cursor.requireWithinBudgets(this.#documents.length);
    cursor.table.trim();
    const { text } = this.#source;
    return {
      text,
      lines: new LineIndex(text),
      documents: this.#documents,
      comments: spansOf(cursor.comments),
      ...(cursor.unindented.length > 0 && { unindented: cursor.unindented }),
    };
  }

  /** Reads a document; the cursor is on its first content or its `---`. Leaves the cursor on the next document, or at the end. */
  #readDocument(): void {
    const cursor = this.#cursor;
    const { codes, end } = cursor;
    const start = cursor.lineStart;
    let contentStart = start;
    let isBehindMarker = false;
    if (cursor.column === NO_COLUMN) {
      if (codes[cursor.at] === DOT) throw new Unusual('a document marker');
      contentStart = this.#skipMarker();
      isBehindMarker = codes[cursor.at] !== TAB && !cursor.isAtLineEnd();
      if (!isBehindMarker) cursor.finishLine();
    } else if (codes[start] === BYTE_ORDER_MARK) {
      throw new Unusual('a directive or a byte order mark');
    }
    const row = cursor.table.count;
    if (isBehindMarker) readNode(cursor, NO_COLUMN, -1, 0, 'behind a key');
    else if (cursor.column === NO_COLUMN) {
      cursor.requireNoTabLine();
      cursor.table.leaf(EMPTY, contentStart, contentStart, -1, 0);
    } else readNode(cursor, NO_COLUMN, -1, 0, 'at a line start');
    if (cursor.column !== NO_COLUMN) throw new Unusual('the indentation');
    this.#add(start, contentStart, cursor.at, cursor.at, row);
    if (cursor.at >= end || codes[cursor.at] !== DOT) return;
    this.#skipMarker();
    cursor.finishLine();
  }

  /** Skips `%YAML 1.2` before the first document, or 1.1, which reads the same here. */
  #skipVersion(): void {
    const cursor = this.#cursor;
    const { codes, text, end } = cursor;
    if (codes[cursor.lineStart] !== PERCENT) return;
    if (!VERSIONS.some((version) => text.startsWith(version, cursor.at)))
      throw new Unusual('a directive or a byte order mark');
    cursor.at += VERSION_LENGTH;
    cursor.finishLine();
    if (cursor.at >= end || cursor.column !== NO_COLUMN)
      throw new Unusual('a directive or a byte order mark');
  }

  /** Skips `---` or `...` and the spaces behind it; returns where it ends. */
  #skipMarker(): number {
    const cursor = this.#cursor;
    const { codes } = cursor;
    if (!isMarkerAt(codes, cursor.at)) throw new Unusual('a document marker');
    const markerEnd = cursor.at + 3;
    cursor.at = markerEnd;
    while (codes[cursor.at] === SPACE) cursor.at += 1;
    return markerEnd;
  }

  /** Adds a document; without a row it is empty and has no marker. */
  #add(start: number, contentStart: number, contentEnd: number, end: number, row?: number): void {
    const { table } = this.#cursor;
    const rootRow = row ?? table.count;
    if (row === undefined) table.leaf(EMPTY, end, end, -1, 0);
    const root = nodeAt(this.#source, rootRow);
    const spans = { start, end, contentStart, contentEnd, root };
    this.#documents.push(new ParsedDocument(this.#source.text, spans));
  }
}

/** Makes spans; `bounds` holds the start and end of each in turn. */
function spansOf(bounds: readonly number[]): Span[] {
  const spans: Span[] = [];
  for (let i = 0; i + 1 < bounds.length; i += 2) {
    const [start = 0, end = 0] = [bounds[i], bounds[i + 1]];
    spans.push({ start, end });
  }
  return spans;
}

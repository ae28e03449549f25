// Makes every text of a file that is sent to an agent or a log: source text, values, and rows of a diff.

import { Refusal, unlessRefused } from '../../security/errors/refusal.ts';
import { type NodePath, printNodePath } from '../../security/node-paths/node-path.ts';
import { visible, visibleLine } from '../../security/text/visible.ts';
import type { ConfigFile } from '../formats/registry.ts';
import { chooseDocument, type DocumentSelector } from '../tree/document.ts';
import { isMerge } from '../tree/keys.ts';
import { splitLines } from '../tree/lines.ts';
import { type Located, locate, notFound } from '../tree/locate.ts';
import { outlineOf } from '../tree/outline.ts';
import { findAnchored, type Place, resolvePath } from '../tree/resolve-path.ts';
import {
  type DocumentSpans,
  isCollection,
  outerStart,
  type Span,
  type SpanNode,
  type Stream,
  sliceOf,
} from '../tree/span-tree.ts';
import { cutText } from '../tree/wording.ts';
import { toValue } from '../values/to-value.ts';

/** Returns each line of a file without its break, and without a byte order mark; see `shownFile`. */
export function shownLines(text: string): readonly string[] {
  return splitLines(shownFile(text)).map((line) => line.replace(/\r?\n$/, ''));
}

/**
 * Returns the whole file with its comments and all of its documents, without the byte order mark. Characters that control a
 * terminal, which hardly any valid file has, are shown by their number.
 */
export function shownFile(text: string): string {
  return text.replace(/^\uFEFF/, '').replace(TERMINAL_CONTROLS, visibleLine);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for
const TERMINAL_CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f]/g;

/** Returns the exact text of a scalar, a tag or a comment. */
export function shownSpan({ text }: Stream, { start, end }: Span): string {
  return text.slice(start, end);
}

const MAX_EXCERPT = 200;

/** Returns the beginning of a source text, to name it next to a diff that shows the whole of it. */
export function shownExcerpt(source: string): string {
  return visible(cutText(source, MAX_EXCERPT));
}

const MAX_FLOW = 80;

/** Returns the value of a node on one line, as it is written. A longer one is cut, and a collection that is not short is shown by its size. */
export function shownOnOneLine(stream: Stream, node: SpanNode): string {
  const source = shownSpan(stream, node);
  if (isCollection(node) && node.style === 'flow' && source.length <= MAX_FLOW && !source.includes('\n'))
    return visibleLine(source);
  switch (node.kind) {
    case 'mapping':
      return `{${node.entries.length}}`;
    case 'sequence':
      return `[${node.items.length}]`;
    case 'alias':
      return `*${visibleLine(node.name)}`;
    case 'scalar': {
      const source = node.style === 'empty' ? '(nothing)' : shownSpan(stream, node);
      const [first = '', second = ''] = source.split(/\r?\n/u, 2);
      const more = source === first ? '' : ` ${second.trim()} … (${source.split('\n').length} lines)`;
      return visibleLine(cutText(`${first}${more}`, MAX_EXCERPT));
    }
  }
}

/** Shows a node on one line; a collection as its JSON value, where it has one. */
export function shownAsText(stream: Stream, document: DocumentSpans, node: SpanNode): string {
  if (node.kind === 'scalar') return shownOnOneLine(stream, node);
  const value = unlessRefused(() => JSON.stringify(toValue(document, node)));
  return value === undefined ? shownOnOneLine(stream, node) : visibleLine(cutText(value, MAX_EXCERPT));
}

/** Shows the first line that differs between two texts, from shortly before the difference. `below` is the number of lines before it. */
export function shownApart(
  a: string,
  b: string,
): { readonly from: string; readonly to: string; readonly below: number } {
  const [one, other] = [`${a}\n`, `${b}\n`];
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const line = same === 0 ? 0 : one.lastIndexOf('\n', same - 1) + 1;
  const start = same - line > MAX_EXCERPT / 2 ? same - KEPT : line;
  const shown = (text: string) => {
    const [rest = ''] = text.slice(start).split(/\r?\n/u, 1);
    const mark = start === line ? '' : '…';
    return rest.trim() === '' ? '(no line)' : visibleLine(cutText(`${mark}${rest.trim()}`, MAX_EXCERPT));
  };
  return { from: shown(one), to: shown(other), below: one.slice(0, line).split('\n').length - 1 };
}

/** The number of characters before a difference, for orientation. */
const KEPT = 20;

const MAX_CONTEXT_CHARS = 500;

/**
 * Shortens the rows of a preview's diff for a reply. Changes are shown exactly. Long unchanged lines are cut and say so, and so
 * are unchanged parts of long lines, because they must not keep a change from being shown whole.
 */
export function shownDiff(diff: string): string {
  if (diff.length <= MAX_CONTEXT_CHARS) return diff;
  const rows = diff.split('\n');
  for (let at = 0; at < rows.length; ) {
    const removed = countFrom(rows, at, '-');
    const added = countFrom(rows, at + removed, '+');
    const isHeader =
      rows[at]?.startsWith('--- ') && rows[at + 1]?.startsWith('+++ ') && rows[at + 2]?.startsWith('@@');
    if (removed === added && !isHeader)
      for (let i = at; i < at + removed; i++)
        [rows[i], rows[i + added]] = cutWhereSame(rows[i] ?? '', rows[i + added] ?? '');
    at += Math.max(1, removed + added);
  }
  return rows.map(shownRow).join('\n');
}

function countFrom(rows: readonly string[], at: number, sign: string): number {
  let end = at;
  while (rows[end]?.startsWith(sign) === true) end += 1;
  return end - at;
}

/** Cuts what a removed and an added row share, where one of them is long. */
function cutWhereSame(removed: string, added: string): readonly [string, string] {
  if (Math.max(removed.length, added.length) <= MAX_CONTEXT_CHARS) return [removed, added];
  const [one, other] = [removed.slice(1), added.slice(1)];
  const shorter = Math.min(one.length, other.length);
  let front = 0;
  while (front < shorter && one[front] === other[front]) front += 1;
  let back = 0;
  while (back < shorter - front && one.at(-1 - back) === other.at(-1 - back)) back += 1;
  const cut = (row: string): string => {
    const [from, to] = [
      Math.max(0, front - KEPT_BESIDE),
      Math.min(row.length, row.length - back + KEPT_BESIDE),
    ];
    return `${leftOut(from)}${row.slice(from, to).toWellFormed()}${leftOut(row.length - to)}`;
  };
  return [`-${cut(one)}`, `+${cut(other)}`];
}

/** The number of characters that are shown on either side of a change in a long line. */
const KEPT_BESIDE = 80;

function leftOut(count: number): string {
  return count === 0 ? '' : `…(${count} characters, unchanged)…`;
}

function shownRow(row: string): string {
  if (!row.startsWith(' ') || row.length <= MAX_CONTEXT_CHARS) return row;
  return `${row.slice(0, MAX_CONTEXT_CHARS).toWellFormed()}… (cut: an unchanged line of ${row.length - 1} characters)`;
}

/** Finds the node. Throws NODE_PATH_INVALID, NODE_NOT_FOUND and the other refusals about nodes and documents. */
export function findNode({ stream }: ConfigFile, path: string, selector: DocumentSelector | undefined) {
  const { lines } = stream;
  const doc = chooseDocument(stream, selector, path);
  const document = stream.documents[doc];
  if (document === undefined) throw new Error('the chosen document exists');
  const { located, inherited } = readThrough({ stream, document }, path);
  const node = located.node;
  return {
    doc,
    path: printNodePath(located.path),
    kind: node.kind,
    line: lines.at(outerStart(node)),
    end_line: lines.at(node.end),
    inherited,
    source: () => sliceOf(stream.text, node),
    value: () => toValue(document, node),
    outline: () => outlineOf(stream, node, located.path),
  };
}

/** The most aliases and merges that are followed for one path. */
const MAX_HOPS = 32;

interface Read {
  readonly located: Located;
  /** The way by which the node comes to the path that was asked for, where it stands at another one. */
  readonly inherited: 'alias' | 'merge' | undefined;
}

/**
 * Finds the node of the file, or what an alias or a merge (<<) brings there. Throws as `resolvePath` does, and NODE_NOT_FOUND
 * about the path that was asked for.
 */
function readThrough(place: Place, path: string): Read {
  let hops = 0;
  let inherited: Read['inherited'];
  const located = read(path);
  return { located, inherited };

  function read(at: string): Located {
    const asked = resolveOrFollow(at);
    if (typeof asked === 'string') return read(asked);
    const found = locate(place.document, asked);
    const there = found.missing.length === 0 ? found : merged(found);
    if (there === undefined) throw notFound(found, asked, 'get');
    return there;
  }

  /** Returns the path; where it goes through an alias, the text of the path below the anchored node. */
  function resolveOrFollow(at: string): NodePath | string {
    try {
      return resolvePath(place, at, false);
    } catch (error) {
      const isCrossed = error instanceof Refusal && error.code === 'ALIAS_CROSSED';
      const anchored = isCrossed ? error.clues.nearestPaths?.[0] : undefined;
      if (anchored === undefined || hops >= MAX_HOPS) throw error;
      hops += 1;
      inherited = 'alias';
      return anchored;
    }
  }

  /** Returns the part from the first merged source that has it. */
  function merged({ node, missing }: Located): Located | undefined {
    if (node.kind !== 'mapping') return undefined;
    const values = node.entries.filter(isMerge).map(({ value }) => value);
    const sources = values.flatMap((value) =>
      value.kind === 'sequence' ? value.items.map((item) => item.value) : [value],
    );
    for (const source of sources) {
      const anchored =
        source.kind === 'alias' ? findAnchored(place.stream, place.document, source) : undefined;
      if (anchored === undefined || hops >= MAX_HOPS) continue;
      hops += 1;
      inherited ??= 'merge';
      const found = unlessRefused(() => read(printNodePath([...anchored, ...missing])), ['NODE_NOT_FOUND']);
      if (found !== undefined) return found;
    }
    return undefined;
  }
}

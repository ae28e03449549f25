// The data of a Secret that stands within a text: in a block of a patch, an extra object of a chart, a comment, a quoted JSON.
import { trimmed } from './find-in-lines.ts';
import { type FoundSecret, foundIn } from './found-secret.ts';

const KIND = /^["']?kind["']?: +["']?Secret["']?(?:\s+#.*)?\s*$/u;
const DATA = /^["']?(?:data|stringData)["']?:/u;
/** A line of a template that gives nothing by itself, and may stand at any indentation. */
const CONTROL = /^\{\{-?\s*(?:if|else|end|range|with)\b[^{}]*\}\}\s*$/u;

/** `text`: one value or comment, as it is written. */
export function findInManifests(text: string): readonly FoundSecret[] {
  return text.includes('Secret') ? [...inYaml(text), ...inJson(text)] : [];
}

interface Line {
  readonly at: number;
  readonly indent: number;
  /** Whether a dash stands before it. */
  readonly isItem: boolean;
  readonly text: string;
}

function inYaml(text: string): readonly FoundSecret[] {
  const lines = linesOf(text);
  // Each mapping once, however often it says what it is.
  const done = new Map<number, number>();
  return lines.flatMap(({ indent, text: line }, index) => {
    if (!KIND.test(line) || index <= (done.get(indent) ?? -1)) return [];
    const { found, last } = inMapping(lines, index);
    done.set(indent, last);
    return found;
  });
}

/** Indentation without what begins a comment, and without the dash of an item. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, end);
    const rest = line.replace(/^[ \t]*(?:(?:#+|\/\/)[ \t]*)?(?:- )?/u, '');
    const indent = line.length - rest.length;
    if (rest.trim() !== '' && !CONTROL.test(rest))
      lines.push({ at, indent, isItem: line.endsWith('- ', indent), text: rest });
    at = end + 1;
  }
  return lines;
}

/** Of the mapping that has the kind at this line: what is indented below its data. */
function inMapping(
  lines: readonly Line[],
  index: number,
): { readonly found: readonly FoundSecret[]; readonly last: number } {
  const { indent = 0 } = lines[index] ?? {};
  // A certificate within it begins as the next document does.
  const isWithin = ({ indent: own, text }: Line) =>
    own > indent || (own === indent && !text.startsWith('---'));
  const isFirst = (line: Line | undefined) => line?.isItem === true && line.indent === indent;
  const isNext = (line: Line | undefined): line is Line => line !== undefined && isWithin(line);
  let [first, last] = [index, index];
  while (!isFirst(lines[first]) && isNext(lines[first - 1])) first -= 1;
  while (isNext(lines[last + 1]) && !isFirst(lines[last + 1])) last += 1;
  const found: FoundSecret[] = [];
  let [isData, below] = [false, Number.POSITIVE_INFINITY];
  for (const { at, indent: own, text } of lines.slice(first, last + 1)) {
    if (own === indent) isData = DATA.test(text);
    const isOfBlock = own > below;
    const head = isOfBlock ? '' : (/^["']?[\w./-]{1,253}["']?:(?:\s+|$)/u.exec(text)?.[0] ?? '');
    const isBlock = !isOfBlock && /^[|>][\d+-]{0,2}(?:\s+#.*)?\s*$/u.test(text.slice(head.length));
    if (own > indent && isData && !isBlock)
      found.push(...partsOf(at + own + head.length, text.slice(head.length)));
    if (!isOfBlock) below = isBlock ? own : Number.POSITIVE_INFINITY;
  }
  return { found, last };
}

function partsOf(at: number, source: string): readonly FoundSecret[] {
  const { start, end } = trimmed(source, 0, source.length);
  return foundIn(at, at + start, source.slice(start, end));
}

const JSON_KIND = /\\?"kind\\?"\s{0,8}:\s{0,8}\\?"Secret\\?"/u;
const JSON_DATA = /\\?"(?:data|stringData)\\?"\s{0,8}:\s{0,8}\{([^{}]{0,65536})\}/gu;
const JSON_VALUE = /:\s{0,8}(\\?")((?:(?!\1).){1,65536}?)\1/gsu;

function inJson(text: string): readonly FoundSecret[] {
  if (!JSON_KIND.test(text)) return [];
  return [...text.matchAll(JSON_DATA)].flatMap(({ 0: all, 1: members = '', index }) =>
    [...members.matchAll(JSON_VALUE)].flatMap(({ 0: member, 1: quote = '', 2: value = '', index: at }) =>
      partsOf(
        index + all.length - 1 - members.length + at + member.length - quote.length - value.length,
        value,
      ),
    ),
  );
}

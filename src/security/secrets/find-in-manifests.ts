// Finds the data of Kubernetes Secrets within a text, such as a block of a patch, an extra object of a chart, or a file that cannot be
// parsed.
import { isConfigText } from './config-text.ts';
import { type FoundSecret, secretsInValue } from './found-secret.ts';
import { isOrdinary } from './secret-name.ts';
import { trimmed } from './secret-values.ts';

const KIND = /^["']?kind["']?: +["']?Secret["']?,?(?:\s+#.*)?\s*$/u;
const DATA = /^["']?(?:data|stringData)["']?:/u;
/** A line of a template that has no output itself, and may have any indentation. */
const CONTROL_LINE = /^\{\{-?\s*(?:if|else|end|range|with)\b[^{}]*\}\}\s*$/u;

interface Line {
  readonly at: number;
  readonly indent: number;
  /** True if the line begins with the dash of an item. */
  readonly isItem: boolean;
  readonly text: string;
}

/** Finds the data in one value, or in a whole file, as it is written. */
export function findInManifests(text: string): readonly FoundSecret[] {
  if (!text.includes('Secret')) return [];
  const lines = linesOf(text);
  // Each mapping is searched once, however often it gives its kind.
  const done = new Map<number, number>();
  return lines.flatMap(({ indent, text: line }, index) => {
    if (!KIND.test(line) || index <= (done.get(indent) ?? -1)) return [];
    const { found, last } = searchMapping(lines, index);
    done.set(indent, last);
    return found;
  });
}

/** Splits a text into lines without comments. The indentation includes the dash of an item. */
function linesOf(text: string): readonly Line[] {
  const lines: Line[] = [];
  for (let at = 0; at < text.length; ) {
    const next = text.indexOf('\n', at);
    const end = next === -1 ? text.length : next;
    const line = text.slice(at, end);
    const rest = line.replace(/^[ \t]*(?:- )?/u, '');
    const indent = line.length - rest.length;
    if (rest.trim() !== '' && !/^#|^\/\//u.test(rest) && !CONTROL_LINE.test(rest))
      lines.push({ at, indent, isItem: line.endsWith('- ', indent), text: rest });
    at = end + 1;
  }
  return lines;
}

/** Finds the values below `data` in the mapping that has its kind at this line; `last` is the last line of the mapping. */
function searchMapping(
  lines: readonly Line[],
  index: number,
): { readonly found: readonly FoundSecret[]; readonly last: number } {
  const { indent = 0 } = lines[index] ?? {};
  // A certificate in the mapping begins with dashes, as the next document does, but is indented more.
  const isWithin = ({ indent: own, text }: Line) =>
    own > indent || (own === indent && !text.startsWith('---'));
  const isFirst = (line: Line | undefined) => line?.isItem === true && line.indent === indent;
  const isNext = (line: Line | undefined): line is Line => line !== undefined && isWithin(line);
  let [first, last] = [index, index];
  while (!isFirst(lines[first]) && isNext(lines[first - 1])) first -= 1;
  while (isNext(lines[last + 1]) && !isFirst(lines[last + 1])) last += 1;
  const found: FoundSecret[] = [];
  let [isData, below] = [false, Number.POSITIVE_INFINITY];
  let block: Line[] = [];
  const endBlock = () => {
    // The lines of a configuration are checked one by one elsewhere.
    if (!isConfigText(block.map(({ isItem, text }) => (isItem ? `- ${text}` : text)).join('\n')))
      for (const { at, indent: own, text } of block) found.push(...partsOf(at + own, text));
    block = [];
  };
  for (const line of lines.slice(first, last + 1)) {
    const { at, indent: own, text } = line;
    if (own > below) {
      block.push(line);
      continue;
    }
    endBlock();
    if (own === indent) isData = DATA.test(text);
    const [head = '', key = ''] = /^["']?([\w./-]{1,253})["']?:(?:\s+|$)/u.exec(text) ?? [];
    const isBlock = /^[|>][\d+-]{0,2}(?:\s+#.*)?\s*$/u.test(text.slice(head.length));
    below = isBlock && isData ? own : Number.POSITIVE_INFINITY;
    if (own > indent && isData && !isBlock && !isOrdinary(key))
      found.push(...partsOf(at + own + head.length, text.slice(head.length)));
  }
  endBlock();
  return { found, last };
}

function partsOf(at: number, source: string): readonly FoundSecret[] {
  const { start, end } = trimmed(source, 0, source.length);
  return secretsInValue(at, at + start, source.slice(start, end)).map((one) => ({ ...one, by: 'structure' }));
}

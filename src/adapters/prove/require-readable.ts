// Checks that the strictest readers of YAML (PyYAML, libyaml, Go's yaml) can read what an edit writes: a tab that separates, a
// character or a mark that they refuse. What was there before is not checked, so that such a file stays editable.

import type { Format } from '../tree/format.ts';
import { type ScalarNode, type Span, type Stream, walk } from '../tree/span-tree.ts';
import { differs } from './expected.ts';

/** Throws VERIFICATION_FAILED where the result has more of something that some readers refuse, or read as something else. */
export function requireReadable(before: Stream, after: Stream, { layout }: Pick<Format, 'layout'>): void {
  if (layout !== 'block') return;
  for (const { may, count, says } of REFUSED)
    if (may.test(after.text) && count(after) > count(before))
      throw differs(says, {
        advice: ['Write blanks for tabs, and such characters as escapes in double quotes'],
      });
}

interface Refused {
  /** Matches every text that has some. */
  readonly may: RegExp;
  readonly count: (stream: Stream) => number;
  readonly says: string;
}

const CONTROL = /[\u007f-\u0084\u0086-\u009f\ufffe\uffff]/;
/** To libyaml and Go a line may begin with a byte order mark, which takes a column. */
const MARKED_LINE = /\n\uFEFF/;
/** Letters in the name of an anchor at which libyaml ends it. What is masked is judged where masked values are. */
const ODD_ANCHOR = /&[\w-]*(?!<secret:)[^\s\w,[\]{}-]/;
/** The end of a document before any document. */
const NO_DOCUMENT = /^\uFEFF?(?:[ \t]*(?:#[^\r\n]*)?\r?\n)*\.\.\.(?:\s|$)/;

const REFUSED: readonly Refused[] = [
  {
    may: /\t/,
    count: (stream) => looseTabs(stream),
    says: 'a tab would stand where some readers of YAML take none',
  },
  {
    may: CONTROL,
    count: inText(CONTROL),
    says: 'a character would come in that some readers of YAML refuse',
  },
  {
    may: MARKED_LINE,
    count: inText(MARKED_LINE),
    says: 'a line would begin with a byte order mark, which some readers of YAML pass over',
  },
  {
    may: ODD_ANCHOR,
    count: oddAnchors,
    says: 'some readers of YAML end the name of an anchor at letters other than A to Z, digits, - and _',
  },
  {
    may: NO_DOCUMENT,
    count: inText(NO_DOCUMENT),
    says: 'some readers of YAML refuse "..." before a document',
  },
];

function inText(pattern: RegExp): Refused['count'] {
  const all = new RegExp(pattern.source, 'g');
  return ({ text }) => text.match(all)?.length ?? 0;
}

function oddAnchors({ text, documents }: Stream): number {
  return documents
    .flatMap(({ root }) => [...walk(root)])
    .filter(({ properties }) => {
      const anchor = properties?.anchor;
      return anchor !== undefined && ODD_ANCHOR.test(text.slice(anchor.start, anchor.end));
    }).length;
}

/** Counts the tabs that are not in quotes, in the lines of a text, in a comment or in an action. */
function looseTabs({ text, documents, comments, actions = [], hasStructure }: Stream): number {
  if (hasStructure === false) return 0;
  const places: Span[] = [...comments, ...actions];
  for (const { root } of documents)
    for (const node of walk(root)) if (node.kind === 'scalar') places.push(...takingTabs(text, node));
  places.sort((a, b) => a.start - b.start);
  let [loose, next] = [0, 0];
  for (let at = text.indexOf('\t'); at !== -1; at = text.indexOf('\t', at + 1)) {
    while ((places[next]?.end ?? text.length) <= at) next += 1;
    if ((places[next]?.start ?? text.length) > at) loose += 1;
  }
  return loose;
}

/** The places of a scalar in which a tab is one of its letters. */
function takingTabs(text: string, { style, start, end, block }: ScalarNode): readonly Span[] {
  if (style === 'single' || style === 'double') return [{ start, end }];
  if (block === undefined) return [];
  const [first = ''] = text.slice(block.bodyStart, end).match(/^ *(?=[^ \r\n])/m) ?? [];
  const lines: Span[] = [];
  for (let from = block.bodyStart; from < block.bodyEnd; ) {
    const lineFeed = text.indexOf('\n', from);
    const next = lineFeed === -1 ? text.length : lineFeed + 1;
    if (text.startsWith(first, from)) lines.push({ start: from, end: next });
    from = next;
  }
  return lines;
}

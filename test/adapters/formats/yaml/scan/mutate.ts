// Texts that are nearly YAML: real files cut, spliced, shifted and sprinkled with what means something,
// and texts made of nothing but that.
import type { Random } from '../../../../harness/random.ts';
import { PIECES } from './texts.ts';

const BREAK = /(?<=\n)/;

/** `texts`: what it is made from. One random, one text. */
export function nearlyYaml(random: Random, texts: readonly string[]): string {
  if (random.below(5) === 0) return soup(random);
  let text = cut(random, random.pick(texts));
  for (let left = 1 + random.below(4); left > 0; left--) text = mutated(random, text, texts);
  return text;
}

function soup(random: Random): string {
  return Array.from({ length: 2 + random.below(14) }, () => random.pick(PIECES)).join('');
}

/** Some lines of it: short texts are read more often in the same time. */
function cut(random: Random, text: string): string {
  const lines = text.split(BREAK);
  const from = random.below(3) === 0 ? random.below(lines.length) : 0;
  return lines.slice(from, from + 1 + random.below(24)).join('');
}

type Mutation = (random: Random, text: string, texts: readonly string[]) => string;

const MUTATIONS: readonly Mutation[] = [
  insertPiece,
  insertPiece,
  insertPiece,
  replaceBySoup,
  truncate,
  removeRun,
  swapCharacters,
  swapLines,
  duplicateLine,
  reindent,
  splice,
  otherBreaks,
];

/** One thing changed. */
function mutated(random: Random, text: string, texts: readonly string[]): string {
  return random.pick(MUTATIONS)(random, text, texts);
}

function insertPiece(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
}

function replaceBySoup(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + soup(random) + text.slice(at + random.below(8));
}

function truncate(random: Random, text: string): string {
  return text.slice(0, random.below(text.length + 1));
}

function removeRun(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + text.slice(at + 1 + random.below(4));
}

function swapCharacters(random: Random, text: string): string {
  const [a, b] = ordered(random.below(text.length + 1), random.below(text.length + 1));
  return text.slice(0, a) + text.charAt(b) + text.slice(a + 1, b) + text.charAt(a) + text.slice(b + 1);
}

function ordered(a: number, b: number): readonly [number, number] {
  return a < b ? [a, b] : [b, a];
}

function swapLines(random: Random, text: string): string {
  const lines = text.split(BREAK);
  const [a, b] = [random.below(lines.length), random.below(lines.length)];
  return lines.map((line, i) => (i === a ? lines[b] : i === b ? lines[a] : line)).join('');
}

function duplicateLine(random: Random, text: string): string {
  const at = random.below(text.split(BREAK).length);
  return onLines(text, (line, i) => (i === at ? line + line : line));
}

/** One line, or all from there on. */
function reindent(random: Random, text: string): string {
  const at = random.below(text.split(BREAK).length);
  const to = random.below(2) === 0 ? at : at + random.below(6);
  const shift = random.pick([' ', '  ', '   ', '\t', ' \t', '']);
  const isOut = random.below(2) === 0;
  return onLines(text, (line, i) =>
    i < at || i > to ? line : isOut ? line.replace(/^ {1,2}/, '') : shift + line,
  );
}

function splice(random: Random, text: string, texts: readonly string[]): string {
  const other = cut(random, random.pick(texts));
  const at = random.below(text.length + 1);
  const from = random.below(other.length + 1);
  return text.slice(0, at) + other.slice(from, from + random.below(80)) + text.slice(at);
}

function otherBreaks(_random: Random, text: string): string {
  return text.replaceAll(/(?<!\r)\n/g, '\r\n');
}

function onLines(text: string, change: (line: string, index: number) => string): string {
  return text.split(BREAK).map(change).join('');
}

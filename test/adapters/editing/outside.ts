// The lines that an operation has no business with, told without any of the planners' spans: only from
// where the entry stood before. What is not in its entry (or, for a new part, not in its collection), nor
// a blank or comment line beside it, must be the same line afterwards.
import type { Operation, Stream } from './attempt.ts';
import { outerStart, type PlaceInFile } from './places.ts';

/** The lines that differ though they should not; empty where all is well. */
export function strayLines(
  stream: Stream,
  place: PlaceInFile,
  { op }: Pick<Operation, 'op'>,
  after: string,
): string[] {
  const { first, last, lines } = touchedLines(stream, place, op);
  const result = after.split('\n');
  const behind = lines.slice(last + 1);
  const above = lines.slice(0, first).filter((line, i) => result[i] !== line);
  const tail = result.slice(Math.max(result.length - behind.length, 0));
  const below = behind.filter((line, i) => tail[i] !== line);
  return result.length < first + behind.length
    ? ['lines are missing', ...above, ...below]
    : [...above, ...below];
}

function touchedLines({ text }: Stream, place: PlaceInFile, op: Operation['op']) {
  const lines = text.split('\n');
  const span = touched(place, op);
  // A file's last line can lose or win its line break.
  const lineOf = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  let first = lineOf(span.start);
  let last = lineOf(span.end);
  while (first > 0 && isNothing(lines[first - 1])) first -= 1;
  while (last < lines.length - 1 && isNothing(lines[last + 1])) last += 1;
  if (first > 0 && last === lines.length - 1) first -= 1;
  return { first, last, lines };
}

function touched({ node, part, container, owner }: PlaceInFile, op: Operation['op']) {
  const own = part ?? { start: outerStart(node), end: node.end };
  if (op !== 'delete' || container === undefined) return own;
  // Where the last part goes, {} or [] moves to the line of the key or dash.
  return owner ?? { start: outerStart(container), end: container.end };
}

function isNothing(line: string | undefined): boolean {
  return (
    line === undefined ||
    /^\s*(?:(?:#|\/[/*]|\*[\s/*]).*)?\r?$/.test(line) ||
    /^(?:---|\.\.\.)\s*(?:#.*)?\r?$/.test(line)
  );
}

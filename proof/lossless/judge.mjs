// What came of an edit, judged by the bytes and by the data, without a look at how it was made.
import { isDeepStrictEqual } from 'node:util';
import { parseAllDocuments } from 'yaml';
import { PARSE } from './edits.mjs';

/** `exact`, `more` (other lines changed as well), `wrong` (the data are not what was asked). */
export function judge(before, after, edit) {
  const expected = dataOf(before);
  change(expected, edit);
  if (!isDeepStrictEqual(dataOf(after), expected)) return 'wrong';
  return isExact(before.split('\n'), after.split('\n'), edit) ? 'exact' : 'more';
}

/** Undefined where it does not parse. */
function dataOf(text) {
  const documents = parseAllDocuments(text, PARSE);
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents.map((document) => document.toJS({ maxAliasCount: -1 }));
}

function change(data, { kind, document, path, value }) {
  const [last, ...above] = [...path].reverse();
  const holder = above.reverse().reduce((node, key) => node[key], data[document]);
  if (kind === 'delete') delete holder[last];
  else if (kind === 'append') holder[last].push(value);
  else holder[last] = typeof value === 'number' ? BigInt(value) : value;
}

function isExact(before, after, { kind, line, after: asked }) {
  if (kind === 'set') {
    if (before.length !== after.length) return false;
    return after.every((text, at) => (at === line ? loose(text) === loose(asked[0]) : text === before[at]));
  }
  if (kind === 'append') return after.length === before.length + 1 && isWithout(after, before, 1);
  return isEntryAlone(before, after, line);
}

/** Whether the lines that are gone, in a row, are the entry, at most the comment above it, and one blank line beside it. */
function isEntryAlone(before, after, line) {
  const count = before.length - after.length;
  const at = after.findIndex((text, index) => text !== before[index]);
  const from = at === -1 ? after.length : at;
  if (count < 1 || !isWithout(before, after, count)) return false;
  const gone = before.slice(from, from + count);
  const others = gone.filter((text) => text.trim() !== '' && !/^\s*#/.test(text));
  const blank = gone.filter((text) => text.trim() === '');
  const comments = gone.length - others.length - blank.length;
  return (
    others.length === 1 &&
    others[0] === before[line] &&
    blank.length <= 1 &&
    comments <= commentsAbove(before, line)
  );
}

/** Whether `fewer` is `more` without so many lines in a row. */
function isWithout(more, fewer, count) {
  const at = fewer.findIndex((text, index) => text !== more[index]);
  const from = at === -1 ? fewer.length : at;
  return fewer.slice(from).every((text, index) => text === more[from + count + index]);
}

function commentsAbove(lines, line) {
  let count = 0;
  while (/^\s*#/.test(lines[line - count - 1] ?? '')) count++;
  return count;
}

/** A comment behind a value may keep its column. */
function loose(line) {
  return line.replace(/[ \t]+#/, ' #').trimEnd();
}

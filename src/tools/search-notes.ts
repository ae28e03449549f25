// Notes on a search: what it skipped, what it could not compare, and what may have been meant. "Nothing found" alone would be taken to
// be the whole truth.

import { isPlainText } from '../adapters/formats/registry.ts';
import { asLiteral, ignoringCase, withoutCase } from '../adapters/tree/wildcard.ts';
import { counted, cutText } from '../adapters/tree/wording.ts';
import { Refusal } from '../security/errors/refusal.ts';
import { parsePath } from '../security/node-paths/parse-path.ts';
import { splitExclusions } from '../security/paths/glob.ts';
import { quoted } from '../security/text/visible.ts';
import { noFiles } from './config-list.ts';
import { namedWithReason } from './named-files.ts';
import type { SearchPage, Skipped, Tally, Terms } from './search-page.ts';
import type { CallContext } from './tool.ts';

/** The progress of the search in files. */
export interface Reached {
  readonly searched: number;
  readonly of: number;
  /** True if nothing was skipped, closed or not compared. */
  readonly isWhole: boolean;
}

export function notesOn(terms: Terms, page: SearchPage, pattern: string | undefined): readonly string[] {
  return [
    ...(leavesOutMasked(terms, page) ? ['Masked values (<secret:…>) are not searched.'] : []),
    ...caseLines(terms, page, pattern),
    ...exactLines(terms, page, pattern),
    ...(page.deeper === 0 ? [] : [deeperLine(terms, page, pattern)]),
    ...(page.unsearched.length === 0 ? [] : [unsearchedLine(terms, page.unsearched)]),
    ...(page.notCompared.count === 0
      ? []
      : [`Not compared: ${values(page.notCompared, 'no number and no version')}.`]),
    ...(page.asNumbers.count === 0
      ? []
      : [
          `Compared as numbers: ${values(page.asNumbers, 'a text')}. As versions they are ordered otherwise: write "v" before the number in "where".`,
        ]),
    ...(page.asLowest.count === 0
      ? []
      : [`Compared by the lowest version: ${values(page.asLowest, 'a range')}.`]),
  ];
}

/** True if values were searched and some of these files have masked ones, whatever was searched for. */
export function leavesOutMasked({ text, value, where }: Terms, { hasMasked }: SearchPage): boolean {
  return hasMasked && where !== 'missing' && (text ?? value ?? where) !== undefined;
}

function caseLines(
  terms: Terms,
  { otherCase, found }: SearchPage,
  pattern: string | undefined,
): readonly string[] {
  if (otherCase === 0) return [];
  const { key, value, text } = terms;
  const other = Object.entries({ key, value, text }).flatMap(([field, term]) =>
    term === undefined ? [] : [[field, ignoringCase(term)] as const],
  );
  const more = found === 0 ? '' : ' more';
  return [
    `${otherCase}${more} in other letter case: ${call({ ...terms, ...Object.fromEntries(other) }, pattern)}`,
  ];
}

function exactLines(
  { value, ...rest }: Terms,
  page: SearchPage,
  pattern: string | undefined,
): readonly string[] {
  if (value === undefined || page.exact === 0 || page.exact === page.matches.length) return [];
  const are = page.exact === 1 ? '1 of these is' : `${page.exact} of these are`;
  return [
    `${are} exactly ${quoted(value)}; in the others its * or ? is other text. Those alone: ${call({ ...rest, value: asLiteral(value) }, pattern)}`,
  ];
}

/** Notes for a `missing` search, in which a key at any depth counts, how to ask about the root alone. */
function deeperLine({ key = '', ...rest }: Terms, { deeper, found }: SearchPage, pattern?: string): string {
  const fromRoot = /[.[/]/u.test(key) ? `$.${key}` : `/${key}`;
  const more = found === 0 ? '' : ' more';
  return `${deeper}${more} ${deeper === 1 ? 'file has' : 'files have'} it only deeper; at the root alone it is missing there: ${call({ key: fromRoot, ...rest }, pattern)}`;
}

function call(terms: Terms, pattern: string | undefined): string {
  return `config_search ${JSON.stringify({ ...(pattern === undefined ? {} : { pattern }), ...terms })}`;
}

const MAX_VALUE = 60;

/** Writes `44 values that are no number, such as latest, main`. */
function values({ count, some }: Tally, are: string): string {
  return count === 1
    ? `1 value that is ${are} (${some[0]})`
    : `${count} values that are ${are}, such as ${some.map((value) => cutText(value, MAX_VALUE)).join(', ')}`;
}

/** Writes one line about all files that were not searched, and names the first ones. */
function unsearchedLine({ text }: Terms, unsearched: readonly Skipped[]): string {
  const all = unsearched.map(({ why }) => why.replace(/ at line \d+$/u, ''));
  const kinds = [...new Set(all)].map((kind) => {
    const count = all.filter((why) => why === kind).length;
    return kind === 'template' ? counted(count, kind) : `${count} ${kind}`;
  });
  const named = namedWithReason(unsearched.map(({ file, why }) => [file, why]));
  return `${counted(unsearched.length, 'file')} not searched (${kinds.join(', ')}): ${named}${text === undefined ? '. "text" searches any of them' : ''}`;
}

/** Explains a search that found nothing in all of its files. */
export function nothing(
  terms: Terms,
  page: SearchPage,
  pattern: string | undefined,
  { searched, of }: Reached,
  context: CallContext,
): readonly string[] {
  if (of === 0) return [noFiles(pattern, context), ...closedNote(pattern, context)];
  if (searched < of) return [`Nothing found so far: ${searched} of ${counted(of, 'file')} searched.`];
  const left = page.earlierLeft + page.unsearched.length;
  return [
    `Nothing found in ${left === 0 ? counted(of, 'file') : `the ${of - left} of ${counted(of, 'file')} that could be searched`}.${terms.text === undefined ? ' A pattern matches a whole key, path or value: *part* finds a part.' : ''}`,
    ...nearLines(terms, page, pattern),
    ...pathLines(terms),
    ...literalLines(terms, pattern),
    ...(/^[<>=!]/.test(terms.value ?? '')
      ? [`For a comparison give it as "where": ${JSON.stringify(terms.value)}.`]
      : []),
    'Only files that are open here were searched: list_capabilities names them, and the operator can open others with --allow.',
  ];
}

/** Notes how many of the files have no keys, and the call that searches their text. */
export function plainTextLines(
  { key, value, text }: Terms,
  files: readonly string[],
  pattern: string | undefined,
  { sandbox }: CallContext,
): readonly string[] {
  const count = files.filter((file) => isPlainText(sandbox.parse(file))).length;
  const term = withoutEnds(key ?? value ?? '');
  if (text !== undefined || count === 0) return [];
  return [
    `Of these files ${count === 1 ? '1 is' : `${count} are`} plain text, without keys: ${term === '' ? '"text"' : call({ text: term }, pattern)} searches ${count === 1 ? 'it' : 'them'}.`,
  ];
}

/** Returns the pattern without wildcards at its ends. */
function withoutEnds(term: string): string {
  return term.replaceAll(/^\*|(?<!\\)\*$/gu, '');
}

function nearLines(
  { key, value, where }: Terms,
  { near }: SearchPage,
  pattern: string | undefined,
): readonly string[] {
  const term = key ?? value;
  if (term === undefined || where !== undefined) return [];
  const [what, other] = key === undefined ? ['value', 'key'] : ['key', 'value'];
  const lines = [
    near.otherPlace > 0
      ? `${counted(near.otherPlace, other)} ${near.otherPlace === 1 ? 'is' : 'are'}: ${call({ [other]: term }, pattern)}`
      : '',
    near.part > 0
      ? `${counted(near.part, what)} ${near.part === 1 ? 'holds' : 'hold'} it: ${call({ [what]: `*${withoutEnds(term)}*` }, pattern)}`
      : '',
  ];
  return lines.filter((line) => line !== '').map((line) => `No ${what} is ${quoted(term)}, but ${line}`);
}

/** Notes why a key that looks like a path is not one. */
function pathLines({ key = '' }: Terms): readonly string[] {
  if (!key.includes('[')) return [];
  try {
    parsePath(withoutCase(key));
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [`It was searched as one key. ${error.message}.`];
  }
}

/** Characters that a regular expression or a shell would read differently. */
const EXPRESSION = /\[[^\]]*\]|\.[*+]|\\[a-zA-Z.]|\||^\^|\$$|\(.*\)/u;

function literalLines(terms: Terms, pattern: string | undefined): readonly string[] {
  return (['key', 'value', 'text'] as const).flatMap((field) => {
    const term = terms[field];
    const isPath =
      field === 'key' && /\.\*+(?=[.[])|\[(?:\*|\d+|#\d+|[^\]]*=[^\]]*|"[^"]*")\]/u.test(term ?? '');
    const found = term === undefined || isPath ? undefined : EXPRESSION.exec(withoutCase(term))?.[0];
    if (term === undefined || found === undefined) return [];
    return [
      `${quoted(found)} in ${quoted(field)} is matched literally: only * and ? are wildcards. ${call({ [field]: asWildcards(term) }, pattern)} may be meant.`,
    ];
  });
}

/** Returns the closest wildcard pattern; of alternatives only the first is used. */
function asWildcards(term: string): string {
  const bare = withoutCase(term);
  const plain = bare
    .replace(/^\^|\$$/gu, '')
    .replaceAll(/\[[^\]]*\][*+]?|\\[dws][*+]?|\.[*+]|\([^)]*\)[*+?]?/gu, '*')
    .replaceAll(/\\(.)/gu, '$1')
    .replaceAll(/\*+/gu, '*');
  const [first = ''] = plain.split('|');
  return `${term.slice(0, term.length - bare.length)}${first === '' ? '*' : first}`;
}

/** Explains a pattern that no open file can match, such as one for a closed kind of files. It uses the policy alone. */
function closedNote(pattern: string | undefined, { sandbox }: CallContext): readonly string[] {
  if (pattern === undefined) return [];
  const name = splitExclusions(pattern)
    .wanted.replaceAll(/\{([^{},]*),?[^{}]*\}/gu, '$1')
    .replaceAll(/\*+|\?/gu, 'x')
    .replace(/\/+$/u, '');
  try {
    const path = sandbox.parse(
      sandbox.rootNames[0] === undefined ? name : `@${sandbox.rootNames[0]}/${name}`,
    );
    sandbox.requireServed(path);
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.code !== 'PATH_DENIED' || !/\.[^./]+$/u.test(name)) return [];
    return [
      `Files such as ${quoted(name)} are not open here: list_capabilities names those that are; the operator can open others with --allow.`,
    ];
  }
}

// Says beside the matches of a search what it did not look at, what it could not compare, what may have been meant, and where
// nothing was found. "Nothing" alone would be taken for all there is to say.
import { counted, cutText, ignoringCase, isPlainText, sentText } from '../adapters/index.ts';
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
    ...(page.unsearched.length === 0 ? [] : [unsearchedLine(terms, page.unsearched)]),
    ...(page.notCompared.count === 0 ? [] : [notComparedLine(page.notCompared)]),
    ...(page.withAliases === 0
      ? []
      : [
          `${counted(page.withAliases, 'file')} with aliases or merges (<<): what they bring is found only where it is written.`,
        ]),
    ...rootLines(terms, pattern),
  ];
}

/** True if values were searched, and some of these files have masked ones; what was searched for does not matter. */
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

/** Says of a missing key that counts as present at any depth how to ask for the root alone. */
function rootLines({ key = '', ...rest }: Terms, pattern: string | undefined): readonly string[] {
  if (!/^\s*missing\s*$/iu.test(rest.where ?? '') || /^(?:\/|\$[.[]|\*)/u.test(key)) return [];
  const fromRoot = /[.[/]/u.test(key) ? `$.${key}` : `/${key}`;
  return [`It may begin at any depth; from the root alone: ${call({ key: fromRoot, ...rest }, pattern)}`];
}

function call(terms: Terms, pattern: string | undefined): string {
  return `config_search ${sentText({ ...(pattern === undefined ? {} : { pattern }), ...terms })}`;
}

const MAX_VALUE = 60;

function notComparedLine({ count, some }: Tally): string {
  const such = some.map((value) => cutText(value, MAX_VALUE)).join(', ');
  return `Not compared, because their order is not sure: ${counted(count, 'value')}, such as ${such}. With "v" before the number in "where" all are versions.`;
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

const ONLY_OPEN =
  'Only files that are open here were searched: list_capabilities names them, and the operator can open others with --allow.';

/** Explains a search that has found nothing in all of its files. */
export function nothing(
  terms: Terms,
  page: SearchPage,
  pattern: string | undefined,
  { searched, of }: Reached,
): readonly string[] {
  if (of === 0) return [noFiles(pattern), ONLY_OPEN];
  if (searched < of) return [`Nothing found so far: ${searched} of ${counted(of, 'file')} searched.`];
  const left = page.earlierLeft + page.unsearched.length;
  return [
    `Nothing found in ${left === 0 ? counted(of, 'file') : `the ${of - left} of ${counted(of, 'file')} that could be searched`}.${terms.text === undefined ? ' A pattern matches a whole key, path or value: *part* finds a part.' : ''} Only * and ? are wildcards.`,
    ...anywhereLine(terms, pattern),
    ...(/^[<>=!]/.test(terms.value ?? '')
      ? [`For a comparison give it as "where": ${JSON.stringify(terms.value)}.`]
      : []),
    ONLY_OPEN,
  ];
}

/** Says how many of the files have no keys. */
export function plainTextLines(
  { text }: Terms,
  files: readonly string[],
  { sandbox }: CallContext,
): readonly string[] {
  const count = files.filter((file) => isPlainText(sandbox.parse(file))).length;
  if (text !== undefined || count === 0) return [];
  return [`${counted(count, 'file')} of plain text, without keys: "text" searches such files.`];
}

/** Returns the pattern without wildcards at its ends. */
function withoutEnds(term: string): string {
  return term.replaceAll(/^\*|(?<!\\)\*$/gu, '');
}

/** Returns the call that finds a key or a value wherever it stands. */
function anywhereLine({ key, value, where }: Terms, pattern: string | undefined): readonly string[] {
  const text = withoutEnds(key ?? value ?? '');
  if (text === '' || /[[*?]/.test(text) || where !== undefined || (key !== undefined && value !== undefined))
    return [];
  return [`As a part of any line: ${call({ text }, pattern)}`];
}

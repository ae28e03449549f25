// Says beside the matches of a search what it did not look at, what it could not compare, what may have been meant, and where
// nothing was found. "Nothing" alone would be taken for all there is to say.
import { counted } from '../adapters/index.ts';
import { quoted, Refusal } from '../security/index.ts';
import { noFiles } from './config-list.ts';
import type { SearchPage, Tally, Terms, Unsearched } from './search-page.ts';
import type { CallContext } from './tool.ts';

/** The progress of the search in files. */
export interface Reached {
  readonly searched: number;
  readonly of: number;
}

export function notesOn(page: SearchPage): readonly string[] {
  return [
    ...(page.unsearched.length === 0 ? [] : [unsearchedLine(page.unsearched)]),
    ...(page.notCompared.count === 0
      ? []
      : [`Not compared: ${values(page.notCompared, 'no number and no version')}.`]),
    ...(page.asNumbers.count === 0
      ? []
      : [
          `Compared as numbers: ${values(page.asNumbers, 'a text')}. As versions they are ordered otherwise: write "v" before the number in "where".`,
        ]),
  ];
}

/** Writes `44 values that are no number, such as latest`. */
function values({ count, first }: Tally, are: string): string {
  return count === 1
    ? `1 value that is ${are} (${first})`
    : `${count} values that are ${are}, such as ${first}`;
}

/** Writes one line about all files that were not searched. */
function unsearchedLine(unsearched: readonly Unsearched[]): string {
  const kinds = [...new Set(unsearched)].map((kind) => {
    const count = unsearched.filter((one) => one === kind).length;
    return kind === 'template' ? counted(count, kind) : `${count} ${kind}`;
  });
  return `${counted(unsearched.length, 'file')} not searched (${kinds.join(', ')}): config_validate {"pattern":"**"} lists them, "text" searches any file`;
}

/** Explains a search that has found nothing in all of its files. */
export function nothing(
  terms: Terms,
  page: SearchPage,
  pattern: string | undefined,
  { searched, of }: Reached,
  context: CallContext,
): readonly string[] {
  if (of === 0) return [noFiles(pattern, context), ...closedNote(pattern, context)];
  if (searched < of) return [`Nothing found so far: ${searched} of ${counted(of, 'file')} searched.`];
  return [
    `Nothing found in ${counted(of, 'file')}.${terms.text === undefined ? ' A pattern matches a whole key, path or value: *part* finds a part.' : ''}`,
    ...nearLines(terms, page),
    ...literalLines(terms),
    ...(/^[<>=!]/.test(terms.value ?? '')
      ? [`For a comparison give it as "where": ${JSON.stringify(terms.value)}.`]
      : []),
    'Only files that are open here were searched: list_capabilities names them, and the operator can open others with --allow.',
  ];
}

function nearLines({ key, value, where }: Terms, { near }: SearchPage): readonly string[] {
  const term = key ?? value;
  if (term === undefined || where !== undefined) return [];
  const [what, other] = key === undefined ? ['value', 'key'] : ['key', 'value'];
  const lines = [
    near.otherPlace > 0
      ? `${counted(near.otherPlace, other)} ${near.otherPlace === 1 ? 'is' : 'are'}: ${repeat(other, term)}`
      : '',
    near.part > 0
      ? `${counted(near.part, what)} ${near.part === 1 ? 'holds' : 'hold'} it: ${repeat(what, `*${term}*`)}`
      : '',
  ];
  return lines.filter((line) => line !== '').map((line) => `No ${what} is ${quoted(term)}, but ${line}`);
}

function repeat(field: string, term: string): string {
  return `config_search ${JSON.stringify({ [field]: term })}`;
}

/** Characters that a regular expression or a shell would read differently. */
const EXPRESSION = /\[[^\]]*\]|\.[*+]|\\[a-zA-Z.]|\||^\^|\$$|\(.*\)/u;

function literalLines(terms: Terms): readonly string[] {
  return (['key', 'value', 'text'] as const).flatMap((field) => {
    const term = terms[field];
    const isPath = field === 'key' && /\[(?:\*|\d+|#\d+|[^\]]*=[^\]]*|"[^"]*")\]/u.test(term ?? '');
    const found = term === undefined || isPath ? undefined : EXPRESSION.exec(term)?.[0];
    if (term === undefined || found === undefined) return [];
    return [
      `${quoted(found)} in ${quoted(field)} stands for itself: only * and ? are wildcards. ${repeat(field, asWildcards(term))} may be meant.`,
    ];
  });
}

/** Answers the nearest pattern with wildcards; of alternatives only the first is used. */
function asWildcards(term: string): string {
  const plain = term
    .replace(/^\^|\$$/gu, '')
    .replaceAll(/\[[^\]]*\][*+]?|\\[dws][*+]?|\.[*+]|\([^)]*\)[*+?]?/gu, '*')
    .replaceAll(/\\(.)/gu, '$1')
    .replaceAll(/\*+/gu, '*');
  const [first = ''] = plain.split('|');
  return first === '' ? '*' : first;
}

/** Explains a pattern that no open file can match, such as one for a closed kind of files. It uses the policy alone. */
function closedNote(pattern: string | undefined, { sandbox }: CallContext): readonly string[] {
  if (pattern === undefined) return [];
  const name = pattern
    .replaceAll(/\{([^{},]*),?[^{}]*\}/gu, '$1')
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

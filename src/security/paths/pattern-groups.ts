// The braces, brackets and stars of a glob. A pattern is refused where brackets or stars would deny less, or allow more, than it says.
import { foldText } from '../text/fold.ts';

const CLASS = /\[[^\]]*\]/gu;
const UNPAIRED = 'its brackets or braces do not pair';

/** Answers why a pattern of the operator does not mean what it seems to mean, or undefined. */
export function misreadGroup(pattern: string): string | undefined {
  if (/[[\]]/u.test(pattern.replaceAll(CLASS, ''))) return UNPAIRED;
  if (/[^/]\*\*|\*\*[^/]/u.test(pattern))
    return "'**' has to stand alone between slashes, as in deploy/**/*.yaml";
  return pattern.match(CLASS)?.some((set) => !isPlainSet(set.slice(1, -1)))
    ? 'brackets hold single characters that have one small letter, and ranges as in [a-z], [A-Z] or [0-9]; never a slash, and [^…] is not supported'
    : undefined;
}

/** True for braces without a comma. */
export function hasSingleChoice(pattern: string): boolean {
  return /\{[^{},]*\}/u.test(pattern.replaceAll(CLASS, ''));
}

/** True for a set that takes in no slash, and that folding changes member by member. */
function isPlainSet(members: string): boolean {
  const rest = members.replaceAll(/[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d/gu, ([from = '', , to = '']) =>
    from <= to ? from : '/',
  );
  const isPlain = (member: string) => member !== '/' && [...foldText(member)].length === 1;
  return /^[^^]/u.test(members) && !/.-./u.test(rest) && [...rest].every(isPlain);
}

const MAX_CHOICES = 1_000;

/** Answers each way to choose from the braces, which may nest; or a text that says why they are misleading. */
export function expandBraces(pattern: string, most = MAX_CHOICES): readonly string[] | string {
  const pieces = pattern.match(/\[[^\]]*\]|\.\.|[\s\S]/gu) ?? [];
  let at = 0;
  const problems: string[] = [];
  const choices = sequences(false);
  return problems[0] ?? choices;

  function sequences(isGroup: boolean): string[] {
    const chosen: string[] = [];
    let texts = [''];
    while (at < pieces.length) {
      const piece = pieces[at++] ?? '';
      if (piece === '{') {
        const inner = sequences(true);
        if (texts.length * inner.length > most) problems.push(`its braces make more than ${most} choices`);
        else texts = texts.flatMap((text) => inner.map((choice) => text + choice));
      } else if (isGroup && piece === ',') {
        chosen.push(...texts);
        texts = [''];
      } else if (piece === '}') {
        if (!isGroup) problems.push(UNPAIRED);
        return [...chosen, ...texts];
      } else {
        if (isGroup && piece === '..')
          problems.push('a range in braces is not supported; name each choice, as in {1,2,3}');
        texts = texts.map((text) => text + piece);
      }
    }
    if (isGroup) problems.push(UNPAIRED);
    return [...chosen, ...texts];
  }
}

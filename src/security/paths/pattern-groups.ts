// Expands the braces of an operator's glob, because a `**` in them means less to picomatch than to people. A pattern is refused
// where brackets or stars would deny less, or allow more, than it says: [^a] also matches a slash, and a**b matches no more
// than a*b.

const CLASS = /\[[^\]]*\]/gu;
const UNPAIRED = 'its brackets or braces do not pair';

/** Returns why a pattern does not mean what it seems to mean, or undefined. */
export function misreadGroup(pattern: string): string | undefined {
  if (/[[\]]/u.test(pattern.replaceAll(CLASS, ''))) return UNPAIRED;
  return misreadStars(pattern) ?? misreadBrackets(pattern);
}

function misreadStars(pattern: string): string | undefined {
  return /[^/]\*\*|\*\*[^/]/u.test(pattern)
    ? "'**' has to stand alone between slashes, as in deploy/**/*.yaml"
    : undefined;
}

function misreadBrackets(pattern: string): string | undefined {
  return pattern.match(CLASS)?.some(takesSlash)
    ? 'brackets hold what may stand there, and never a slash; neither [^…] nor a range across it is supported'
    : undefined;
}

/** True if a set can match a slash; also where it is no valid set (a reversed range), or holds a character that picomatch counts as two. */
function takesSlash(set: string): boolean {
  try {
    return new RegExp(set).test('/') || /[\u{10000}-\u{10FFFF}]/u.test(set);
  } catch {
    return true;
  }
}

const MAX_CHOICES = 1_000;

/** Returns each way to choose from the braces, which may nest; or a text that says why they are misleading. */
export function expandBraces(pattern: string): readonly string[] | string {
  const pieces = pattern.match(/\[[^\]]*\]|\.\.|[\s\S]/gu) ?? [];
  let at = 0;
  const problems: string[] = [];
  const choices = sequences(false);
  return problems[0] ?? choices;

  function sequences(isGroup: boolean): string[] {
    const chosen: string[] = [];
    let texts = [''];
    let hasComma = false;
    while (at < pieces.length) {
      const piece = pieces[at++] ?? '';
      if (piece === '{') {
        const inner = sequences(true);
        if (texts.length * inner.length > MAX_CHOICES)
          problems.push(`its braces make more than ${MAX_CHOICES} choices`);
        else texts = texts.flatMap((text) => inner.map((choice) => text + choice));
      } else if (isGroup && piece === ',') {
        hasComma = true;
        chosen.push(...texts);
        texts = [''];
      } else if (piece === '}') {
        if (!isGroup) problems.push(UNPAIRED);
        else if (!hasComma)
          problems.push('braces around a single choice are part of the name; leave them out');
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

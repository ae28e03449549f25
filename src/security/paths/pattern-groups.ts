// What stands in the brackets, braces and stars of an operator's glob where picomatch reads something else than people
// do: {1..10} is [1-10] to it, {a} a name with braces, [^a] a slash as well, and a**b no more than a*b. A pattern that
// would then deny less, or allow more, than it says is named, so that it stops the start.

/** Why a pattern does not mean what it seems to, or undefined. */
export function misreadGroup(pattern: string): string | undefined {
  return misreadStars(pattern) ?? misreadBraces(pattern) ?? misreadBrackets(pattern);
}

function misreadStars(pattern: string): string | undefined {
  return /[^/{},]\*\*|\*\*[^/{},]/u.test(pattern)
    ? "'**' has to stand alone between slashes, as in deploy/**/*.yaml"
    : undefined;
}

function misreadBraces(pattern: string): string | undefined {
  // Of each group that is open, whether it has offered a choice yet.
  const open: boolean[] = [];
  for (const [piece] of pattern.matchAll(/\[[^\]]*\]|\.\.|[{},]/gu)) {
    if (piece === '{') open.push(false);
    if (piece === ',') open.splice(-1, 1, true);
    if (piece === '..' && open.length > 0)
      return 'a range in braces is not supported; name each choice, as in {1,2,3}';
    if (piece !== '}') continue;
    const isChoice = open.pop();
    if (isChoice === undefined) return 'its brackets or braces do not pair';
    if (!isChoice) return 'braces around a single choice are part of the name; leave them out';
  }
  return undefined;
}

function misreadBrackets(pattern: string): string | undefined {
  const classes = [...pattern.matchAll(/\[[^\]]*\]/gu)];
  return classes.some(([set]) => takesSlash(set))
    ? 'brackets hold what may stand there, and never a slash; neither [^…] nor a range across it is supported'
    : undefined;
}

/** Or nothing at all: a range from behind to front, and what counts as two characters to picomatch. */
function takesSlash(set: string): boolean {
  try {
    return new RegExp(set).test('/') || /[\u{10000}-\u{10FFFF}]/u.test(set);
  } catch {
    return true;
  }
}

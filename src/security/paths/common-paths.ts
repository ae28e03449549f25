// Finds examples of paths that two globs both match. It tries `**` once with no folder and once with one, and is used at the
// start to say that two patterns have nothing in common.

const ANY_NAME = 'zq';
const ANY_LETTERS = [...'zqaAeE019_-. '];

export function commonPaths(one: string, other: string): readonly (readonly string[])[] {
  return [...common(partsOf(one), partsOf(other))].filter((path) => path.length > 0);
}

function* common(a: readonly string[], b: readonly string[]): Generator<readonly string[]> {
  const [first, ...restOfA] = a;
  const [second, ...restOfB] = b;
  if (first === undefined || second === undefined) {
    if (a.every(isMany) && b.every(isMany)) yield [];
    return;
  }
  if (first === '**' || second === '**') {
    const [many, fixed, restOfMany, restOfFixed] =
      first === '**' ? [a, second, restOfA, restOfB] : [b, first, restOfB, restOfA];
    const whole = first === '**' ? b : a;
    yield* common(restOfMany, whole);
    if (fixed === '**') {
      // At the end `**` also matches files.
      if (restOfMany.length === 0 && restOfFixed.length === 0) yield [ANY_NAME];
      else yield* common(many, restOfFixed);
      return;
    }
    const name = nameFor('*', fixed);
    if (name !== undefined) for (const below of common(many, restOfFixed)) yield [name, ...below];
    return;
  }
  const name = nameFor(first, second);
  if (name === undefined) return;
  for (const below of common(restOfA, restOfB)) yield [name, ...below];
}

/** Splits a pattern; several `**` in a row mean the same as one. */
function partsOf(pattern: string): readonly string[] {
  return pattern.split('/').filter((part, index, all) => !isMany(part) || all[index - 1] !== part);
}

function isMany(part: string): boolean {
  return part === '**';
}

/** Answers a name that both patterns match, or undefined. */
function nameFor(a: string, b: string): string | undefined {
  const name = textFor(piecesOf(a), piecesOf(b));
  return name === '' ? ANY_NAME : name;
}

function piecesOf(text: string): readonly string[] {
  return text.replaceAll(/\*+/g, '*').match(/\[[^\]]*\]|[\s\S]/gu) ?? [];
}

function textFor(a: readonly string[], b: readonly string[]): string | undefined {
  const failed = new Set<string>();
  return find(0, 0);

  function find(i: number, j: number): string | undefined {
    const [p, q] = [a[i], b[j]];
    if (p === undefined && q === undefined) return '';
    const place = `${i} ${j}`;
    if (failed.has(place)) return undefined;
    failed.add(place);
    if (p === '*' && q === '*') {
      const rest = find(i + 1, j) ?? find(i, j + 1);
      // The example must not begin with a dot, since few wildcards match such a name.
      return rest === undefined ? undefined : `${ANY_NAME}${rest}`;
    }
    if (p === '*') {
      const none = find(i + 1, j);
      if (none !== undefined) return none;
      const letter = q === undefined ? undefined : letterFor(q, '?');
      const rest = letter === undefined ? undefined : find(i, j + 1);
      return rest === undefined ? undefined : `${letter}${rest}`;
    }
    if (q === '*') {
      const none = find(i, j + 1);
      if (none !== undefined) return none;
      const letter = p === undefined ? undefined : letterFor(p, '?');
      const rest = letter === undefined ? undefined : find(i + 1, j);
      return rest === undefined ? undefined : `${letter}${rest}`;
    }
    const letter = p === undefined || q === undefined ? undefined : letterFor(p, q);
    const rest = letter === undefined ? undefined : find(i + 1, j + 1);
    return rest === undefined ? undefined : `${letter}${rest}`;
  }
}

function letterFor(p: string, q: string): string | undefined {
  const named = [p, q].flatMap((piece) =>
    piece.length === 1 && piece !== '?' ? [piece] : [...piece.replace(/^\[|\]$/g, '')],
  );
  return [...named, ...ANY_LETTERS].find((letter) => isLetterOf(p, letter) && isLetterOf(q, letter));
}

function isLetterOf(piece: string, letter: string): boolean {
  if (piece === '?') return true;
  return piece.startsWith('[') && piece.length > 1
    ? new RegExp(`^${piece}$`, 'u').test(letter)
    : piece === letter;
}

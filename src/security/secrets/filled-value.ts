// What people have filled in is masked where they filled it in, whatever its key says, and in other items and documents at
// the same path. It is not looked for elsewhere: whoever writes a guess there would be told whether it is right. For the
// same reason nobody but a person writes another value in its place.
import { Refusal } from '../errors/refusal.ts';
import { holdsPlaceholder } from '../text/placeholders.ts';
import type { FoundSecret } from './found-secret.ts';
import { isNoSecret, isStandIn } from './secret-values.ts';

export interface FilledValue {
  readonly file: string;
  readonly doc: number;
  readonly path: string;
  /** As readers of the file understand it. */
  readonly text: string;
}

/** A scalar of a file, where a value was filled in once. */
export interface ScalarThere {
  readonly path: string;
  readonly value: string;
}

/** Of a file in which people have filled in values: whether one stands at this path, and whether it is this one. */
export interface FilledPlaces {
  has(path: string): boolean;
  isFilled(path: string, value: string): boolean;
  /** Whether one of them looks like what is no secret: a reference, a path, a version. */
  readonly isLikeReference: boolean;
}

/** `values`: those of the file. Undefined where there are none. */
export function filledPlaces(values: readonly FilledValue[]): FilledPlaces | undefined {
  if (values.length === 0) return undefined;
  const places = new Set(values.map(({ path }) => anyItem(path)));
  const texts = new Set(values.map(({ path, text }) => JSON.stringify([anyItem(path), text])));
  return {
    has: (path) => places.has(anyItem(path)),
    isFilled: (path, value) => texts.has(JSON.stringify([anyItem(path), value])),
    isLikeReference: values.some(({ text }) => isNoSecret(text)),
  };
}

function anyItem(path: string): string {
  return path.replaceAll(/\[\d+\]/gu, '[*]');
}

/** What stands in those places before an edit and after it. Throws POLICY_DENIED for a value that was not there. */
export function requireNoneWritten(
  before: readonly ScalarThere[],
  after: readonly ScalarThere[],
  file: string,
  { isLikeReference }: Pick<FilledPlaces, 'isLikeReference'>,
): void {
  const known = new Set(before.map(({ value }) => value));
  // References are refused where one may be the value, or it could be guessed by what is not.
  const isHarmless = (value: string) =>
    value === '' || isStandIn(value) || holdsPlaceholder(value) || (isNoSecret(value) && !isLikeReference);
  for (const { path, value } of after) if (!known.has(value) && !isHarmless(value)) throw refused(file, path);
}

/** Of a file whose places cannot be told: each letter of an edit may belong to one, or be a guess of one. */
export function placesUnknown(file: string): Refusal {
  return new Refusal(
    'POLICY_DENIED',
    'Cannot edit this file: a person has filled in a value, and nobody can tell where, for the file cannot be read',
    { file },
    { advice: ['Ask a person to mend the file'] },
  );
}

function refused(file: string, path: string): Refusal {
  return new Refusal(
    'POLICY_DENIED',
    'Cannot make this edit: a person has filled in a value here, and only a person may say another one',
    { file, path },
    { advice: ['Set it to CHANGEME, and ask a person to enter it: config-airlock fill PREVIEW_ID PATH'] },
  );
}

const LEAST_CHARACTERS = 4;

/** Where they stand in a text without a structure: as they are, and as quotes would spell them. */
export function findFilled(text: string, values: readonly FilledValue[]): readonly FoundSecret[] {
  const lines = values.flatMap((value) => value.text.split('\n')).map((line) => line.trim());
  const spellings = lines.flatMap((line) => [
    line,
    JSON.stringify(line).slice(1, -1),
    line.replaceAll("'", "''"),
  ]);
  return [...new Set(spellings)].flatMap((spelling) => {
    const found: FoundSecret[] = [];
    if (spelling.length < LEAST_CHARACTERS) return found;
    for (let at = text.indexOf(spelling); at !== -1; at = text.indexOf(spelling, at + spelling.length))
      found.push({ from: at, start: at, end: at + spelling.length });
    return found;
  });
}

// Compares spellings that some reader or person takes for one key or value: `0x50`, `0120` and `80` may be one number, `on` and
// `true` one boolean. This is used only to make an answer stricter.

import type { DataPath, PathWord } from '../node-paths/node-path.ts';
import { foldText } from '../text/look-alikes.ts';
import type { DocumentData } from './facts.ts';

export function isAlike(a: string, b: string): boolean {
  const [one, other] = [foldText(a).trim(), foldText(b).trim()];
  if (one === other) return true;
  const numbers = numbersIn(one);
  if (numbers.length > 0 && numbersIn(other).some((number) => numbers.includes(number))) return true;
  return WORDS.some((words) => words.includes(one) && words.includes(other));
}

const WORDS: readonly (readonly string[])[] = [
  ['true', 'yes', 'on', 'y'],
  ['false', 'no', 'off', 'n'],
  ['null', '~', ''],
];

const BASE_60 = /^\d+(?::[0-5]?\d)+$/u;

/** Returns the numbers that different readers see in a text: some read digits after a zero as octal. */
function numbersIn(text: string): readonly number[] {
  if (!/^[-+]?\.?\d/u.test(text)) return [];
  const [, sign, digits = ''] = /^([-+]?)(.*)$/su.exec(text.replaceAll('_', '')) ?? [];
  const found = [
    Number(digits),
    /^0[0-7]+$/u.test(digits) ? Number.parseInt(digits, 8) : Number.NaN,
    BASE_60.test(digits) ? digits.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) : Number.NaN,
  ].filter((number) => !Number.isNaN(number));
  return sign === '-' ? found.map((number) => 0 - number) : found;
}

/** Resolves a path of keys and indexes of a rule. Digits are an index where the parent is a list with that item. */
export function fieldIn(steps: readonly PathWord[], side: DocumentData): DataPath {
  const path: (string | number)[] = [];
  for (const step of steps) path.push(partOf(step, path, side));
  return path;
}

/** Returns the paths of the same field with its keys in each spelling that the document has. */
export function alikeFields(
  steps: readonly PathWord[],
  side: DocumentData,
  above: DataPath = [],
): readonly DataPath[] {
  return steps.reduce<readonly DataPath[]>(
    (paths, step) =>
      paths.flatMap((path) => {
        const part = partOf(step, path, side);
        if (typeof part === 'number') return [[...path, part]];
        return side.keysAt(path).flatMap((key) => (isAlike(key, part) ? [[...path, key]] : []));
      }),
    [above],
  );
}

export function textOfStep(step: PathWord): string {
  return step.kind === 'key' ? step.key : step.kind === 'index' ? `${step.index}` : '';
}

function partOf(step: PathWord, above: DataPath, side: DocumentData): string | number {
  if (step.kind === 'index') return step.index;
  const index = step.kind === 'key' ? step.index : undefined;
  return index !== undefined && side.at([...above, index]) !== 'none' ? index : textOfStep(step);
}

// Finds the fields that a rule names, in the spelling of the rule and in each other spelling that a document has.

import type { DataPath } from '../node-paths/node-path.ts';
import type { PathWord } from '../node-paths/path-pattern.ts';
import { isAlike } from './alike.ts';
import type { DocumentData } from './facts.ts';

/** Resolves a path of keys and indexes. Digits are an index where the parent is a list with that item. */
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

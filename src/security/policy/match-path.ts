// Matches the paths of rules with paths of the data. A rule holds for the node that it names and for all below it. The time is
// bounded by steps × length of the path.

import type { DataPath, PathWord } from '../node-paths/node-path.ts';
import { holdsPlaceholder } from '../text/placeholders.ts';
import { alikeFields, isAlike } from './alike.ts';
import type { DocumentData, DocumentVersions, Found, LeafChange } from './facts.ts';

/**
 * `depth` is the number of path parts that lead to the named node. `isLoose` marks an uncertain match, which can only make a
 * judgement stricter. `isValueKnown` says whether the values at the node can be used by the constraint.
 */
export interface PathMatch {
  readonly depth: number;
  readonly isLoose: boolean;
  readonly isValueKnown: boolean;
}

export function matchPath(
  steps: readonly PathWord[],
  change: LeafChange,
  versions: DocumentVersions,
): readonly PathMatch[] {
  const matcher = new PathMatcher(steps, change, versions);
  matcher.visit(0, 0, false);
  return matcher.found;
}

class PathMatcher {
  readonly found: PathMatch[] = [];
  readonly #steps: readonly PathWord[];
  readonly #path: DataPath;
  readonly #change: LeafChange;
  readonly #versions: DocumentVersions;
  readonly #visited = new Set<string>();

  constructor(steps: readonly PathWord[], change: LeafChange, versions: DocumentVersions) {
    this.#steps = steps;
    this.#path = change.path;
    this.#change = change;
    this.#versions = versions;
  }

  /** Goes on from the place where the first `step` words name the first `depth` parts of the path. */
  visit(step: number, depth: number, isLoose: boolean): void {
    const place = `${step} ${depth} ${isLoose}`;
    if (this.#visited.has(place)) return;
    this.#visited.add(place);
    const word = this.#steps[step];
    if (word === undefined) {
      const isVague = this.#change.isVague === true;
      this.found.push({ depth, isLoose: isLoose || isVague, isValueKnown: !isVague });
      return;
    }
    if (word.kind === 'deep') {
      // As the last word, `**` names each leaf only, and not every node above it.
      if (step + 1 === this.#steps.length) this.visit(step + 1, this.#path.length, isLoose);
      else for (let at = depth; at <= this.#path.length; at++) this.visit(step + 1, at, isLoose);
      return;
    }
    const part = this.#path[depth];
    if (part === undefined) {
      if (this.#change.isVague === true || this.#change.isOpen === true) this.#perhaps(depth);
      return;
    }
    this.#enter(word, part, step, depth, isLoose);
  }

  #enter(
    word: Exclude<PathWord, { kind: 'deep' }>,
    part: string | number,
    step: number,
    depth: number,
    isLoose: boolean,
  ): void {
    switch (word.kind) {
      case 'every':
        if (!word.isItem || typeof part === 'number') this.visit(step + 1, depth + 1, isLoose);
        return;
      case 'key':
        if (typeof part === 'string') this.#enterKey(word.key, part, step, depth, isLoose);
        else if (word.index !== undefined) this.#enterIndex(word.index, part, step, depth, isLoose);
        if (typeof part === 'string' && word.isBare === true) {
          this.#enterDotted(part, step, depth, '');
          if (word.hasDot === true) this.#enterDotted(part, step, depth, '.');
        }
        return;
      case 'index':
        if (typeof part === 'number') this.#enterIndex(word.index, part, step, depth, isLoose);
        return;
      case 'items':
        if (typeof part === 'number') this.#enterItem(word, step, depth, isLoose);
    }
  }

  #enterKey(key: string, part: string, step: number, depth: number, isLoose: boolean): void {
    if (key === part) this.visit(step + 1, depth + 1, isLoose);
    else if (isAlike(key, part)) this.visit(step + 1, depth + 1, true);
  }

  /**
   * Matches several bare words with one key: `annotations.app.io/name` without quotes may mean the key `app.io/name`. So may a
   * leading dot, which is `start`, be a part of the key.
   */
  #enterDotted(part: string, step: number, depth: number, start: '' | '.'): void {
    let [joined, next]: [string, number] = [start, step];
    for (; joined.length < part.length; next++) {
      const word = this.#steps[next];
      if (word?.kind !== 'key' || word.isBare !== true) return;
      joined += `${next === step ? '' : '.'}${word.key}`;
    }
    if ((next > step + 1 || start !== '') && joined === part) this.visit(next, depth + 1, true);
  }

  #enterIndex(index: number, part: number, step: number, depth: number, isLoose: boolean): void {
    const isShifting = this.#change.shifting?.includes(depth) === true;
    const list = this.#path.slice(0, depth);
    const lengths = [this.#versions.before, this.#versions.after].flatMap(
      (side) => side?.lengthAt(list) ?? [],
    );
    const isMeant = index < 0 ? lengths.some((length) => part === index + length) : part === index;
    if (isMeant) this.visit(step + 1, depth + 1, isLoose);
    // An item that comes or goes before this one moves another item to the place that the rule names.
    const isUnknown = index < 0 && lengths.length === 0;
    if (isUnknown || (isShifting && (index < 0 || part <= index))) this.#perhaps(depth);
  }

  /** Matches an item by its field, before or after the change, because the change may rename it. */
  #enterItem(
    { field, value }: Extract<PathWord, { kind: 'items' }>,
    step: number,
    depth: number,
    isLoose: boolean,
  ): void {
    const item = this.#path.slice(0, depth + 1);
    const versions = [this.#versions.before, this.#versions.after];
    const exact = versions.map(
      (side) => textOf(unlessMasked(side?.at([...item, ...field]) ?? 'none')) === value,
    );
    const alike = versions.map((side) => side !== undefined && isPerhaps(side, item, field, value));
    if (exact.includes(true)) this.visit(step + 1, depth + 1, isLoose);
    else if (alike.includes(true)) this.visit(step + 1, depth + 1, true);
    // An item whose name changes comes under the rule, or leaves it, with everything in it.
    const rest = this.#path.slice(depth + 1);
    const isField = field.every((key, at) => rest[at] === undefined || isAlike(key, `${rest[at]}`));
    const isInBoth = versions.every((side) => (side?.at(item) ?? 'none') !== 'none');
    const isCrossing = [exact, alike].some(([before, after]) => before !== after);
    if (isCrossing && isField && isInBoth) this.#perhaps(depth + 1);
  }

  #perhaps(depth: number): void {
    this.found.push({ depth, isLoose: true, isValueKnown: false });
  }
}

/** True if some reader may find this text in the field, whatever the spelling of the field's keys. */
function isPerhaps(side: DocumentData, item: DataPath, field: readonly string[], value: string): boolean {
  const steps = field.map((key) => ({ kind: 'key', key, isBare: false }) as const);
  return [[...item, ...field], ...alikeFields(steps, side, item)].some((path) => {
    const found = unlessMasked(side.at(path));
    const text = textOf(found);
    return found === 'unclear' || (text !== undefined && isAlike(text, value));
  });
}

/** Returns `unclear` for a value with a placeholder, because the masked value is unknown here. */
export function unlessMasked(found: Found): Found {
  return typeof found === 'object' && holdsPlaceholder(found.value) ? 'unclear' : found;
}

/** The text of a scalar; undefined for anything else. */
export function textOf(found: Found): string | undefined {
  if (typeof found !== 'object' || (typeof found.value === 'object' && found.value !== null))
    return undefined;
  return String(found.value);
}

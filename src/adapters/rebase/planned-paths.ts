// The paths of many changes as one tree, so that a change finds out whether it meets any of them in the time
// that its own path takes.

import type { Change } from '../../security/index.ts';
import { type NodePath, parseNodePath, type Segment } from '../tree/node-path.ts';

/** What a change is about. An item that comes or goes moves all behind it; a rename is about its mapping. */
export class ChangeScope {
  readonly path: NodePath;
  readonly isShift: boolean;

  constructor({ op, path: text }: Change) {
    const path = parseNodePath(text);
    this.isShift = path.at(-1)?.kind === 'index' && (op === 'add' || op === 'remove');
    this.path = this.isShift || op === 'rename' ? path.slice(0, -1) : path;
  }
}

/** Whether the item there has a name of its own, by which it is the same in both versions of the file. */
export type IsNamedItem = (path: NodePath) => boolean;

export class PlannedPaths {
  readonly #root = new PathNode([]);
  readonly #isNamedItem: IsNamedItem;

  constructor(isNamedItem: IsNamedItem) {
    this.#isNamedItem = isNamedItem;
  }

  add(scope: ChangeScope): void {
    this.#root.add(scope);
  }

  /** Whether one of them is at, above or below it, or both are in what may be another item than it was. */
  meet({ path, isShift }: ChangeScope): boolean {
    let place = this.#root;
    for (const [depth, segment] of path.entries()) {
      if (place.hasOther) return true;
      const next = path.slice(0, depth + 1);
      if (place.hasShift && (isShift || !this.#isBeside(next))) return true;
      const below = place.below(segment);
      if (below === undefined) return false;
      if (segment.kind === 'index' && !this.#isNamedItem(next)) return true;
      place = below;
    }
    return place.hasOther || place.hasShift || this.#meetBelow(place, isShift);
  }

  #meetBelow(place: PathNode, isShift: boolean): boolean {
    if (!isShift) return place.parts.length > 0;
    place.meetsShift ??= place.parts.some((part) => part.holdsShift || !this.#isBeside(part.path));
    return place.meetsShift;
  }

  /** An item that comes or goes is beside those that are known by name. */
  #isBeside(path: NodePath): boolean {
    return path.at(-1)?.kind === 'index' && this.#isNamedItem(path);
  }
}

/** Of a path, or of the first steps of some. */
class PathNode {
  readonly path: NodePath;
  /** Whether one ends here that is a shift of items, and one that is none. */
  hasShift = false;
  hasOther = false;
  /** Whether one that is a shift ends here or below. */
  holdsShift = false;
  /** Whether a shift of the items here meets one below; undefined until somebody asks. */
  meetsShift: boolean | undefined;
  readonly #below = new Map<string, PathNode>();

  constructor(path: NodePath) {
    this.path = path;
  }

  get parts(): readonly PathNode[] {
    return [...this.#below.values()];
  }

  below(segment: Segment): PathNode | undefined {
    return this.#below.get(nameOf(segment));
  }

  add({ path, isShift }: ChangeScope): void {
    let place: PathNode = this;
    for (const segment of path) {
      place.holdsShift ||= isShift;
      place = place.#part(segment);
    }
    place.holdsShift ||= isShift;
    if (isShift) place.hasShift = true;
    else place.hasOther = true;
  }

  #part(segment: Segment): PathNode {
    const name = nameOf(segment);
    const part = this.#below.get(name) ?? new PathNode([...this.path, segment]);
    this.#below.set(name, part);
    return part;
  }
}

/** A printed path has keys and indexes only. */
function nameOf(segment: Segment): string {
  return segment.kind === 'index' ? `index ${segment.index}` : `key ${segment.key}`;
}

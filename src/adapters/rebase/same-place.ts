// Whether two changes meet: one to be made, one that somebody else has made since. A path is only as good as
// what it leads through: `items[2]` may be another item than it was, and `doc` 1 another document.
import type { Change } from '../../security/index.ts';
import type { NodePath } from '../tree/node-path.ts';
import type { Stream } from '../tree/span-tree.ts';
import { ItemNames } from './item-names.ts';
import { ChangeScope, PlannedPaths } from './planned-paths.ts';

/** Two versions of a file with the same number of documents, and all that differs between them. */
export class Versions {
  readonly #old: ItemNames;
  readonly #now: ItemNames;
  /** The documents in which anything differs. */
  readonly #changed: ReadonlySet<number>;

  constructor(old: Stream, now: Stream, changes: readonly Change[]) {
    this.#old = new ItemNames(old);
    this.#now = new ItemNames(now);
    this.#changed = new Set(changes.map(({ doc }) => doc));
  }

  /** Whether one is at, above or below the other, or both are in what may be another item or document than it was. */
  meet(one: Change, other: Change): boolean {
    return this.meeting([one], [other]).length > 0;
  }

  /** Those of `changes` that meet any of `planned`. Linear in both. */
  meeting(changes: readonly Change[], planned: readonly Change[]): readonly Change[] {
    const byDocument = new Map<number, PlannedPaths>();
    for (const plan of planned) {
      const { doc } = plan;
      const paths = byDocument.get(doc) ?? new PlannedPaths((path) => this.#isNamedItem(doc, path));
      paths.add(new ChangeScope(plan));
      byDocument.set(doc, paths);
    }
    return changes.filter((change) => {
      const paths = byDocument.get(change.doc);
      if (paths === undefined) return false;
      return !this.#isSameDocument(change.doc) || paths.meet(new ChangeScope(change));
    });
  }

  /** Whether the item at this index has the same name in both versions, and no other item of its list has it. */
  #isNamedItem(doc: number, path: NodePath): boolean {
    const name = this.#old.ofItem(doc, path);
    return name !== undefined && name === this.#now.ofItem(doc, path);
  }

  /** By what it is called; one that is not called anything is the same where it alone has changed. */
  #isSameDocument(doc: number): boolean {
    const name = this.#old.ofDocument(doc);
    if (name !== this.#now.ofDocument(doc)) return false;
    const changedElsewhere = this.#changed.size - (this.#changed.has(doc) ? 1 : 0);
    return name !== undefined || changedElsewhere === 0;
  }
}

// How much an edit changes, counted by one rule wherever it is shown: each path whose data changes counts once,
// comments and layout do not.
import type { Change } from '../../security/index.ts';
import { counted } from '../tree/counted.ts';

/** Without the changes of comments. */
export function dataChanges(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ op }) => op !== 'comment');
}

/** `paths`: of data. `2 paths`, or what else an edit without any changes. */
export function countedPaths(paths: number): string {
  return paths === 0 ? 'comments or layout only' : counted(paths, 'path');
}

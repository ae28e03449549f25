// Finds the run of actions below a key or a dash that writes its value, where it has no other one.
import { depthOf, saidDepth } from '../../tree/actions.ts';
import type { Head, Line } from './template-lines.ts';
import { isEmptyBetween } from './wide-lines.ts';

/** Returns the index of its last line; undefined if no run below the line `index` writes anything. Empty brackets in a branch belong to it. */
export function lastOfRun(
  text: string,
  lines: readonly Line[],
  index: number,
  head: Head,
): number | undefined {
  const least = leastDepth(text, lines, index, head);
  let depth = 0;
  let isWriting = false;
  let last: number | undefined;
  for (let i = index + 1; i < lines.length; i++) {
    const line = lines[i];
    if (line?.kind === 'blank' || isEmptyBetween(lines, i)) continue;
    if (line?.kind !== 'actions') break;
    for (const action of line.actions) {
      if (action.kind === 'open') depth += 1;
      if (action.kind === 'end' || action.kind === 'middle') depth -= 1;
      if (depth < 0) break;
      if (action.kind === 'middle') depth += 1;
      if (action.kind === 'output' && depthOf(text, action) < least) depth = -1;
      if (depth < 0) break;
      if (action.kind === 'output') isWriting = true;
    }
    if (depth < 0) break;
    if (depth === 0 && isWriting && line.actions.some(({ kind }) => kind === 'output' || kind === 'end')) {
      last = i;
      isWriting = false;
      if (least === head.column) break;
    }
  }
  return last;
}

/**
 * Returns the least depth at which actions write the value of the head: deeper than it, or in the column of its key where the
 * first action writes there, as a list may be.
 */
function leastDepth(text: string, lines: readonly Line[], index: number, { column, isKey }: Head): number {
  for (let i = index + 1; isKey && lines[i] !== undefined; i++) {
    const line = lines[i];
    if (line === undefined || line.kind === 'content' || line.kind === 'comment') break;
    const first = line.actions.find(({ kind }) => kind === 'output');
    if (first === undefined) continue;
    return saidDepth(text, first) === column ? column : column + 1;
  }
  return column + 1;
}

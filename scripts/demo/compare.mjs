// The demo's own eyes: it compares files itself and takes no word of the server for it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const CONTEXT = 3;

/**
 * A unified diff with one hunk, from the first to the last line that differs.
 * @param {string} before
 * @param {string} after
 * @param {string} name
 */
export function compare(before, after, name) {
  const old = before.split('\n');
  const now = after.split('\n');
  let head = 0;
  while (head < old.length && head < now.length && old[head] === now[head]) head += 1;
  let tail = 0;
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail += 1;
  const removed = old.slice(head, old.length - tail);
  const added = now.slice(head, now.length - tail);
  const from = Math.max(0, head - CONTEXT);
  const lead = old.slice(from, head);
  const trail = old.slice(old.length - tail, old.length - tail + CONTEXT);
  const span = (/** @type {string[]} */ lines) => `${from + 1},${lead.length + lines.length + trail.length}`;
  const text = [
    `--- before/${name}`,
    `+++ after/${name}`,
    `@@ -${span(removed)} +${span(added)} @@`,
    ...lead.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...trail.map((line) => ` ${line}`),
  ].join('\n');
  return { text, removed: removed.length, added: added.length, lines: old.length - 1 };
}

/**
 * Every regular file below a folder, by its relative path. Links are not followed.
 * @param {string} folder
 * @returns {Map<string, string>}
 */
export function photograph(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = files.map((entry) => join(entry.parentPath, entry.name)).sort();
  return new Map(
    paths.map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'latin1')]),
  );
}

// Applies a unified diff as `patch` would without fuzz: for tests that do not trust what made the diff.

/**
 * Throws where a context or removed line is not exactly what stands in `before`. What a reply shows as <U+XXXX> is taken for the
 * character itself.
 */
export function applyDiff(before: string, diff: string): string {
  if (diff === '') return before;
  const old = linesOf(before);
  const rows = linesOf(
    diff.replaceAll(/<U\+([0-9A-F]{4,6})>/gu, (_, code) => String.fromCodePoint(Number.parseInt(code, 16))),
  );
  if (!/^--- a\//.test(rows[0] ?? '') || !/^\+\+\+ b\//.test(rows[1] ?? ''))
    throw new Error('no file header');
  const result: string[] = [];
  let at = 0;
  let i = 2;
  while (i < rows.length) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n$/.exec(rows[i] ?? '');
    if (header === null) throw new Error(`no hunk header: ${rows[i]}`);
    const [oldStart, oldCount, newStart, newCount] = [1, 2, 3, 4].map((n) => Number(header[n] ?? 1));
    if (oldStart === undefined || oldCount === undefined || newCount === undefined)
      throw new Error('unreachable');
    const from = oldCount === 0 ? oldStart : oldStart - 1;
    while (at < from) result.push(old[at++] ?? '');
    if (newStart !== result.length + (newCount === 0 ? 0 : 1)) throw new Error(`wrong new start ${newStart}`);
    const counts = { old: 0, new: 0 };
    for (i += 1; i < rows.length && !rows[i]?.startsWith('@@'); i++) {
      const row = rows[i] ?? '';
      const isCut = rows[i + 1]?.startsWith('\\ ') ?? false;
      const line = isCut ? row.slice(1, -1) : row.slice(1);
      if (isCut) i += 1;
      if (row[0] !== '+') {
        if (old[at] !== line)
          throw new Error(`line ${at + 1} is ${JSON.stringify(old[at])}, not ${JSON.stringify(line)}`);
        at += 1;
        counts.old += 1;
      }
      if (row[0] !== '-') {
        result.push(line);
        counts.new += 1;
      }
    }
    if (counts.old !== oldCount || counts.new !== newCount) throw new Error('wrong line counts');
  }
  return [...result, ...old.slice(at)].join('');
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

// The diff of a file, for `policy check`, without a Git.
import { createHash } from 'node:crypto';

/** As Git writes it, with every line of both. */
export function diffOf(
  name: string,
  old: string | undefined,
  next: string | undefined,
  mode = '100644',
): string {
  const id = (text: string | undefined) =>
    text === undefined
      ? '0'.repeat(40)
      : createHash('sha1')
          .update(`blob ${Buffer.byteLength(text)}\0${text}`)
          .digest('hex');
  const lines = (sign: string, text = '') =>
    (text.match(/[^\n]*\n|[^\n]+$/g) ?? []).map(
      (row) => `${sign}${row}${row.endsWith('\n') ? '' : '\n\\ No newline at end of file\n'}`,
    );
  const [gone, come] = [lines('-', old), lines('+', next)];
  const what =
    old === undefined ? `new file mode ${mode}\n` : next === undefined ? `deleted file mode ${mode}\n` : '';
  const head = `diff --git a/${name} b/${name}\n${what}index ${id(old)}..${id(next)}${what === '' ? ` ${mode}` : ''}\n`;
  return `${head}--- x\n+++ x\n@@ -1,${gone.length} +1,${come.length} @@\n${gone.join('')}${come.join('')}`;
}

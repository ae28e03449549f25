// A diff as a table: line numbers, a sign, the text. What colour says, the sign and the words say too.
import { type DiffRow, diffRows, type Piece } from '../diff-rows.ts';
import { type Html, html } from '../html.ts';
import { shown } from '../shown-text.ts';

/** `label`: what it is a diff of. */
export function diffView(diff: string, label: string): Html {
  const rows = diffRows(diff);
  // Plain, and whole.
  if (rows === undefined) return html`<pre class="diff code">${shown(diff)}</pre>`;
  return html`<div class="diff"><table>
<caption class="aside">The lines of ${shown(label)} that change</caption>
<colgroup><col class="number"><col class="number"><col class="sign"><col></colgroup>
<tbody>${rows.map(rowView)}</tbody></table></div>`;
}

function rowView(row: DiffRow): Html {
  switch (row.kind) {
    case 'hunk':
      return html`<tr class="hunk"><td colspan="4"><code>${row.text}</code></td></tr>`;
    case 'end':
      return html`<tr class="end"><td colspan="3"></td><td>${row.text.trim()}</td></tr>`;
    case 'cut':
      return line('cut', '−', 'taken out: ', row, row.pieces.map((piece) => word(piece, 'cut')));
    case 'add':
      return line('add', '+', 'put in: ', row, row.pieces.map((piece) => word(piece, 'add')));
    case 'same':
      return line('same', '', '', row, [shown(row.text)]);
  }
}

function line(
  kind: string,
  sign: string,
  spoken: string,
  row: DiffRow,
  content: readonly Html[],
): Html {
  return html`<tr class="${kind}"><td class="number">${row.oldLine ?? ''}</td><td class="number">${row.newLine ?? ''}</td><td class="sign" aria-hidden="true">${sign}</td><td class="code"><span class="aside">${spoken}</span>${content}</td></tr>`;
}

function word({ text, isChanged }: Piece, kind: 'cut' | 'add'): Html {
  if (!isChanged) return shown(text);
  return kind === 'cut' ? html`<del>${shown(text)}</del>` : html`<ins>${shown(text)}</ins>`;
}

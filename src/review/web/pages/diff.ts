// Shows a diff as a table with line numbers, signs and texts, so that colour is never the only mark.
import { type Html, html, NOTHING, visibleHtml } from '../html/html.ts';
import { type DiffRow, diffRows, type Piece } from './diff-rows.ts';

/** Shows the diff. `label` names the file or part for screen readers. */
export function diffView(diff: string, label: string): Html {
  const rows = diffRows(diff);
  // A text that is no diff is shown as it is.
  if (rows === undefined) return html`<pre class="diff code">${visibleHtml(diff)}</pre>`;
  const isCrLf = rows.every(({ kind, text }) => kind === 'hunk' || (kind !== 'end' && text.endsWith('\r')));
  return html`<div class="diff"><table>
<caption class="aside">The lines of ${visibleHtml(label)} that change</caption>
<colgroup><col class="number"><col class="number"><col class="sign"><col></colgroup>
<tbody>${(isCrLf ? rows.map(withoutReturn) : rows).map(rowView)}</tbody></table></div>
${isCrLf ? html`<p class="soft">Every line here ends with CR LF, as on Windows.</p>` : NOTHING}`;
}

function withoutReturn(row: DiffRow): DiffRow {
  const last = row.pieces.length - 1;
  const pieces = row.pieces.map((piece, index) =>
    index === last ? { ...piece, text: piece.text.replace(/\r$/u, '') } : piece,
  );
  return { ...row, text: row.text.replace(/\r$/u, ''), pieces };
}

function rowView(row: DiffRow): Html {
  switch (row.kind) {
    case 'hunk':
      return html`<tr class="hunk"><td colspan="4"><code>${row.text}</code></td></tr>`;
    case 'end':
      return html`<tr class="end"><td colspan="3"></td><td>${visibleHtml(row.text.trim())}</td></tr>`;
    case 'cut':
      return line(row, '−', 'removed: ');
    case 'add':
      return line(row, '+', 'added: ');
    case 'same':
      return line(row, '', '');
  }
}

/** Makes one row; `spoken` is the sign for a screen reader. */
function line(row: DiffRow, sign: string, spoken: string): Html {
  return html`<tr class="${row.kind}"><td class="number">${row.oldLine ?? ''}</td><td class="number">${row.newLine ?? ''}</td><td class="sign" aria-hidden="true">${sign}</td><td class="code"><span class="aside">${spoken}</span>${row.pieces.map((piece) => word(piece, row.kind))}</td></tr>`;
}

function word({ text, isChanged }: Piece, kind: DiffRow['kind']): Html {
  if (!isChanged) return visibleHtml(text);
  return kind === 'cut' ? html`<del>${visibleHtml(text)}</del>` : html`<ins>${visibleHtml(text)}</ins>`;
}

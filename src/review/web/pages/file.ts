// What happens to one file: the values by path, what goes along with them, and the diff.
import type { FileView } from '../../index.ts';
import { type Html, html, NOTHING } from '../html/html.ts';
import { shown } from '../html/shown-text.ts';
import { diffView } from './diff.ts';
import { listOf } from './layout.ts';

type Shown = FileView['changes'][number];

export function fileSection(view: FileView, standing: Html): Html {
  const { file, changes, diff, removed_comments, also_affects, warnings } = view;
  return html`<section class="sheet">
<h2 class="code">${shown(file)}</h2>
${standing}
${noted('Look twice', warnings)}
${changes.length === 0 ? html`<p>No value changes: only comments do.</p>` : changesTable(changes)}
${noted('Through an alias or a merge, this also changes', also_affects)}
${noted('Comments that go', removed_comments)}
${diffView(diff, file)}
<details class="small"><summary>Fingerprints of the file (SHA-256)</summary>
<p>before <code>${view.base_sha256}</code><br>after <code>${view.result_sha256}</code></p></details>
</section>`;
}

function changesTable(changes: readonly Shown[]): Html {
  return html`<table class="changes"><caption class="aside">The values that change</caption>
<thead><tr><th scope="col">Path</th><th scope="col">From</th><th scope="col">To</th></tr></thead>
<tbody>${changes.map(changeRow)}</tbody></table>`;
}

function changeRow({ op, path, from, to, line, doc }: Shown): Html {
  const place = doc === 0 ? `line ${line}` : `line ${line}, doc ${doc}`;
  return html`<tr><td><span class="code">${shown(path === '' ? '(the whole document)' : path)}</span> <span class="soft place">${place}</span></td>
<td>${from === undefined ? html`<span class="soft">${op === 'comment' ? 'a comment' : 'not there'}</span>` : html`<span class="code from">${shown(from)}</span>`}</td>
<td><span aria-hidden="true">→ </span>${to === undefined ? html`<span class="soft">${op === 'comment' ? 'a comment' : 'taken out'}</span>` : html`<span class="code to">${shown(to)}</span>`}</td></tr>`;
}

function noted(title: string, notes: readonly string[]): Html {
  if (notes.length === 0) return NOTHING;
  return html`<div class="note"><strong>${title}</strong>${listOf(notes.map(shown))}</div>`;
}

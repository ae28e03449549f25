// Makes the page with the unmasked diffs of one change. It answers a form, so that no link and no reload of another page leads here.
import type { RevealedFile } from '../../revealed-files.ts';
import { type Html, html, visibleHtml } from '../html/html.ts';
import { diffView } from './diff.ts';
import { layout, type PageContext, tokenField } from './layout.ts';

export function revealedPage(frame: PageContext, id: string, files: readonly RevealedFile[]): Html {
  return layout(
    frame,
    'neither',
    'Masked values',
    html`<p><a href="${frame.at.change(id)}">The change, with these values masked</a></p>
<h1>Masked values</h1>
<p>The audit trail has recorded that you have seen them. The agent sees none of them.</p>
${files.map(({ file, diff }) => html`<section class="sheet"><h2 class="code">${visibleHtml(file)}</h2>${diffView(diff, file)}</section>`)}`,
  );
}

/** Makes the form that requests this page. It is offered where something is masked. */
export function revealForm(frame: PageContext, id: string): Html {
  return html`<form method="post" action="${frame.at.decision(id, 'reveal')}">${tokenField(frame)}
<p class="soft">Some values are masked: &lt;secret:…&gt; is a fingerprint, and equal values have the same.</p>
<button>Show the masked values</button> <span class="soft">(the audit trail records it)</span></form>`;
}

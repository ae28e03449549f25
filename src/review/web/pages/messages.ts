// The pages for what is refused or has failed. Their reader may well be the right person with the wrong link.
import { type Html, html } from '../html/html.ts';
import { shown } from '../html/shown-text.ts';
import { barePage, type Frame, layout } from './layout.ts';

/** To whoever has no session. The same for everybody: it tells nobody whether there is one. */
export function noSessionPage(): Html {
  return barePage(
    'This page is closed',
    html`<p>It opens with the link in your terminal, once and for ten minutes. For a new link, run <code>config-airlock review --web</code> again.</p>
<p>If you came from another page just now, <a href="">load this one again</a>: your browser does not send your session along when another site links here.</p>`,
  );
}

export function refusedPage(status: number): Html {
  return barePage('Request refused', html`<p>This request was refused (${status}).</p>`);
}

export function endedPage(): Html {
  return barePage(
    'The session has ended',
    html`<p>Your key is no longer in memory. You can close this page.</p>`,
  );
}

/** `title`: names the failure. */
export function failurePage(frame: Frame, title: string, reason: string): Html {
  return layout(
    frame,
    'neither',
    title,
    html`<h1>${title}</h1><div class="note" role="alert">${shown(reason)}</div><p><a href="${frame.at.waiting}">All pending changes</a></p>`,
  );
}

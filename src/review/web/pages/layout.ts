// What is the same on every page: its landmarks, the link to skip them, and the end of the session.
import { type Html, html } from '../html/html.ts';
import { shownPlain } from '../html/shown-text.ts';
import { STYLE_ELEMENT } from '../html/style.ts';
import type { Addresses } from './addresses.ts';

/** What a page knows of the session that it is shown in. */
export interface Frame {
  readonly at: Addresses;
  readonly formToken: string;
  readonly now: Date;
  readonly reviewer: string;
}

export type Tab = 'waiting' | 'history' | 'neither';

export function layout(frame: Frame, tab: Tab, title: string, content: Html): Html {
  const { at } = frame;
  return html`<head>${head(title)}</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header><div class="wide">
<span class="brand">config-airlock review</span>
<nav aria-label="Pages">${link(at.waiting, 'Pending', tab === 'waiting')}${link(at.history, 'History', tab === 'history')}</nav>
<form class="inline" method="post" action="${at.end}">${tokenField(frame)}<button class="plain">End session</button></form>
</div></header>
<main id="main" class="wide" tabindex="-1">${content}</main>
</body>`;
}

/** Without a session: says as little as it can. */
export function barePage(title: string, content: Html): Html {
  return html`<head>${head(title)}</head>
<body><main class="wide"><h1>${title}</h1>${content}</main></body>`;
}

export function tokenField({ formToken }: Frame): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

function head(title: string): Html {
  return html`<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${shownPlain(title)} · config-airlock review</title>${STYLE_ELEMENT}`;
}

function link(to: string, text: string, isHere: boolean): Html {
  return isHere ? html`<a href="${to}" aria-current="page">${text}</a>` : html`<a href="${to}">${text}</a>`;
}

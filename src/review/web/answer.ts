// Makes the replies of the page, with the headers of every reply: no script runs, no frame shows it, nothing is cached, and no
// other site reads it. No route can leave out one of these headers.
import { createHash } from 'node:crypto';
import { type Html, html } from './html/html.ts';
import { STYLE } from './html/style.ts';
import { COOKIE_NAME } from './session.ts';

export interface PageReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const STYLE_HASH = createHash('sha256').update(STYLE, 'utf8').digest('base64');

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "require-trusted-types-for 'script'",
];
// Scripts are not allowed, so that even markup that passed all other checks would not run.
const CONTENT_POLICY = [...POLICY, 'sandbox allow-forms allow-same-origin'].join('; ');
/**
 * The policy of a page that loads itself again: browsers do that only where the sandbox would allow scripts. The policy allows
 * none from anywhere, with or without a sandbox.
 */
const REFRESHING_POLICY = [...POLICY, 'sandbox allow-forms allow-same-origin allow-scripts'].join('; ');
const REFRESH_SECONDS = 30;

const HEADERS = {
  'content-security-policy': CONTENT_POLICY,
  'x-frame-options': 'DENY',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  // With no-referrer, a browser would send our own forms with "Origin: null".
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), clipboard-read=()',
  'x-dns-prefetch-control': 'off',
  'x-robots-tag': 'noindex',
} as const;

export function pageReply(
  status: number,
  page: Html,
  more: Readonly<Record<string, string>> = {},
): PageReply {
  const body = html`<!doctype html><html lang="en">${page}</html>`.toString();
  return { status, headers: { ...HEADERS, ...more, 'content-type': 'text/html; charset=utf-8' }, body };
}

/** Makes the response with a page. The browser then loads `next` by itself, because of a header. */
export function refreshingReply(page: Html, next: string): PageReply {
  const refresh = { 'content-security-policy': REFRESHING_POLICY, refresh: `${REFRESH_SECONDS};url=${next}` };
  return pageReply(200, page, refresh);
}

/** Redirects after a form was accepted. The browser then requests the page anew, so that a reload decides nothing twice. */
export function redirect(to: string, cookie?: { readonly value: string; readonly path: string }): PageReply {
  const set =
    cookie === undefined
      ? {}
      : { 'set-cookie': `${COOKIE_NAME}=${cookie.value}; Path=${cookie.path}/; HttpOnly; SameSite=Strict` };
  return { status: 303, headers: { ...HEADERS, ...set, location: to }, body: '' };
}

// Instants as the pages show them.
import { distance } from '../../index.ts';
import { type Html, html } from '../html/html.ts';

/** `21 Nov 2026, 15:47 UTC (in 6 days)`. */
export function moment(iso: string, now: Date): Html {
  const at = new Date(iso);
  const [day, month, year] = [at.getUTCDate(), MONTHS[at.getUTCMonth()] ?? '', at.getUTCFullYear()];
  return html`<time datetime="${iso}">${day} ${month} ${year}, ${iso.slice(11, 16)} UTC</time> (${distance(iso, now)})`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

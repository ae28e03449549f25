// Times and states, in words that a person reads.
import { counted } from '../../../adapters/index.ts';
import { type Html, html } from '../html/html.ts';

/** `21 Nov 2026, 15:47 UTC (in 6 days)`. */
export function moment(iso: string, now: Date): Html {
  const at = new Date(iso);
  const [day, month, year] = [at.getUTCDate(), MONTHS[at.getUTCMonth()] ?? '', at.getUTCFullYear()];
  return html`<time datetime="${iso}">${day} ${month} ${year}, ${iso.slice(11, 16)} UTC</time> (${distance(at, now)})`;
}

function distance(at: Date, now: Date): string {
  const minutes = Math.round((at.getTime() - now.getTime()) / 60_000);
  const size = Math.abs(minutes);
  if (size < 1) return 'now';
  const [number, noun] =
    size < 60
      ? [size, 'minute']
      : size < 48 * 60
        ? [Math.round(size / 60), 'hour']
        : [Math.round(size / 1440), 'day'];
  return minutes > 0 ? `in ${counted(number, noun)}` : `${counted(number, noun)} ago`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

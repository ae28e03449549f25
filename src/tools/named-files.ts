// Names files that a call over many has skipped, each with the reason: the first ones, and how many there are beside them.
import { visibleLine } from '../security/index.ts';
import { cutPath } from './tool.ts';

const MAX_NAMED = 5;

export function namedWithReason(skipped: readonly (readonly [file: string, why: string])[]): string {
  const named = skipped.slice(0, MAX_NAMED).map(([file, why]) => `${cutPath(visibleLine(file))} (${why})`);
  const more = skipped.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

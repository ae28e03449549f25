// Names the first files that a call over many skipped, with the reasons and the number of others, and some of those that are closed to
// it.
import { counted, firstOf } from '../adapters/tree/wording.ts';
import type { ClosedFiles } from '../security/sandbox/list.ts';
import { visibleLine } from '../security/text/visible.ts';
import { cutPath } from './tool.ts';

const MAX_NAMED = 5;

export function namedWithReason(skipped: readonly (readonly [file: string, why: string])[]): string {
  return firstOf(
    skipped.map(([file, why]) => `${cutPath(visibleLine(file))} (${why})`),
    MAX_NAMED,
  );
}

export function namedFiles(files: readonly string[]): string {
  return firstOf(
    files.map((file) => cutPath(visibleLine(file))),
    MAX_NAMED,
  );
}

/** Returns a line about listed files that another `--allow` would open; none if there are none. */
export function closedLines({ count, kinds }: ClosedFiles): readonly string[] {
  if (count === 0) return [];
  const some = kinds.map(({ ending, count: of, example }) =>
    of === 1
      ? cutPath(visibleLine(example))
      : `${of} ${visibleLine(ending)} (${cutPath(visibleLine(example))})`,
  );
  const more = count > kinds.reduce((sum, kind) => sum + kind.count, 0) ? ', …' : '';
  return [
    `${counted(count, 'file')} not open here, source code aside: ${some.join(', ')}${more}. The operator can open them with --allow.`,
  ];
}

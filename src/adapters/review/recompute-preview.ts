// What a stored preview must show: found anew from its texts and spans, trusting nothing that was stored
// beside them.
import type { Change, Limits, RecomputePreview, SafePath } from '../../security/index.ts';
import { unifiedDiff } from '../diff/unified-diff.ts';
import { readConfigFile } from '../formats/config-file.ts';
import { findChanges } from '../verify/find-changes.ts';
import { findAlsoAffected } from './also-affects.ts';
import { findRemovedComments } from './describe-edit.ts';

const MAX_CHANGES = 500;

/** The changes of data alone. Throws the refusals of reading. */
export function recomputeChanges(
  path: SafePath,
  base: string,
  after: string,
  limits: Limits,
): readonly Change[] {
  return findChanges(readConfigFile(path, base, limits).stream, readConfigFile(path, after, limits).stream);
}

/** `parse` is the sandbox's: what is no path here is no preview here. The RecomputePreview throws the refusals of reading. */
export function recomputePreview(parse: (file: string) => SafePath, limits: Limits): RecomputePreview {
  return (file, base, after, edits) => {
    const path = parse(file);
    const old = readConfigFile(path, base, limits).stream;
    const next = readConfigFile(path, after, limits).stream;
    const changes = findChanges(old, next);
    return {
      diff: unifiedDiff(file, base, after, edits, old.lines),
      changes,
      removed_comments: findRemovedComments(old, edits),
      also_affects: findAlsoAffected(old, next, changes.slice(0, MAX_CHANGES)),
    };
  };
}

// What a preview shows of edits, for tests that keep previews of their own.
import { shownAnew } from '../../src/adapters/review/describe-edit.ts';
import type { Edit, FileOp } from '../../src/security/edits/edit.ts';
import type { SafePath } from '../../src/security/paths/safe-path.ts';
import type { Limits } from '../../src/security/policy/policy.ts';

type Look = (
  file: string,
  base: string,
  after: string,
  edits: readonly Edit[],
  fileOp?: FileOp,
) => ReturnType<typeof shownAnew> & { readonly places: readonly string[] };

export function lookBy(parse: (file: string) => SafePath, limits: Limits): Look {
  return (file, base, _after, edits, fileOp) => ({
    ...shownAnew(
      parse(file),
      { file, base, edits, ...(fileOp === undefined ? {} : { file_op: fileOp }) },
      limits,
    ),
    places: [],
  });
}

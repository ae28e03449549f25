// What a preview shows of edits, for tests that keep previews of their own.
import { shownAnew } from '../../src/adapters/index.ts';
import type { Edit, FileOp, Limits, SafePath } from '../../src/security/index.ts';

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

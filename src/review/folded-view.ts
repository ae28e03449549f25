// Folds equal changes in many places for a reviewer: the diff of one of them, a line for each place, and each warning once.
import { counted } from '../adapters/tree/wording.ts';
import { displayDiff, displayLine } from '../security/text/visible.ts';
import type { PreviewFile } from '../state/preview.ts';
import { equalChangesOf } from '../tools/index.ts';
import type { FileView } from './file-view.ts';
import { namedFiles } from './summary.ts';

export interface FoldedView {
  /** The change that is equal: `5 files: replace image: web:1 → web:2 (12×)`. */
  readonly title: string;
  /** The diff of one of them. */
  readonly file: string;
  readonly diff: string;
  /** The places, each as `file:line path`. */
  readonly places: readonly string[];
}

export interface Folded {
  readonly groups: readonly FoldedView[];
  /** The names of the files that have no other change than these. */
  readonly files: ReadonlySet<string>;
}

/** Folds the equal changes of a loaded preview. Loading has verified the recorded changes. */
export function foldEqualChanges(files: readonly PreviewFile[]): Folded {
  const { groups } = equalChangesOf(files);
  return {
    files: new Set(groups.flatMap((group) => [...group.files].map(({ file }) => displayLine(file)))),
    groups: groups.map(({ label, files: of, sample, places }) => ({
      title: displayLine(`${counted(of.size, 'file')}: ${label} (${places.length}×)`),
      file: displayLine(sample.file),
      diff: displayDiff(sample.diff),
      places: places.map(({ file, line, path }) => displayLine(`${file}:${line} ${path}`.trimEnd())),
    })),
  };
}

/** Returns the notes about folded files, each note once, with the files that it is about. */
export function foldedNotes(files: readonly FileView[]): readonly string[] {
  const filesOf = new Map<string, string[]>();
  const add = (note: string, file: string) => filesOf.set(note, [...(filesOf.get(note) ?? []), file]);
  for (const { file, warnings, also_affects, state } of files) {
    for (const warning of warnings) add(warning, file);
    for (const path of also_affects) add(`Also changes, through an alias or merge: ${path}`, file);
    if (state === 'changed') add('The file has changed since', file);
    if (state === 'unreadable') add('The file can no longer be read', file);
  }
  return [...filesOf].map(([note, named]) => `${namedFiles(named)}: ${note}`);
}

// A file that has been read: its format and its spans, and what can be asked of it. Pure: nothing here
// can reach the disk.
import { type Limits, type Problem, Refusal, type Snapshot } from '../../security/index.ts';
import { type DocumentSelector, selectDocument } from '../tree/document.ts';
import type { Format } from '../tree/format.ts';
import { findDuplicateKeys } from '../tree/keys.ts';
import type { Stream } from '../tree/span-tree.ts';
import { FORMATS, formatOf } from './registry.ts';

export interface ConfigFile {
  readonly format: Format;
  readonly stream: Stream;
}

/** `text`: the snapshot's own, or what an earlier operation of a batch made of it; YAML without a path. Throws UNSUPPORTED_FORMAT, YAML_INVALID, YAML_LIMIT. */
export function readConfigFile(path: Snapshot['path'] | undefined, text: string, limits: Limits): ConfigFile {
  const format = path === undefined ? FORMATS.yaml : formatOf(path);
  return { format, stream: format.parse(text, limits) };
}

/** The file, or every syntax error of a text that cannot be read. Throws YAML_LIMIT. */
export function readOrProblems(
  path: Snapshot['path'] | undefined,
  text: string,
  limits: Limits,
): ConfigFile | readonly Problem[] {
  try {
    return readConfigFile(path, text, limits);
  } catch (error) {
    const problems = error instanceof Refusal && error.code === 'YAML_INVALID' ? error.clues.problems : [];
    // One that cannot be read and has no problems would pass for valid.
    if (problems === undefined || problems.length === 0) throw error;
    return problems;
  }
}

/** What valid syntax still gets wrong. */
export function findProblems({ stream }: ConfigFile, doc?: DocumentSelector): readonly Problem[] {
  return findDuplicateKeys(stream, doc === undefined ? undefined : selectDocument(stream, doc));
}

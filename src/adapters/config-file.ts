// A file that has been read: its language and its spans, and what can be asked of it. Pure: nothing here
// can reach the disk.
import { type Limits, type Problem, Refusal, type Snapshot } from '../security/index.ts';
import { SYNTAXES, syntaxOf } from './formats.ts';
import type { Syntax } from './syntax.ts';
import { findDuplicateKeys } from './tree/duplicate-keys.ts';
import { type DocumentSelector, selectDocument } from './tree/select-document.ts';
import type { Stream } from './tree/span-tree.ts';

export interface ConfigFile {
  readonly syntax: Syntax;
  readonly stream: Stream;
}

/** `text`: the snapshot's own, or what an earlier operation of a batch made of it; YAML without a path. Throws UNSUPPORTED_FORMAT, YAML_INVALID, YAML_LIMIT. */
export function readConfigFile(path: Snapshot['path'] | undefined, text: string, limits: Limits): ConfigFile {
  const syntax = path === undefined ? SYNTAXES.yaml : syntaxOf(path);
  return { syntax, stream: syntax.parse(text, limits) };
}

/** Every problem of a text: syntax errors, or, where it has none, what valid syntax still gets wrong. Throws YAML_LIMIT. */
export function findProblems(
  text: string,
  limits: Limits,
  doc?: DocumentSelector,
  path?: Snapshot['path'],
): readonly Problem[] {
  const syntax = path === undefined ? SYNTAXES.yaml : syntaxOf(path);
  try {
    const stream = syntax.parse(text, limits);
    return findDuplicateKeys(stream, doc === undefined ? undefined : selectDocument(stream, doc));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'YAML_INVALID') return error.clues.problems ?? [];
    throw error;
  }
}

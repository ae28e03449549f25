// Everything that a preview says about one file beside its diff.
import type { VerifiedEdit } from '../../security/index.ts';
import type { ConfigFile } from '../config-file.ts';
import { findAlsoAffected } from './also-affects.ts';
import { findRemovedComments } from './removed-comments.ts';
import { findWarnings } from './warnings.ts';

/** Beyond it a change is too large for anybody to follow path by path; the diff shows all of it. */
const MAX_CHANGES = 500;

export interface EditNotes {
  readonly alsoAffects: readonly string[];
  readonly removedComments: readonly string[];
  readonly warnings: readonly string[];
}

export function describeEdit(base: ConfigFile, result: ConfigFile, edit: VerifiedEdit): EditNotes {
  const { edits } = edit;
  const changes = edit.changes.slice(0, MAX_CHANGES);
  return {
    alsoAffects: findAlsoAffected(base.stream, result.stream, changes),
    removedComments: findRemovedComments(base.stream, edits),
    warnings: edit.isNoop
      ? []
      : findWarnings(base.stream, result.stream, changes, edits, base.syntax.name === 'JSON'),
  };
}

// What a check of an edit is given, and what it may answer.
import type { ConfigFile } from '../adapters/index.ts';
import type { SafePath } from '../security/index.ts';
import type { CallContext } from './tool.ts';

export type ReviewContext = Pick<CallContext, 'policy' | 'sandbox'>;

/** One file as it was read, and as the edit leaves it. */
export interface EditedFile {
  readonly path: SafePath;
  readonly base: ConfigFile;
  readonly result: ConfigFile;
}

/** Throws the refusal of an edit that must not be made. Answers whole sentences, which are shown as warnings. */
export type EditCheck = (edited: EditedFile, context: ReviewContext) => readonly string[];

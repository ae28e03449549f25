// What the search for secrets in a structure is asked with, and what tells it that a value is one.
import type { IsSecretName, MaskedBy } from '../../security/index.ts';
import type { PathWord } from '../tree/path-syntax.ts';

export interface TreeRules {
  /** Without what the operator wants to be shown. */
  readonly isSecret: IsSecretName;
  /** What the operator wants to be shown, where there is any. */
  readonly isShown?: ((name: string) => boolean) | undefined;
  /** The operator's names of keys, where there are any. */
  readonly isAsked: ((name: string) => boolean) | undefined;
  /** The operator's paths. */
  readonly paths: readonly (readonly PathWord[])[];
}

/** What tells that a value is a secret. */
export interface Said {
  readonly by: MaskedBy;
  /** The key, where that tells it. */
  readonly name?: string;
  /** What follows this is meant, where that stands in it. */
  readonly from?: string;
  /** Whether the key says that there are many. */
  readonly isMany?: boolean;
}

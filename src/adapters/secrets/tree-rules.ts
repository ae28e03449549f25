// Defines what the search for secrets in a structure is given, and the reasons by which it takes a value for a secret.
import type { IsSecretName, MaskedBy, PathWord } from '../../security/index.ts';

export interface TreeRules {
  /** The test for secret names, without those that the operator wants to be shown. */
  readonly isSecret: IsSecretName;
  /** The test for names that the operator wants to be shown, where there are any. */
  readonly isShown?: ((name: string) => boolean) | undefined;
  /** The operator's names of keys, where there are any. */
  readonly isAsked: ((name: string) => boolean) | undefined;
  /** The operator's paths. */
  readonly paths: readonly (readonly PathWord[])[];
}

/** The reason why a value counts as a secret. */
export interface Said {
  readonly by: MaskedBy;
  /** The key, where that tells it. */
  readonly name?: string;
  /** The text after which the secret begins, where the value contains it. */
  readonly from?: string;
  /** True if the key is a plural. */
  readonly isMany?: boolean;
}

// The one error class for expected refusals: a code from a closed union, a message without file
// contents or absolute paths, and clues from which suggestions are computed. Anything else that is
// thrown is a bug and reaches the client as INTERNAL only.

export type ErrorCategory = 'validation' | 'security' | 'execution' | 'parse' | 'conflict' | 'system';

/** Every code of the wire contract that this version can answer with, and its category. */
export const ERROR_CATEGORIES = {
  PATH_INVALID: 'validation',
  PATH_OUTSIDE_ROOT: 'security',
  PATH_DENIED: 'security',
  SYMLINK_REFUSED: 'security',
  NOT_REGULAR_FILE: 'security',
  HARD_LINK_REFUSED: 'security',
  READ_ONLY: 'security',
  FILE_NOT_FOUND: 'execution',
  FILE_EXISTS: 'execution',
  FILE_TOO_LARGE: 'execution',
  NOT_UTF8: 'execution',
  UNSUPPORTED_FORMAT: 'execution',
  SYNTAX_INVALID: 'parse',
  LIMIT_EXCEEDED: 'parse',
  NODE_PATH_INVALID: 'validation',
  NODE_NOT_FOUND: 'execution',
  NODE_AMBIGUOUS: 'execution',
  TYPE_MISMATCH: 'execution',
  DUPLICATE_KEY: 'execution',
  DOCUMENT_AMBIGUOUS: 'execution',
  ALIAS_CROSSED: 'execution',
  ANCHOR_IN_USE: 'execution',
  KEY_IS_SHARED: 'execution',
  TEMPLATE_ACTION: 'execution',
  VALUE_INVALID: 'validation',
  TEXT_NOT_FOUND: 'execution',
  TEXT_AMBIGUOUS: 'execution',
  VERIFICATION_FAILED: 'execution',
  SCHEMA_VIOLATION: 'execution',
  ENCRYPTED_FILE: 'execution',
  SECRET_PLACEHOLDER: 'security',
  FILE_CHANGED: 'conflict',
  PREVIEW_NOT_FOUND: 'conflict',
  PREVIEW_EXPIRED: 'conflict',
  PREVIEW_USED: 'conflict',
  PREVIEW_REQUIRED: 'conflict',
  CHANGE_NOT_FOUND: 'conflict',
  APPROVAL_REQUIRED: 'security',
  APPROVAL_DECLINED: 'security',
  APPROVAL_UNAVAILABLE: 'security',
  POLICY_DENIED: 'security',
  BUSY: 'system',
  TIMEOUT: 'system',
  NO_SPACE: 'system',
  PERMISSION_DENIED: 'system',
  IO_ERROR: 'system',
  ARGUMENT_INVALID: 'validation',
  INTERNAL: 'system',
} as const satisfies Record<string, ErrorCategory>;

export type ErrorCode = keyof typeof ERROR_CATEGORIES;

/** Where the refusal happened, in the request's own words. Lines and columns count from 1. */
export interface Where {
  readonly file?: string | undefined;
  readonly doc?: number | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
  readonly edit_index?: number | undefined;
}

export interface Problem {
  readonly code: ErrorCode;
  readonly message: string;
  readonly doc?: number;
  readonly path?: string;
  /** What a schema asks for. */
  readonly expected?: string;
  readonly line: number;
  readonly column: number;
}

/** Paths only: what stands there is for whoever asks for it. */
export interface DriftedFile {
  readonly file: string;
  readonly changes: readonly { readonly op: string; readonly doc: number; readonly path: string }[];
  /** Those of them that the preview or the change meets. */
  readonly meeting: readonly string[];
}

/** Facts of the case at hand; adapters/errors turns them into suggestions and recovery steps. */
export interface Clues {
  /** Node paths that exist and resemble what was asked for, best first. */
  readonly nearestPaths?: readonly string[];
  /** The deepest node path that does exist, or a node that is worth looking at. */
  readonly existingPath?: string;
  /** The alias that was met on the way, and the one key that was asked for below it. */
  readonly alias?: { readonly name: string; readonly key: string };
  /** One line for each document of the file, in order. */
  readonly documents?: readonly string[];
  /** Those of them that the call can mean, as "doc" takes them. */
  readonly inDocuments?: readonly (string | number)[];
  /** The limit that was met: the allowed and, where known, the actual amount. */
  readonly limit?: {
    readonly name: string;
    readonly allowed: number;
    readonly actual?: number;
    readonly unit: string;
  };
  /** All problems, where there is more than one to report. */
  readonly problems?: readonly Problem[];
  /** What an empty file may be given, to be valid. */
  readonly firstText?: string;
  /** The sha256 that the file has now. */
  readonly actualSha256?: string;
  /** A preview that may be applied instead. */
  readonly previewId?: string;
  /** All that this preview shows, where it has just been made. */
  readonly preview?: Readonly<Record<string, unknown>>;
  /** Its diffs, for whoever reads the text only. */
  readonly diff?: string;
  /** What changed in files since a preview or a change was made: where, and never what. */
  readonly drift?: readonly DriftedFile[];
  /** The call that asks for the same once more. */
  readonly again?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** What a rule would let pass in the place of what was asked for. */
  readonly nearestValues?: readonly {
    readonly file: string;
    readonly path: string;
    readonly value: unknown;
  }[];
  /** Where the same call may succeed later, though its code does not say so. */
  readonly isRetryable?: boolean;
  /** Whether what is missing would be made, if the call said so. */
  readonly isCreatable?: boolean;
  /** A mapping stands there, and not what the operation is for. */
  readonly isMapping?: boolean;
  /** How often the text of the call stands where it was looked for. */
  readonly places?: number;
  /** Whether the text of the call could be replaced in the file, without a path. */
  readonly isInFile?: boolean;
  /** The value of the call as the source of one text, where "json" could not bring it. */
  readonly asText?: string;
  /** The format that the value of the call is none of. */
  readonly wantedFormat?: string;
  /** The value of the call in the words of that format. */
  readonly translated?: { readonly format: string; readonly value: string };
  /** Plain advice that only the place of the refusal could know. */
  readonly advice?: readonly string[];
}

export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: ErrorCode;
  readonly where: Where;
  readonly clues: Clues;

  /** `message`: "Cannot <action>: <reason>"; no contents, no absolute path, no dependency's words. */
  constructor(code: ErrorCode, message: string, where: Where = {}, clues: Clues = {}, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.where = where;
    this.clues = clues;
  }

  /** The same refusal with more clues; what is already known stays. */
  hinting(clues: Clues): Refusal {
    return new Refusal(this.code, this.message, this.where, { ...clues, ...this.clues }, this.cause);
  }

  /** The same refusal with more of its whereabouts filled in; what is already known stays. */
  at(where: Where): Refusal {
    const known = Object.fromEntries(Object.entries(this.where).filter(([, value]) => value !== undefined));
    return new Refusal(this.code, this.message, { ...where, ...known }, this.clues, this.cause);
  }
}

/** What `work` answers; undefined where it is refused, with one of `codes` where these are given. Anything else passes through. */
export function unlessRefused<Result>(work: () => Result, codes?: readonly ErrorCode[]): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal && codes?.includes(error.code) !== false) return undefined;
    throw error;
  }
}

// The one error class for expected refusals: a code from a closed union, a message without file contents or absolute paths, and
// clues from which suggestions are computed. Anything else that is thrown is a bug and reaches the client as INTERNAL only.

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
  PREVIEW_REPLACED: 'conflict',
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

/** The place of the refusal, in the request's own words. Lines and columns count from 1. */
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
  /** The type or value that a schema asks for. */
  readonly expected?: string;
  readonly line: number;
  readonly column: number;
}

/** Facts of the case at hand; adapters/errors turns them into suggestions and recovery steps. */
export interface Clues {
  /** Node paths that exist and resemble what was asked for, best first. */
  readonly nearestPaths?: readonly string[];
  /** The deepest node path that does exist, or a node that is worth looking at. */
  readonly existingPath?: string;
  /** The alias of a mapping that was met on the way; `source` is the path that the first key below it stands for, and `isLast` is true if no other key follows. */
  readonly alias?: {
    readonly name: string;
    readonly isLast: boolean;
    readonly source: string | undefined;
  };
  /** One line for each document of the file, in order. */
  readonly documents?: readonly string[];
  /** The documents that the call can mean, as "doc" takes them. */
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
  /** The text that makes an empty file valid. */
  readonly firstText?: string;
  /** The sha256 that the file has now. */
  readonly actualSha256?: string;
  /** A preview that may be applied instead. */
  readonly previewId?: string;
  /** The content of this preview, where it has just been made. */
  readonly preview?: Readonly<Record<string, unknown>>;
  /** The preview's diffs, for clients that read the text only. */
  readonly diff?: string;
  /** What a preview showed and the same call does not do now, and the other way round: a line for each change. */
  readonly different?: readonly string[];
  /** The call that asks for the same again. */
  readonly again?: { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };
  /** The values nearest to the refused one that a rule would allow. */
  readonly nearestValues?: readonly {
    readonly file: string;
    readonly path: string;
    readonly value: unknown;
  }[];
  /** True if the same call may succeed later, though its code does not say so. */
  readonly isRetryable?: boolean;
  /** True if the missing thing would be made if the call asked for it. */
  readonly isCreatable?: boolean;
  /** What the call probably means, as fields of a call and in words. */
  readonly instead?: { readonly fields: Readonly<Record<string, unknown>>; readonly what: string };
  /** True if a mapping stands at the path, which the operation is not for. */
  readonly isMapping?: boolean;
  /** The number of times that the text of the call was found. */
  readonly places?: number;
  /** The value of the call as the source of one text, where "json" cannot express it. */
  readonly asText?: string;
  /** The format in which the value of the call is not valid. */
  readonly wantedFormat?: string;
  /** The value of the call, written in that format. */
  readonly translated?: { readonly format: string; readonly value: string };
  /** Advice that only the place of the refusal can know. */
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

  /** Returns the same refusal with more clues; those that it has already stay. */
  hinting(clues: Clues): Refusal {
    return new Refusal(this.code, this.message, this.where, { ...clues, ...this.clues }, this.cause);
  }

  /** Returns the same refusal with more of its place filled in; what is already known stays. */
  at(where: Where): Refusal {
    const known = Object.fromEntries(Object.entries(this.where).filter(([, value]) => value !== undefined));
    return new Refusal(this.code, this.message, { ...where, ...known }, this.clues, this.cause);
  }
}

/** Returns the result of `work`, or undefined if it is refused, with one of `codes` where they are given. Other errors pass through. */
export function unlessRefused<Result>(work: () => Result, codes?: readonly ErrorCode[]): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal && codes?.includes(error.code) !== false) return undefined;
    throw error;
  }
}

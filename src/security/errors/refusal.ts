// The one error class for expected refusals: a code of the table, a message without file contents or absolute paths, and clues
// from which one way on is computed. Anything else that is thrown is a bug and reaches the client as INTERNAL only.

import type { ErrorCode } from './refusals.ts';

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

/** Facts of the case at hand; adapters/errors turns them into details and the one way on. */
export interface Clues {
  /** Node paths that exist and resemble what was asked for, best first. */
  readonly nearestPaths?: readonly string[];
  /** The deepest node path that does exist, or a node that is worth looking at. */
  readonly existingPath?: string;
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
  /** A call that is the way on, and what it is for. */
  readonly again?: {
    readonly do: string;
    readonly tool: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  };
  /** True if the call as a whole has met the limit, and not this file alone. */
  readonly isOfCall?: boolean;
  /** True if the missing thing would be made if the call asked for it. */
  readonly isCreatable?: boolean;
  /** What the call probably means, as fields of a call and in words. */
  readonly instead?: { readonly fields: Readonly<Record<string, unknown>>; readonly what: string };
  /** The format in which the value of the call is not valid. */
  readonly wantedFormat?: string;
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

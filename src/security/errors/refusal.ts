// The one error class for expected refusals: a code of the table, a message without file contents or absolute paths, and clues
// from which one way on is computed. Anything else that is thrown is a bug and reaches the client as INTERNAL only.

import { errnoOf } from '../fs/ambient-fs.ts';
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

const NOT_PERMITTED = [
  'PERMISSION_DENIED',
  'the operating system does not permit it. The operator can change the permissions',
] as const;
const TOO_MANY_OPEN = ['BUSY', 'too many files are open. Try again in a moment'] as const;
const TRANSLATIONS: Readonly<Record<string, readonly [ErrorCode, string]>> = {
  ENOSPC: ['NO_SPACE', 'the disk is full. Free some space and try again'],
  EDQUOT: ['NO_SPACE', 'the disk quota is used up. Free some space and try again'],
  EFBIG: [
    'IO_ERROR',
    'the limit of this process for the size of a file is reached. The operator can raise it (ulimit -f)',
  ],
  EACCES: NOT_PERMITTED,
  EPERM: NOT_PERMITTED,
  EROFS: ['PERMISSION_DENIED', 'the file system is mounted read-only. The operator can mount it writable'],
  ENOENT: ['FILE_CHANGED', 'it, or its folder, was removed meanwhile. Read it again'],
  EBUSY: [
    'IO_ERROR',
    'the file is a mount point of its own. The operator should mount its directory instead of the single file',
  ],
  EMFILE: TOO_MANY_OPEN,
  ENFILE: TOO_MANY_OPEN,
};

/**
 * Makes the refusal for a failure of the disk; `action` completes "Cannot …". A Refusal passes through unchanged, so that nothing
 * is translated twice.
 */
export function ioRefusal(action: string, error: unknown, file?: string): Refusal {
  if (error instanceof Refusal) return error;
  const errno = errnoOf(error);
  // Without an errno it is a bug and no failure of the machine, and must reach the client as INTERNAL.
  if (errno === undefined) throw error;
  const [code, reason] = TRANSLATIONS[errno] ?? [
    'IO_ERROR',
    'the file system reported an error. Try again, or ask the operator to look at the log',
  ];
  return new Refusal(code, `Cannot ${action}: ${reason}.`, { file }, {}, error);
}

/** The failures to ignore: names of the system (`ENOENT`), `expected` (failures of the system and refusals, but no bugs), or `all` (bugs, too). */
export type IgnoredCodes = readonly string[] | 'expected' | 'all';

/** Returns the result of `work`; undefined if it fails in one of these ways. */
export function ignoring<Result>(codes: IgnoredCodes, work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (isIgnored(codes, error)) return undefined;
    throw error;
  }
}

/** Runs `work` and answers true; false if the name was taken. */
export function doneUnlessTaken(work: () => void): boolean {
  try {
    work();
    return true;
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false;
    throw error;
  }
}

function isIgnored(codes: IgnoredCodes, error: unknown): boolean {
  if (codes === 'all') return true;
  const errno = errnoOf(error);
  if (codes === 'expected') return errno !== undefined || error instanceof Refusal;
  return errno !== undefined && codes.includes(errno);
}

export const ONLY_THE_OPERATOR: Clues = { advice: ['Tell the operator: no call can mend this'] };

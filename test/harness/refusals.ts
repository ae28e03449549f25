// What a call came to, where that may be a refusal.

import { Refusal } from '../../src/security/errors/refusal.ts';
import type { ErrorCode } from '../../src/security/errors/refusals.ts';
import { StartError } from '../../src/security/errors/start-error.ts';

/** What `work` answers, or the Refusal that it throws; anything else that is thrown passes through. */
export function orRefusal<Result>(work: () => Result): Result | Refusal {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** Undefined where it is not refused. */
export function refusalOf(work: () => unknown): Refusal | undefined {
  const outcome = orRefusal(work);
  return outcome instanceof Refusal ? outcome : undefined;
}

/** The code of the Refusal that `work` throws, or the name of whatever else it throws, or "no error". */
export function codeOf(work: () => unknown): ErrorCode | string {
  try {
    return refusalOf(work)?.code ?? 'no error';
  } catch (error) {
    if (error instanceof Error) return error.constructor.name;
    throw error;
  }
}

/** The message of the error of this kind that `work` throws, or "none". */
export function messageOf(
  work: () => unknown,
  kind: abstract new (...args: never) => Error = StartError,
): string {
  try {
    work();
  } catch (error) {
    if (error instanceof kind) return error.message;
    throw error;
  }
  return 'none';
}

/** As `refusalOf`, of work that answers later. */
export async function refusalOfLater(work: () => Promise<unknown>): Promise<Refusal | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
}

/** As `codeOf`, of work that answers later. */
export async function codeOfLater(work: () => Promise<unknown>): Promise<ErrorCode | string> {
  try {
    return (await refusalOfLater(work))?.code ?? 'no error';
  } catch (error) {
    if (error instanceof Error) return error.constructor.name;
    throw error;
  }
}

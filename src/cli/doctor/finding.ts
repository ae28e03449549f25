// Defines the result of one check of `doctor`: that something is right, or what is wrong and how to mend it.
import { StartError } from '../../security/index.ts';
import { UsageError } from '../settings/usage-error.ts';

export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'fault';
  readonly message: string;
  /** The advice for the operator. */
  readonly fix?: string;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message };
}

export function warning(check: string, message: string, fix: string): Finding {
  return { check, status: 'warning', message, fix };
}

export function fault(check: string, message: string, fix: string): Finding {
  return { check, status: 'fault', message, fix };
}

/** The outcome of some work; where it refuses as a start would, that is the fault. */
export async function orFault<Result>(
  check: string,
  fix: string,
  work: () => Result | Promise<Result>,
): Promise<{ readonly result: Result } | { readonly finding: Finding }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (error instanceof UsageError || error instanceof StartError)
      return { finding: fault(check, error.message, fix) };
    throw error;
  }
}

// Defines the result of one check of `doctor`: whether something is right, and how to mend it if not.
import { StartError } from '../../security/errors/start-error.ts';
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

/** Runs `work`. Returns its result, or a finding where it throws an error that would stop the start of a server. */
export async function resultOrFault<Result>(
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

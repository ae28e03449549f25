import type { Sandbox, Verdict, VerifiedEdit } from '../../src/security/index.ts';

export function judged(verdict: typeof Verdict, sandbox: Sandbox, edits: readonly VerifiedEdit[]): Verdict;

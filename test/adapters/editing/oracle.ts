// The second oracle: PyYAML, a reader of YAML that shares no line with ours, judges every edit.

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { parseNodePath } from '../../../src/security/node-paths/parse-path.ts';
import type { Operation } from './attempt.ts';

/** What judges the templates, all else, and the comments. */
export type Judge = 'oracle.py' | 'template_oracle.py' | 'comments.py';

export interface JudgedEdit {
  readonly id: string;
  readonly language: string;
  readonly before: string;
  readonly after: string;
  readonly operation: Operation;
  /** The comments that the reply names as removed. */
  readonly removed?: readonly string[];
}

export interface Verdict {
  /** `judged set`, `skipped: unreadable before`, … to how often. */
  readonly counts: Readonly<Record<string, number>>;
  readonly complaints: readonly string[];
}

/** Whether this machine has `python3` with PyYAML (Debian's python3-yaml). */
export function hasOracle(): boolean {
  return spawnSync('python3', ['-c', 'import yaml']).status === 0;
}

export function judge(edits: readonly JudgedEdit[], by: Judge = 'oracle.py'): Verdict {
  const script = fileURLToPath(new URL(`../../long/${by}`, import.meta.url));
  const input = edits.map((edit) => `${JSON.stringify(lineOf(edit))}\n`).join('');
  const { status, stdout, stderr } = spawnSync('python3', [script], {
    input,
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  if (status !== 0) throw new Error(`the oracle failed: ${stderr}`);
  const lines = stdout.trimEnd().split('\n');
  const { counts } = z
    .object({ counts: z.record(z.string(), z.number()) })
    .parse(JSON.parse(lines.pop() ?? ''));
  return { counts, complaints: lines };
}

/** Paths as lists: what a path means is ours, and no matter of the reader. */
function lineOf({ operation, ...edit }: JudgedEdit) {
  const listOf = (path = '') => parseNodePath(path).map((one) => (typeof one === 'object' ? one.key : one));
  const to = 'to' in operation ? listOf(operation.to) : undefined;
  return { ...edit, op: { ...operation, path: listOf(operation.path), to } };
}

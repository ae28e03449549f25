// The contract of every error: what it says, what it suggests, and that the way on that it names works as it is.
import { expect, type TestContext } from 'vitest';
import type { ErrorCode } from '../../src/security/errors/refusals.ts';
import type { ProcessOptions } from '../harness/start-process.ts';
import type { ToolError, ToolServer } from '../harness/tool-server.ts';

/** Every value in the files: none of it may come back in an error. */
export const CANARY = 'CANARY';

export type Arguments = Readonly<Record<string, unknown>>;

export interface Row {
  readonly code: ErrorCode;
  readonly why: string;
  readonly call: readonly [tool: string, args: Arguments];
  /** Words of the details, or of the way on, that only this case can have brought about. */
  readonly suggests: readonly string[];
  /** Makes the situation on the machine; what it returns ends it. Throws where it cannot be made. */
  readonly given?: (server: ToolServer) => () => void;
}

/** A row that needs a server of its own. */
export type OwnServerRow = Row & { readonly options: ProcessOptions };

function situation(row: Row, server: ToolServer, context: TestContext): () => void {
  try {
    return row.given?.(server) ?? (() => undefined);
  } catch (error) {
    return context.skip(`cannot be made here: ${String(error)}`);
  }
}

/** Everything that the contract asks of an error, for the case at hand. */
function expectHelpful(error: ToolError, row: Row, server: ToolServer): void {
  expect(error.code).toBe(row.code);
  const whole = JSON.stringify(error);
  expect(error.message).toMatch(/^Cannot /);
  expect(whole).not.toContain(server.root);
  expect(whole).not.toContain(process.cwd());
  expect(whole).not.toContain(CANARY);
  expect(whole).not.toMatch(
    /\b(?:ENO[A-Z]+|EACCES|EPERM|EFBIG|ELOOP|errno|syscall|node:internal|at [A-Z]\w+\.)/,
  );
  expect(error.details ?? error.again).toBeDefined();
  const advice = `${error.message}\n${error.details}\n${error.again?.do}`;
  for (const words of row.suggests) expect(advice).toContain(words);
  if (error.again !== undefined) expect(error.text).toContain(`Next: ${error.again.do}`);
  for (const line of error.details?.split('\n') ?? []) expect(error.text).toContain(line);
}

/** The way on works as it is, so that it does not repeat the error; and lets go of no guard. */
async function expectWayWorks(error: ToolError, asked: Arguments, server: ToolServer): Promise<void> {
  const { tool, arguments: args = {} } = error.again ?? {};
  if (tool === undefined) return;
  expect(tool).not.toBe('explain_error');
  const isEdit = tool === 'config_set' || tool === 'config_edit';
  if (isEdit) expect(args['expected_sha256']).toEqual(asked['expected_sha256']);
  if (isEdit && error.code !== 'BUSY') expect(args['dry_run'] ?? true).toBe(true);
  const depth = (path: unknown) => String(path).split(/[.[]/u).length;
  // Of a batch, the last edit is the one that was asked for.
  const last: unknown = [args['edits']].flat().at(-1);
  const path = Object(last)['path'] ?? args['path'];
  if (isEdit && typeof asked['path'] === 'string')
    expect(depth(path)).toBeGreaterThanOrEqual(depth(asked['path']));
  const { data } = await server.ok(tool, args);
  expect(data['ok']).toBe(true);
}

/** Brings the error about, and holds it to the contract. */
export async function check(row: Row, server: ToolServer, context: TestContext): Promise<void> {
  const [tool, args] = row.call;
  const undo = situation(row, server, context);
  const error = await server.refused(tool, args).finally(undo);
  expectHelpful(error, row, server);
  const { data } = await server.ok('explain_error', { message: error.text });
  expect(data).toMatchObject({ known: true, code: row.code });
  // "In a moment" the situation is over.
  await expectWayWorks(error, args, server);
}

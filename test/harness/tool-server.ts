// A server for tests of tools: every reply is held against the advertised output schema by the v1 client (which does so
// once it has listed the tools), and against what the tool is to answer here.
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { TOOLS } from '../../src/tools/index.ts';
import type { Outcome } from './clients.ts';
import { type ProcessOptions, type RunningProcess, startProcess } from './start-process.ts';
import { type RunningServer, type StartOptions, startServer } from './start-server.ts';

const Way = z.strictObject({
  do: z.string().min(1),
  tool: z.string().optional(),
  arguments: z.record(z.string(), z.unknown()).optional(),
});

const EditReply = z.looseObject({ ok: z.literal(true) });
const Problem = z.looseObject({
  code: z.string(),
  message: z.string(),
  line: z.number(),
  column: z.number(),
});

/** What each tool answers where it succeeds. */
const REPLIES: Readonly<Record<string, z.ZodObject>> = {
  config_list: z.object({
    ok: z.literal(true),
    files: z.array(z.object({ file: z.string(), size: z.number() })),
    next_cursor: z.string().optional(),
    truncated: z.boolean(),
  }),
  config_get: z.object({ ok: z.literal(true), file: z.string(), view: z.string(), sha256: z.string() }),
  config_search: z.object({
    ok: z.literal(true),
    matches: z.array(z.string()).optional(),
    values: z.array(z.object({ value: z.string(), count: z.number(), example: z.string() })).optional(),
    notes: z.array(z.string()),
    next_cursor: z.string().optional(),
  }),
  config_diff: z.object({ ok: z.literal(true), result: z.string(), differences: z.array(z.string()) }),
  config_history: z.object({ ok: z.literal(true) }),
  config_validate: z.object({
    ok: z.literal(true),
    valid: z.boolean(),
    problems: z.array(z.union([Problem, z.string()])),
  }),
  config_set: EditReply,
  config_edit: EditReply,
  config_apply: EditReply,
  config_revert: EditReply,
  explain_error: z.object({ ok: z.literal(true), known: z.boolean() }),
  list_capabilities: z.object({ ok: z.literal(true) }),
};

/** The error shape of the contract, with nothing beside it. */
const ErrorData = z.strictObject({
  ok: z.literal(false),
  error: z.strictObject({
    code: z.string(),
    message: z.string(),
    file: z.string().optional(),
    path: z.string().optional(),
    details: z.string().optional(),
    preview: z
      .looseObject({
        preview_id: z.string(),
        expires_at: z.string(),
        diff: z.string(),
      })
      .optional(),
    again: Way.optional(),
  }),
});
export type ToolError = z.infer<typeof ErrorData>['error'] & { readonly text: string };

export interface ToolServer extends RunningServer {
  /** A call that must succeed. */
  ok(name: string, args?: Readonly<Record<string, unknown>>): Promise<Outcome>;
  /** A call that must be refused. */
  refused(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolError>;
  write(file: string, contents: string | Uint8Array): void;
  /** A new file with these contents. */
  fresh(contents: string, extension?: string): string;
  /** The bytes on the disk, as text. */
  disk(file: string): string;
  changedAt(file: string): bigint;
}

/** One for all tests of a file or of a `describe`, which starts before them. */
export function toolServer(options: StartOptions = {}): ToolServer {
  let started: ToolServer | undefined;
  beforeAll(async () => {
    started = await startToolServer(options);
  });
  afterAll(() => started?.close());
  const server = (): ToolServer => {
    if (started === undefined) throw new Error('the server starts before the tests, and not before this');
    return started;
  };
  return {
    get root() {
      return server().root;
    },
    get state() {
      return server().state;
    },
    callTool: (name, args) => server().callTool(name, args),
    listTools: () => server().listTools(),
    stderr: () => server().stderr(),
    log: () => server().log(),
    close: () => server().close(),
    ok: (name, args) => server().ok(name, args),
    refused: (name, args) => server().refused(name, args),
    write: (file, contents) => server().write(file, contents),
    fresh: (contents, extension) => server().fresh(contents, extension),
    disk: (file) => server().disk(file),
    changedAt: (file) => server().changedAt(file),
  };
}

/** For the test that starts it, and ends with it. */
export async function ownToolServer(options: StartOptions = {}): Promise<ToolServer> {
  const server = await startToolServer(options);
  onTestFinished(() => server.close());
  return server;
}

/** In this process. */
export async function startToolServer(options: StartOptions = {}): Promise<ToolServer> {
  return withTools(await startServer(options));
}

/** The built command, in a process of its own. */
export async function startToolProcess(options: ProcessOptions = {}): Promise<ToolServer & RunningProcess> {
  return withTools(await startProcess(options));
}

async function withTools<Server extends RunningServer>(server: Server): Promise<ToolServer & Server> {
  await server.listTools();
  const place = (file: string) => join(server.root, file);
  const write = (file: string, contents: string | Uint8Array) => {
    mkdirSync(dirname(place(file)), { recursive: true });
    writeFileSync(place(file), contents);
  };
  let count = 0;
  return {
    ...server,
    ok: async (name, args) => {
      const outcome = await server.callTool(name, args);
      if (outcome.isError) throw new Error(`${name} was refused: ${outcome.text}`);
      const reply = REPLIES[name];
      if (reply === undefined && TOOLS.some((tool) => tool.name === name))
        throw new Error(`what ${name} is to answer is not written down here`);
      reply?.parse(outcome.data);
      return outcome;
    },
    refused: async (name, args) => toolErrorOf(await server.callTool(name, args)),
    write,
    fresh: (contents, extension = 'yaml') => {
      const file = `f${count++}.${extension}`;
      write(file, contents);
      return file;
    },
    disk: (file) => readFileSync(place(file), 'utf8'),
    changedAt: (file) => statSync(place(file), { bigint: true }).mtimeNs,
  };
}

/** What every error reply must be, whatever its code. */
export function toolErrorOf({ isError, text, data }: Outcome): ToolError {
  expect(isError).toBe(true);
  const { error } = ErrorData.parse(data);
  expect(text.length).toBeLessThan(2_000);
  expect(text.startsWith(`${error.code}: ${error.message.slice(0, 100)}`)).toBe(true);
  return { ...error, text };
}

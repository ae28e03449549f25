// Describes a tool by its name, schemas, four hints, and a function from checked input to a plain reply. It also has the arguments that
// several tools share, and the limits of replies. A tool knows neither MCP nor the disk; it throws refusals, which are translated
// elsewhere.
import { z } from 'zod';
import type { DocumentSelector } from '../adapters/tree/document.ts';
import type { Json } from '../adapters/tree/json.ts';
import { cutText } from '../adapters/tree/wording.ts';
import { readNestedJson } from '../protocol/read-nested-json.ts';
import type { Confirmation } from '../security/approval/approved.ts';
import type { Log } from '../security/audit/log.ts';
import type { Policy } from '../security/policy/policy.ts';
import type { Sandbox } from '../security/sandbox/sandbox.ts';
import type { Backend } from '../security/state/backend.ts';
import { requireWritable } from '../security/writer/permission.ts';
import type { Caller, KeptFile } from '../state/preview.ts';

/** All four hints are required, so that none is forgotten. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: false;
}

/** The parts of the running server that a tool may use. */
export interface CallContext {
  /** The id of this request in the log. */
  readonly requestId: string;
  readonly caller: Caller;
  /** True for a command of the operator, who owns all previews and changes. */
  readonly isOperator?: boolean | undefined;
  /** How a person confirmed this very call. No argument of a request can set it. */
  readonly confirmed: Confirmation | undefined;
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  readonly log: Log;
  /** Stores previews and changes between calls, and writes; undefined in read-only mode. */
  readonly backend: Backend | undefined;
  /** The files to read as a preview would make them, by full name. */
  readonly previewed?: ReadonlyMap<string, KeptFile> | undefined;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  /**
   * Lets the event loop turn between steps of long work, and throws if the client has cancelled. A step may take `limits.stepMs`;
   * a longer one may be ended before it gets here.
   */
  readonly pause: () => Promise<void>;
  /** The file at which a page has to end, because there is no time to go on. */
  readonly endsAt?: string | undefined;
  /** Whether calls are served in a thread of their own. */
  readonly isolation: 'worker' | 'none';
  /** Tells the client the progress of long work; it is cheap, never throws, and may be ignored. */
  readonly progress: (done: number, total?: number) => void;
}

/** The reply of a tool: `text` is for a model; `data` is the same as structured content. */
export interface Reply {
  readonly text: string;
  /** A text that is shown in addition to a `text` that is an exact slice of a file. */
  readonly note?: string;
  readonly data: { readonly ok: true } & Readonly<Record<string, unknown>>;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly hints: Hints;
  // A method on purpose: its parameters are bivariant, so a Tool<Special> can be used as a Tool.
  run(input: z.infer<Input>, context: CallContext): Reply | Promise<Reply>;
}

/** Keeps the type of the input in `run` without repeating it. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool<Input> {
  return definition;
}

/** Returns the backend. Throws READ_ONLY for a read-only server, which has none. */
export function backendIn({ policy, backend }: Pick<CallContext, 'policy' | 'backend'>): Backend {
  if (backend !== undefined) return backend;
  requireWritable(policy);
  throw new Error('a server that can write has a state directory');
}

const MAX_SENTENCE = 1_000;
/** The maximum length of a node path as an argument. */
const MAX_PATH = 4_096;
const MAX_CUT_PATH = 200;

/** The limit of a list in a reply: a file may have any number of keys, and comments of any length. */
export interface Budget {
  readonly most: number;
  readonly chars: number;
}

/** Returns the first items within the budget, but at least one, so that repeated calls make progress. */
export function takeWithinBudget<Item>(
  items: readonly Item[],
  { most, chars }: Budget,
  lengthOf: (item: Item) => number,
): Item[] {
  let left = chars;
  const end = items.slice(0, most).findIndex((item, index) => {
    left -= lengthOf(item);
    return left < 0 && index > 0;
  });
  return items.slice(0, end === -1 ? most : end);
}

export function cutSentence(text: string): string {
  return cutText(text, MAX_SENTENCE);
}

export function cutPath(path: string): string {
  return path.length <= MAX_PATH ? path : cutText(path, MAX_CUT_PATH);
}

/** Marks the schema that clients see for a field that accepts more. */
export function advertised(schema: Readonly<Record<string, unknown>>) {
  return { advertised: schema };
}

const WRONG_DOC =
  'expected Kind/name, an index, or node paths with plain values, such as {"metadata.name":"web"}';
/** A matcher passes unchanged: zod's record would drop a key called `__proto__`, and a condition would be lost silently. */
const matcherField = z.custom<Extract<DocumentSelector, object>>(
  (given) =>
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.entries(given).every(([key, value]) => key !== '__proto__' && Object(value) !== value),
);

/** Also accepts an index or the matcher itself; the advertised schema has one type, because some clients support no others. */
export const docField = z
  .union([z.number().int(), z.string().transform(matcherIn), matcherField], WRONG_DOC)
  .meta(advertised({ type: 'string' }))
  .optional()
  .describe('Which document: Kind/name, an index, or {"kind":"Service","metadata.name":"web"}');

/** Parses a matcher from a JSON object; any other text is the name of a document. */
function matcherIn(text: string, context: z.RefinementCtx): DocumentSelector {
  if (!text.trimStart().startsWith('{')) return text;
  const matcher = matcherField.safeParse(readNestedJson(text));
  if (matcher.success) return matcher.data;
  context.addIssue(WRONG_DOC);
  return z.NEVER;
}

/**
 * A value from a request is JSON already and passes unchanged: zod's JSON type would drop keys named `__proto__`. Objects are accepted
 * but not advertised, because strict schemas allow no objects with arbitrary keys, and LangChain would accept nothing else.
 */
export const jsonField = z
  .custom<Json>((value) => value !== undefined)
  .meta(
    advertised({
      anyOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }] } },
      ],
    }),
  );

export const dryRunField = z.boolean().default(true).describe('false: write at once, if allowed');

/** A preview of the same caller that is not applied yet: edits join it, and tools that read show files as it would make them. */
export const previewField = z.string().optional();

const MAX_REASON = 300;

export const reasonField = z
  .string()
  .refine((text) => text.length <= MAX_REASON, `expected at most ${MAX_REASON} characters`)
  .optional();

/** A whole hash, or the beginning of one as replies show it. */
export const sha256Field = z
  .string()
  .refine((text) => /^[0-9a-f]{8,64}$/u.test(text), 'expected 8 to 64 hexadecimal digits');

/**
 * An option for a rule over several fields. zod skips such rules if any field is wrong, so the caller would see their messages only
 * in the next call.
 */
export const runEvenIfInvalid = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
} as const;

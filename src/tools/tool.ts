// Describes a tool by its name, schemas, four hints, and a function from checked input to a plain reply. The arguments that
// several tools share, and the limits of replies, are here as well. A tool knows neither MCP nor the disk; it throws refusals,
// which are translated elsewhere.
import { z } from 'zod';
import { cutText, type DocumentSelector, type Json } from '../adapters/index.ts';
import { readNestedJson } from '../protocol/index.ts';
import {
  type Backend,
  type Caller,
  type Confirmation,
  type KeptFile,
  type Log,
  type Policy,
  requireWritable,
  type Sandbox,
} from '../security/index.ts';

/** All four hints are required, so that nobody forgets to think about one. */
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
  /** True if a command of the operator calls; all previews and changes are then its own. */
  readonly isOperator?: boolean | undefined;
  /** The person who has confirmed this very call. No argument of a request can set it. */
  readonly confirmed: Confirmation | undefined;
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  readonly log: Log;
  /** Keeps previews and changes from call to call, and writes; undefined in read-only mode. */
  readonly backend: Backend | undefined;
  /** The files that are read as a preview would make them, by their full names. */
  readonly previewed?: ReadonlyMap<string, KeptFile> | undefined;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  /**
   * Lets the event loop turn between the steps of long work, and throws where the client has cancelled. A step may take
   * `limits.stepMs`; a longer one may be ended before it gets here.
   */
  readonly pause: () => Promise<void>;
  /** The file at which a page of many has to end, because there is no time to go on. */
  readonly endsAt?: string | undefined;
  /** Says whether calls are served in a thread of their own. */
  readonly isolation: 'worker' | 'none';
  /** Tells the client the progress of long work; it is cheap, never throws, and may be ignored. */
  readonly progress: (done: number, total?: number) => void;
}

/** The answer of a tool: `text` is for a model; `data` is the same as structured content. */
export interface Reply {
  readonly text: string;
  /** A text that is shown beside a `text` that is an exact slice of a file. */
  readonly note?: string;
  readonly data: { readonly ok: true } & Readonly<Record<string, unknown>>;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly hints: Hints;
  // This is written as a method on purpose: a Tool<Special> can then be used as a Tool.
  run(input: z.infer<Input>, context: CallContext): Reply | Promise<Reply>;
}

/** Keeps the type of the input in `run` without repeating it. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool<Input> {
  return definition;
}

/** Returns the backend. Throws READ_ONLY for a server that cannot write, and has none. */
export function backendIn({ policy, backend }: Pick<CallContext, 'policy' | 'backend'>): Backend {
  if (backend !== undefined) return backend;
  requireWritable(policy);
  throw new Error('a server that can write has a state directory');
}

const MAX_SENTENCE = 1_000;
/** Longer node paths are not accepted as an argument either. */
const MAX_PATH = 4_096;
const MAX_CUT_PATH = 200;

/** A limit for lists in a reply: a file may hold any number of keys and comments of any length. */
export interface Budget {
  readonly most: number;
  readonly chars: number;
}

/** Returns the first items that the budget holds; at least one, if there is one, so that repeated calls come to an end. */
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

/** Marks the schema that clients are shown for a field, where more than that is accepted. */
export function advertised(schema: Readonly<Record<string, unknown>>) {
  return { advertised: schema };
}

const WRONG_DOC =
  'expected Kind/name, an index, or node paths with plain values, such as {"metadata.name":"web"}';
/** A matcher passes unchanged: a record of zod would leave out a key called `__proto__`, and a condition would be silently lost. */
const matcherField = z.custom<Extract<DocumentSelector, object>>(
  (given) =>
    typeof given === 'object' &&
    given !== null &&
    !Array.isArray(given) &&
    Object.entries(given).every(([key, value]) => key !== '__proto__' && Object(value) !== value),
);

/** The field also accepts an index or the matcher itself; the advertised schema has one type, because some clients know no others. */
export const docField = z
  .union([z.number().int(), z.string().transform(matcherIn), matcherField], WRONG_DOC)
  .meta(advertised({ type: 'string' }))
  .optional()
  .describe('Which document: Kind/name, an index, or {"kind":"Service","metadata.name":"web"}');

/** Reads a matcher from a text that is a JSON object; any other text names a document itself. */
function matcherIn(text: string, context: z.RefinementCtx): DocumentSelector {
  if (!text.trimStart().startsWith('{')) return text;
  const matcher = matcherField.safeParse(readNestedJson(text));
  if (matcher.success) return matcher.data;
  context.addIssue(WRONG_DOC);
  return z.NEVER;
}

/**
 * A value from a request is JSON already, and passes unchanged: zod's own JSON type would leave out keys named `__proto__`.
 * Objects are accepted but not advertised, because strict schemas cannot have one with any keys, and LangChain would accept
 * nothing else.
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

/** A preview of the same caller that was not applied yet: an edit joins it, and a tool that reads shows files as it would make them. */
export const previewField = z.string().optional();

const MAX_REASON = 300;

export const reasonField = z
  .string()
  .refine((text) => text.length <= MAX_REASON, `expected at most ${MAX_REASON} characters`)
  .optional();

/** A whole hash, or its beginning, as replies show it. */
export const sha256Field = z
  .string()
  .refine((text) => /^[0-9a-f]{8,64}$/u.test(text), 'expected 8 to 64 hexadecimal digits');

/**
 * An option for a rule over several fields. zod skips such rules as soon as one field is wrong, so that the caller would see
 * their messages only in the next call.
 */
export const runEvenIfInvalid = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
} as const;

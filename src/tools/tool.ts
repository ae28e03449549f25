// What a tool is: a name, schemas, the four hints and a function from checked input to a plain reply; the arguments that
// several tools share; and the bounds of what they answer. A tool knows neither MCP nor the disk; refusals are thrown and
// translated elsewhere.
import { z } from 'zod';
import { cutText, type DocumentSelector, type Json } from '../adapters/index.ts';
import { readNestedJson } from '../protocol/index.ts';
import {
  type Caller,
  type Log,
  type Policy,
  type PreviewFile,
  requireWritable,
  type Sandbox,
  type State,
} from '../security/index.ts';

/** All four are required, so that nobody forgets to think about one. */
export interface Hints {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: false;
}

/** What a tool may use of the running server. */
export interface CallContext {
  /** What the log calls this request. */
  readonly requestId: string;
  readonly caller: Caller;
  /** Whether a command of the operator calls, whose every preview and change is: ids belong to nobody there. */
  readonly isOperator?: boolean | undefined;
  /**
   * Whose yes came with this call: of the person at the client, who was asked by the server, or of the one at the
   * terminal; `declined` is a no of the former. Nothing that a request can say sets it.
   */
  readonly confirmed: 'client' | 'terminal' | 'declined' | undefined;
  readonly policy: Policy;
  readonly sandbox: Sandbox;
  readonly log: Log;
  /** What is kept from call to call: previews, changes and the trail. None in read-only mode. */
  readonly state: State | undefined;
  /** By their names in full: files that are read as a preview would make them. */
  readonly previewed?: ReadonlyMap<string, PreviewFile> | undefined;
  /** Aborted when the client cancels. */
  readonly signal: AbortSignal;
  /**
   * Between the steps of long work: lets the event loop turn, and throws where the client has cancelled. A
   * step may take `limits.stepMs`; where it takes longer, it may never get here.
   */
  readonly pause: () => Promise<void>;
  /** For the moment of writing: from here on nothing stops the call. Refused where its time is up already. */
  readonly criticalSection: <Result>(work: () => Promise<Result>) => Promise<Result>;
  /** Whether calls are served in a thread of their own. */
  readonly isolation: 'worker' | 'none';
  /** Tells the client how far long work has come; cheap, never throws, may be ignored. */
  readonly progress: (done: number, total?: number) => void;
}

/** `text` is what a model should read; `data` is the same as structured content. */
export interface Reply {
  readonly text: string;
  /** What is said beside a text that is a slice of a file, to the letter. */
  readonly note?: string;
  readonly data: { readonly ok: true } & Readonly<Record<string, unknown>>;
}

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly hints: Hints;
  // Method syntax on purpose: a Tool<Special> is usable where a Tool is expected.
  run(input: z.infer<Input>, context: CallContext): Reply | Promise<Reply>;
}

/** Keeps the input's type in `run` without repeating it. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool<Input> {
  return definition;
}

/** The state directory of a server that can write. Throws READ_ONLY for one that cannot, and has none. */
export function stateOf({ policy, state }: CallContext): State {
  requireWritable(policy);
  if (state === undefined) throw new Error('a server that can write has a state directory');
  return state;
}

const MAX_SENTENCE = 1_000;
/** Longer node paths are not taken as an argument either. */
const MAX_PATH = 4_096;
const MAX_CUT_PATH = 200;

/** A file may hold any number of keys and comments, each of any length; no reply is longer than the operator allows. */
export interface Budget {
  readonly most: number;
  readonly chars: number;
}

/** The first items that the budget holds; at least one, if there is one, so that repeated calls come to an end. */
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

/** What clients are told of a field, where more than that is taken. */
function advertised(schema: Readonly<Record<string, unknown>>) {
  return { advertised: schema };
}

const WRONG_DOC =
  'expected Kind/name, an index, or node paths with plain values, such as {"metadata.name":"web"}';
const matcherField = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

/** An index or the matcher itself are taken as well; what is advertised has one type, for clients that know no other. */
export const docField = z
  .union([z.number().int(), z.string().transform(matcherIn), matcherField], WRONG_DOC)
  .meta(advertised({ type: 'string' }))
  .optional()
  .describe('Which document: Kind/name, an index, or {"kind":"Service","metadata.name":"web"}');

/** Of a text that is a JSON object; any other names a document as it is. */
function matcherIn(text: string, context: z.RefinementCtx): DocumentSelector {
  if (!text.trimStart().startsWith('{')) return text;
  const given = readNestedJson(text);
  const matcher = matcherField.safeParse(given);
  // The schema leaves a key of this name out, and a condition would be lost in silence.
  if (matcher.success && !Object.hasOwn(Object(given), '__proto__')) return matcher.data;
  context.addIssue(WRONG_DOC);
  return z.NEVER;
}

/**
 * What arrives in a request is JSON already, and passes as it is: zod's own JSON type would leave out keys named `__proto__`.
 * Objects are taken, and not advertised: strict schemas cannot have one of any keys, and LangChain would take nothing else.
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

/** A preview of the same caller that was not applied yet: what the call asks for joins it. */
export const joinField = z.string().optional();

/** Of a tool that reads. */
export const previewField = z.string().optional();

const MAX_REASON = 300;

export const reasonField = z
  .string()
  .refine((text) => text.length <= MAX_REASON, `expected at most ${MAX_REASON} characters`)
  .optional();

/** The whole hash, or its beginning, as replies show it. */
export const sha256Field = z
  .string()
  .refine((text) => /^[0-9a-f]{8,64}$/u.test(text), 'expected 8 to 64 hexadecimal digits');

/**
 * For a rule over several fields. zod skips such rules as soon as one field is wrong, and the caller
 * would meet them one call later instead of with all other problems.
 */
export const runEvenIfInvalid = {
  when: ({ value }: { readonly value: unknown }) => typeof value === 'object' && value !== null,
} as const;

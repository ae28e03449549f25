// Scans the text of a message before it is parsed: its depth, its number of structural tokens, and members that an object names
// twice. Deep or crowded text costs a parser, and the code that walks the result, far more than its bytes. It is exact for
// valid JSON; for any other text the answer does no harm.

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
// "[" and "{", "]" and "}" differ in one bit.
const BRACE_BIT = 0x20;
const OPEN = 0x7b;
const CLOSE = 0x7d;

export interface MessageLimits {
  readonly depth: number;
  /** The most opening brackets, commas and colons outside of strings. */
  readonly tokens: number;
  /** The same, without those in the arguments of a call. */
  readonly envelopeTokens: number;
}

/** The limits of every message. */
export const MESSAGE_LIMITS: MessageLimits = {
  // This is the default depth of a file, and some more for the envelope around a value of that depth.
  depth: 128,
  // A thousand edits at once have a fifth of it. A million keys would keep everybody waiting for seconds.
  tokens: 50_000,
  // Messages of real clients have some dozens. The SDK copies everything except the arguments several times.
  envelopeTokens: 4_000,
};

export interface MessageScan {
  /** The first problem: the exceeded limit, or a member that is named twice. */
  readonly problem: keyof MessageLimits | 'duplicate' | undefined;
  /** The text of the outermost object's `id` and `method`; the last one where there are several. */
  readonly outer: ReadonlyMap<string, string>;
}

export function scanMessage(json: string, limits: MessageLimits): MessageScan {
  const scanner = new Scanner(json, limits);
  scanner.run();
  return scanner;
}

class Scanner implements MessageScan {
  problem: MessageScan['problem'];
  readonly outer = new Map<string, string>();
  readonly #json: string;
  readonly #limits: MessageLimits;
  #depth = 0;
  #tokens = 0;
  #envelopeTokens = 0;
  /** The last string, from quote to quote. */
  #string = { start: 0, end: 0 };
  /** The member names of each open object, and the last one, by depth. */
  readonly #names: (Set<string> | undefined)[] = [];
  readonly #path: (string | undefined)[] = [];
  /** The start of the value of the outermost object's member. */
  #valueStart: number | undefined;

  constructor(json: string, limits: MessageLimits) {
    this.#json = json;
    this.#limits = limits;
  }

  run(): void {
    for (let at = 0; at < this.#json.length; at++) {
      const unit = this.#json.charCodeAt(at);
      if (unit === QUOTE) {
        this.#string = { start: at, end: endOfString(this.#json, at) };
        at = this.#string.end;
      } else if ((unit | BRACE_BIT) === OPEN) this.#open();
      else if ((unit | BRACE_BIT) === CLOSE) this.#close(at);
      else if (unit === COLON) this.#name(at);
      else if (unit === COMMA) {
        this.#endValue(at);
        this.#count();
      }
    }
  }

  #open(): void {
    this.#count();
    this.#depth += 1;
    if (this.#depth > this.#limits.depth) this.problem ??= 'depth';
    if (this.problem !== undefined) return;
    this.#names[this.#depth] = undefined;
    this.#path[this.#depth] = undefined;
  }

  #close(at: number): void {
    this.#endValue(at);
    this.#depth = Math.max(0, this.#depth - 1);
  }

  #name(at: number): void {
    this.#count();
    const isOuter = this.#depth === 1;
    // After a problem only the outermost names matter, because they tell which request the refusal answers.
    if (this.problem !== undefined && !isOuter) return;
    const { start, end } = this.#string;
    const name = textOf(this.#json.slice(start, end + 1));
    if (isOuter) this.#valueStart = at + 1;
    this.#path[this.#depth] = name;
    if (this.problem !== undefined) return;
    const names = this.#names[this.#depth] ?? new Set();
    this.#names[this.#depth] = names;
    if (names.has(name)) this.problem = 'duplicate';
    names.add(name);
  }

  #endValue(at: number): void {
    if (this.#depth !== 1 || this.#valueStart === undefined) return;
    const name = this.#path[1];
    if (name === 'id' || name === 'method')
      this.outer.set(name, this.#json.slice(this.#valueStart, at).trim());
    this.#valueStart = undefined;
  }

  #count(): void {
    this.#tokens += 1;
    const isArgument = this.#depth > 2 && this.#path[1] === 'params' && this.#path[2] === 'arguments';
    if (!isArgument) this.#envelopeTokens += 1;
    if (this.#tokens > this.#limits.tokens) this.problem ??= 'tokens';
    if (this.#envelopeTokens > this.#limits.envelopeTokens) this.problem ??= 'envelopeTokens';
  }
}

/** Returns the name in a quoted text, unescaped: `"dry\u005frun"` names the same member as `"dry_run"`. */
function textOf(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}

/** Returns the offset of the quote that ends the string; the end of the text where there is none. */
function endOfString(json: string, start: number): number {
  const end = json.indexOf('"', start + 1);
  if (end === -1) return json.length;
  if (json.charCodeAt(end - 1) !== BACKSLASH) return end;
  // It goes unit by unit, because searching for the next quote after each escaped one could scan the text twice.
  for (let at = start + 1; at < json.length; at++) {
    const unit = json.charCodeAt(at);
    if (unit === QUOTE) return at;
    if (unit === BACKSLASH) at++;
  }
  return json.length;
}

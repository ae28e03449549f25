// The types of what a program imports, in one file that needs no other: each option with its help, from the list of
// options. A test compiles docs/embedding.md against them.

export function typesOf(options) {
  const keys = options.map(
    ({ name, help, ...option }) => `  /** ${sentence(help)} */\n  readonly '${name}'?: ${typeOf(option)};\n`,
  );
  return `${HEAD}/** The keys and values of a config file; docs/options.md has their defaults. */
export interface Options {\n${keys.join('')}}\n${REST}`;
}

function typeOf({ schema, isRepeatable }) {
  const one = ofValue(schema);
  return isRepeatable ? `${one} | readonly ${one.includes('|') ? `(${one})` : one}[]` : one;
}

function ofValue({ type, enum: values, anyOf }) {
  if (anyOf !== undefined) return anyOf.map(ofValue).join(' | ');
  if (values !== undefined) return values.map((value) => `'${value}'`).join(' | ');
  return type === 'integer' ? 'number' : type;
}

function sentence(help) {
  return `${help.slice(0, 1).toUpperCase()}${help.slice(1)}.`.replaceAll('*/', '*\\/');
}

const HEAD = `// Made from the list of options by scripts/bundle/types.mjs.

/** What the server needs of a transport: those of the MCP SDKs fit, of its first and its second version. */
export interface Transport {
  start(): Promise<void>;
  send(message: unknown, options?: unknown): Promise<void>;
  close(): Promise<void>;
  onclose?: Method['onclose'] | undefined;
  onerror?: Method['onerror'] | undefined;
  onmessage?: Method['onmessage'] | undefined;
}

/** Methods, so that a transport may know more of a message than that it is one. */
interface Method {
  onclose(): void;
  onerror(error: Error): void;
  onmessage(message: unknown, extra?: unknown): void;
}

`;

const REST = `
export interface Airlock {
  /** Serves one client. Several may be connected at a time. */
  connect(transport: Transport): Promise<void>;
  /** Ends all connections. A write under way is carried to its end. */
  close(): Promise<void>;
}

/** Rejects with an error whose message says which option is wrong, or what cannot be served. */
export declare function openAirlock(options: Options): Promise<Airlock>;

export declare const VERSION: string;
`;

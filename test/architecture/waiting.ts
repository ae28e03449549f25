// What makes a test fail on a busy machine, or pass where it should fail: waiting for a while instead of for a fact,
// limits that are too short, clocks that are compared, kills that nobody waits for, names and ports that two runs share.
import { calleeName, isNode, literalText, type Node, parsed } from './syntax.ts';

interface Exception {
  readonly file: string;
  readonly what: string;
  readonly why: string;
}

/** File (posix, relative to the project) → source text. */
type Sources = ReadonlyMap<string, string>;

/** One line for each breach, naming file and line, and one for each exception that nobody needs. */
export function waitingViolations(sources: Sources, exceptions: readonly Exception[]): readonly string[] {
  const used = new Set<Exception>();
  const breaches = [...sources].flatMap(([file, text]) => {
    const found: string[] = [];
    parsed(file, text, ({ node, key, parent, line }) => {
      const fault = faultOf(node, key, parent);
      if (fault === undefined) return;
      const exception = exceptions.find((one) => one.file === file && one.what === fault.what);
      if (exception === undefined) found.push(`${file}:${line} ${fault.what}: ${fault.instead}`);
      else used.add(exception);
    });
    return found;
  });
  const unused = exceptions.filter((exception) => !used.has(exception));
  return [
    ...breaches,
    ...unused.map(({ file, what }) => `nobody needs the exception for ${what} in ${file}`),
  ];
}

interface Fault {
  readonly what: string;
  readonly instead: string;
}

const TIME = 'time is no measure on a busy machine';
const CALLS: readonly { readonly pattern: RegExp; readonly instead: string }[] = [
  {
    pattern: /^(?:setTimeout|(?:globalThis|timers)\.setTimeout|sleep|Atomics\.wait)$/,
    instead: 'wait for what is to happen, with `eventually`',
  },
  {
    pattern: /^(?:expect\.poll|vi\.waitFor|vi\.waitUntil)$/,
    instead: 'gives up after a second; `eventually` does not',
  },
  { pattern: /^performance\.now$|^process\.hrtime/, instead: TIME },
];
/** What takes a limit of its own as its last argument. */
const TESTS = /^(?:it|test|describe|beforeAll|beforeEach|afterAll|afterEach)\b/;

function faultOf(node: Node, key: string, parent: Node | undefined): Fault | undefined {
  if (node.type === 'CallExpression') return callFault(node);
  if (node.type === 'Property' && keyName(node) === 'timeout' && isNumber(node['value']))
    return { what: 'timeout', instead: 'the limit of all tests, or PATIENCE_MS' };
  if (node.type === 'BinaryExpression' && /^[-<>]/.test(String(node['operator'])) && isClock(node))
    return { what: 'Date.now', instead: TIME };
  const text = literalText(node);
  // A specifier or a type is no path.
  if (text === undefined || key === 'source' || parent?.type === 'TSLiteralType') return undefined;
  return /^\/(?:tmp|var\/tmp|dev\/shm)\/./.test(text)
    ? { what: text, instead: 'another run has the same file; `tempRoot` makes a new one' }
    : undefined;
}

function callFault(call: Node): Fault | undefined {
  const callee = call['callee'];
  // `it.each(ROWS)` is called as `it` is.
  const name = calleeName(isNode(callee) && callee.type === 'CallExpression' ? callee['callee'] : callee);
  const args = Array.isArray(call['arguments']) ? call['arguments'] : [];
  const last: unknown = args.at(-1);
  const known = CALLS.find(({ pattern }) => pattern.test(name));
  if (known !== undefined) return { what: name, instead: known.instead };
  if (TESTS.test(name) && args.length > 1 && isNumber(last))
    return { what: 'timeout', instead: 'the limit of all tests' };
  if (name.endsWith('.kill') && literalText(last) === 'SIGKILL' && calleeName(args[0]) !== 'process.pid')
    return { what: 'kill', instead: '`end` waits for the death as well' };
  if (name.endsWith('.listen') && isNumber(args[0]) && args[0].value !== 0)
    return { what: 'listen', instead: 'port 0 is one that is free' };
  return undefined;
}

/** A time that has passed, or is waited for. As a seed or a date, the clock does no harm. */
function isClock({ left, right }: Node): boolean {
  return [left, right].some((side) => isNode(side) && calleeName(side['callee']) === 'Date.now');
}

function keyName({ key }: Node): unknown {
  return isNode(key) ? key['name'] : undefined;
}

function isNumber(node: unknown): node is Node & { readonly value: number } {
  return isNode(node) && node.type === 'Literal' && typeof node['value'] === 'number';
}

// What can be broken in a source file, and a text of the file in which each mutant waits until it is switched on.
import { createHash } from 'node:crypto';
import { parseSync } from 'oxc-parser';

const OPPOSITE = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '===': '!==', '!==': '===' };
const BOUNDARY = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' };
const OTHER = { '&&': '||', '||': '&&' };
const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** Every mutant of a file: of what runs when it is called, and of no text that is made for a reader. */
export function mutantsOf(file, text) {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`);
  const found = [];
  visit(program, false);
  return found;

  function visit(node, isInFunction) {
    if (Array.isArray(node)) for (const item of node) visit(item, isInFunction);
    if (typeof node?.type !== 'string' || isType(node) || isMessage(node)) return;
    const isFunction = FUNCTIONS.includes(node.type);
    if (isFunction && wordingIn(node)) return;
    if (isFunction && node.expression) mutateResult(node.body);
    if (isInFunction) mutate(node);
    for (const [name, child] of Object.entries(node)) {
      const isName = name === 'key' && node.computed !== true;
      if (typeof child === 'object' && !isName) visit(child, isInFunction || isFunction);
    }
  }

  function mutate(node) {
    const { type, operator, left, right, test, argument, expression, value } = node;
    const joined = (other) => {
      const sign = text.slice(left.end, right.start).replace(operator, other);
      return `(${sourceOf(left)})${sign}(${sourceOf(right)})`;
    };
    if (type === 'BinaryExpression' && operator in OPPOSITE) add('flip', node, joined(OPPOSITE[operator]));
    if (type === 'BinaryExpression' && operator in BOUNDARY)
      add('boundary', node, joined(BOUNDARY[operator]));
    if (type === 'LogicalExpression' && operator in OTHER) add('and-or', node, joined(OTHER[operator]));
    if (type === 'UnaryExpression' && operator === '!') add('drop-not', node, sourceOf(argument));
    if (type === 'IfStatement' || type === 'ConditionalExpression') {
      if (!['BinaryExpression', 'UnaryExpression'].includes(test.type))
        add('negate', test, `!(${sourceOf(test)})`);
    }
    if (type === 'ReturnStatement' && argument !== null) mutateResult(argument);
    if (type === 'ExpressionStatement' && isCall(expression)) add('remove-call', expression, 'undefined');
    if (type === 'Literal' && typeof value === 'number' && value < 1_000)
      add('plus-one', node, `${value + 1}`);
  }

  function mutateResult(node) {
    if (node.type === 'ArrayExpression' && node.elements.length > 0) add('empty', node, '[]');
    if (node.type === 'Literal' && typeof node.value === 'string' && node.value !== '')
      add('empty', node, "''");
    if (node.type === 'Literal' && typeof node.value === 'boolean') add('flip', node, `${!node.value}`);
  }

  function add(operator, { start, end }, to) {
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, start, end, operator, from: text.slice(start, end), to });
  }

  function sourceOf({ start, end }) {
    return text.slice(start, end);
  }
}

/** Says which mutant it is wherever its line has moved to. */
export function nameOf({ file, operator, from, to }) {
  return `${file} ${operator}: ${from} → ${to}`.replaceAll(/\s+/g, ' ');
}

/** The first `count` in an order that the seed makes, at most one of a line. */
export function sampleOf(mutants, seed, count) {
  const rankOf = (mutant) =>
    createHash('sha256')
      .update(`${seed} ${nameOf(mutant)}`)
      .digest('hex');
  const ranked = mutants.map((mutant) => ({ mutant, rank: rankOf(mutant) }));
  ranked.sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const lines = new Map();
  for (const { mutant } of ranked) {
    const line = `${mutant.file}:${mutant.line}`;
    if (!lines.has(line)) lines.set(line, mutant);
  }
  return [...lines.values()].slice(0, count);
}

/** The text with all of its mutants in it: `globalThis.mutation(id)` says which one is on. */
export function instrumented(text, mutants) {
  const marks = mutants.flatMap(({ id, start, end, to }) => [
    { at: start, width: end - start, mark: `(globalThis.mutation(${id})?(${to}):(` },
    { at: end, width: start - end, mark: '))' },
  ]);
  // From the end to the beginning; where several stand at one place, what is wider is outside.
  marks.sort((a, b) => b.at - a.at || a.width - b.width);
  return marks.reduce((out, { at, mark }) => out.slice(0, at) + mark + out.slice(at), text);
}

function isType({ type }) {
  return type.startsWith('TS') && !['TSAsExpression', 'TSSatisfiesExpression'].includes(type);
}

function isMessage({ type, callee }) {
  return (
    type === 'TemplateLiteral' || (type === 'NewExpression' && /(Error|Refusal)$/.test(callee.name ?? ''))
  );
}

function isCall(expression) {
  const called = expression.type === 'AwaitExpression' ? expression.argument : expression;
  return called.type === 'CallExpression' && called.callee.type !== 'Super';
}

/** True for a function that returns words: a text with a blank in it. */
function wordingIn({ expression, body }) {
  return expression ? isWording(body) : resultsIn(body).some(isWording);
}

function resultsIn(node) {
  if (Array.isArray(node)) return node.flatMap(resultsIn);
  if (node === null || typeof node !== 'object' || FUNCTIONS.includes(node.type)) return [];
  if (node.type === 'ReturnStatement') return [node.argument];
  return Object.values(node).flatMap(resultsIn);
}

function isWording(node) {
  if (node?.type === 'Literal') return typeof node.value === 'string' && node.value.includes(' ');
  if (node?.type === 'TemplateLiteral') return node.quasis.some(({ value }) => / \w/.test(value.raw));
  return node?.type === 'ConditionalExpression' && (isWording(node.consequent) || isWording(node.alternate));
}

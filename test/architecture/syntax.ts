// A walk over the syntax tree of one file: comments and strings are not mistaken for code.
import { parseSync } from 'oxc-parser';

export interface Node extends Readonly<Record<string, unknown>> {
  readonly type: string;
  readonly start: number;
}

export interface Place {
  readonly node: Node;
  /** The field of the parent in which it stands. */
  readonly key: string;
  readonly parent: Node | undefined;
  readonly line: number;
}

/** Visits every node, parents first. Answers the syntax errors. */
export function parsed(file: string, text: string, visit: (place: Place) => void): readonly string[] {
  const { program, errors } = parseSync(file, text, { sourceType: 'module' });
  const starts = [...text.matchAll(/\n/gu)].map(({ index }) => index);
  const lineOf = ({ start }: Node): number => {
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < start) low = middle + 1;
      else high = middle;
    }
    return low + 1;
  };
  const walk = (node: Node, key: string, parent: Node | undefined): void => {
    visit({ node, key, parent, line: lineOf(node) });
    for (const [childKey, value] of Object.entries(node)) {
      for (const child of Array.isArray(value) ? value : [value]) {
        if (isNode(child)) walk(child, childKey, node);
      }
    }
  };
  if (isNode(program)) walk(program, '', undefined);
  return errors.map(({ message }) => message);
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}

/** `b` of `a.b` and of `a['b']`; undefined where it is computed. */
export function memberName(member: Node): string | undefined {
  const property = member['property'];
  if (!isNode(property)) return undefined;
  if (member['computed'] === true) return literalText(property);
  return typeof property['name'] === 'string' ? property['name'] : undefined;
}

/** `a` of a name, `a.b` of a member: what a call calls, as far as it can be read. */
export function calleeName(callee: unknown): string {
  if (!isNode(callee)) return '';
  if (typeof callee['name'] === 'string') return callee['name'];
  return callee.type === 'MemberExpression' ? `${calleeName(callee['object'])}.${memberName(callee)}` : '';
}

/** The text of a string literal, or of a template without expressions. */
export function literalText(node: unknown): string | undefined {
  if (!isNode(node)) return undefined;
  if (node.type === 'Literal' && typeof node['value'] === 'string') return node['value'];
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node['quasis']) || node['quasis'].length !== 1)
    return undefined;
  const value: unknown = node['quasis'][0].value;
  return typeof value === 'object' && value !== null && 'cooked' in value ? String(value.cooked) : undefined;
}

// What a source file reaches for: every import in every spelling, and every global that gives power
// over the machine. Reads the syntax tree, so comments and strings cannot confuse it. It sees what
// an honest author writes; it does not promise to see through a deliberately disguised access.
import { isNode, literalText, memberName, type Node, parsed } from './syntax.ts';

interface Import {
  /** As written: './edit.ts', 'node:fs', 'zod'; undefined where it is computed at run time. */
  readonly specifier: string | undefined;
  /** `import('./edit.ts').Edit`, a type. */
  readonly isTypeInPlace: boolean;
  readonly line: number;
}

interface Use {
  /** 'console', 'process.stdout', 'eval', …; 'process' alone where the object itself is passed on. */
  readonly name: string;
  readonly line: number;
}

export interface Facts {
  readonly imports: readonly Import[];
  readonly uses: readonly Use[];
  readonly syntaxErrors: readonly string[];
}

/** Globals through which code reaches the machine, the network or other code. */
const POWERS: ReadonlySet<string> = new Set([
  'AsyncFunction',
  'EventSource',
  'Function',
  'WebAssembly',
  'WebSocket',
  'Worker',
  'XMLHttpRequest',
  'console',
  'eval',
  'fetch',
  'global',
  'globalThis',
  'navigator',
  'require',
]);

export function factsOf(file: string, text: string): Facts {
  const imports: Import[] = [];
  const uses: Use[] = [];
  const syntaxErrors = parsed(file, text, ({ node, key, parent, line }) => {
    const source = importSource(node, parent);
    const isTypeInPlace = node.type === 'TSImportType';
    if (source !== undefined) imports.push({ specifier: literalText(source.value), isTypeInPlace, line });
    const power = powerName(node, key, parent);
    if (power !== undefined) uses.push({ name: power, line });
  });
  return { imports, uses, syntaxErrors };
}

/** The expression that names the module, in any spelling of an import. */
function importSource(node: Node, parent: Node | undefined): { readonly value: unknown } | undefined {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ExportAllDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return { value: node['source'] };
    case 'ExportNamedDeclaration':
      return node['source'] === null ? undefined : { value: node['source'] };
    case 'TSExternalModuleReference':
      return { value: node['expression'] };
    case 'CallExpression': {
      const callee = node['callee'];
      const isRequire = isNode(callee) && callee.type === 'Identifier' && callee['name'] === 'require';
      return isRequire
        ? { value: Array.isArray(node['arguments']) ? node['arguments'][0] : undefined }
        : undefined;
    }
    case 'TemplateLiteral':
    case 'Literal':
      // `import.meta.resolve('x')` loads nothing; a worker's `new URL('./w.js', import.meta.url)` does.
      return isWorkerUrl(node, parent) ? { value: node } : undefined;
    default:
      return undefined;
  }
}

function isWorkerUrl(node: Node, parent: Node | undefined): boolean {
  if (parent?.type !== 'NewExpression' || !isNode(parent['callee'])) return false;
  const args = parent['arguments'];
  return (
    parent['callee']['name'] === 'URL' &&
    Array.isArray(args) &&
    args[0] === node &&
    isNode(args[1]) &&
    args[1].type === 'MemberExpression' &&
    /\.[cm]?[jt]s$/.test(literalText(node) ?? '')
  );
}

function powerName(node: Node, key: string, parent: Node | undefined): string | undefined {
  if (node.type === 'MemberExpression') {
    // `(() => {}).constructor('…')` is eval by another name.
    return memberName(node) === 'constructor' ? '.constructor' : undefined;
  }
  if (node.type === 'CallExpression' && isTimerOnText(node)) return 'eval';
  if (node.type !== 'Identifier' || typeof node['name'] !== 'string') return undefined;
  if (!isReference(key, parent)) return undefined;
  const name = node['name'];
  if (name === 'process') {
    const member = key === 'object' && parent !== undefined ? memberName(parent) : undefined;
    return member === undefined ? 'process' : `process.${member}`;
  }
  return POWERS.has(name) ? name : undefined;
}

/** `setTimeout('code')` runs text. */
function isTimerOnText(call: Node): boolean {
  const callee = call['callee'];
  const args = call['arguments'];
  if (!isNode(callee) || !Array.isArray(args)) return false;
  return /^set(Timeout|Interval)$/.test(String(callee['name'])) && literalText(args[0]) !== undefined;
}

/** False for names that only look like the global: property names, keys, imported names, types. */
function isReference(key: string, parent: Node | undefined): boolean {
  if (parent === undefined) return false;
  if (key === 'property' || key === 'key') return parent['computed'] === true;
  return !['imported', 'exported', 'typeName', 'exprName', 'label', 'meta'].includes(key);
}

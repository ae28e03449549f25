// What the SDK picks for Node, picked otherwise: its JSON Schema validator makes code from text, which the
// lock-down forbids; it has another one that does not. Neither is ever asked, but the first is 290 KB.

const ID = '@modelcontextprotocol/server/_shims';

export function withoutCodeGeneration() {
  return {
    name: 'without-code-generation',
    resolveId: (id) => (id === ID ? `\0${ID}` : undefined),
    load: (id) =>
      id === `\0${ID}`
        ? `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker';
const own = globalThis.process;
export { own as process };`
        : undefined,
  };
}

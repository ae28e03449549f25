// What packages bring along for jobs that nobody asks of them here, left out or put otherwise: code from text, which
// the lock-down forbids, and other processes and threads, which nothing of ours starts in this way. What is left
// out throws where it is asked for after all.

const SDK = '@modelcontextprotocol/server';
const NOT_HERE = `module.exports = class { constructor() { throw new Error('not in this bundle'); } };`;

const INSTEAD = new Map([
  // The SDK's JSON Schema validator makes code from text; it has another one that does not.
  [
    `${SDK}/_shims`,
    `export { CfWorkerJsonSchemaValidator as DefaultJsonSchemaValidator } from '${SDK}/validators/cf-worker';
const own = globalThis.process;
export { own as process };`,
  ],
  // pino writes to what it is given; these are for files, and for other threads.
  ['sonic-boom', NOT_HERE],
  ['thread-stream', NOT_HERE],
  // It finds the files of other threads with it, and takes V8 longer to load than all of pino.
  ['module', 'module.exports = {};'],
  // commander starts subcommands that are programs of their own; ours are not.
  ['node:child_process', 'module.exports = {};'],
]);

export function withoutForeignPowers() {
  return {
    name: 'without-foreign-powers',
    resolveId: (id) => (INSTEAD.has(id) ? `\0${id}` : undefined),
    load: (id) => INSTEAD.get(id.slice(1)),
  };
}

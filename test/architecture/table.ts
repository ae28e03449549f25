// The import table of config-airlock. Every line that is added here widens what the server can do:
// it is meant to be seen in a diff. A line that nobody uses any more fails the test.
import type { Table } from './layers.ts';

const SDK = '@modelcontextprotocol/server';

export const TABLE: Table = {
  layers: [
    {
      name: 'cli',
      holds: ['src/cli.ts', 'src/cli/'],
      entryPoint: 'src/cli.ts',
      folders: ['.', 'actions', 'process', 'show', 'terminal', 'settings'],
    },
    {
      name: 'web',
      holds: ['src/review/web/'],
      entryPoint: 'src/review/web/index.ts',
      folders: ['.', 'pages', 'html'],
    },
    { name: 'review', holds: ['src/review/'], entryPoint: 'src/review/index.ts' },
    {
      name: 'transports/stdio',
      holds: ['src/transports/stdio/'],
      entryPoint: 'src/transports/stdio/index.ts',
    },
    { name: 'server', holds: ['src/server/'], entryPoint: 'src/server/index.ts' },
    { name: 'engine', holds: ['src/engine/'], entryPoint: 'src/engine/index.ts' },
    { name: 'tools', holds: ['src/tools/'], entryPoint: 'src/tools/index.ts' },
    {
      name: 'adapters',
      holds: ['src/adapters/'],
      entryPoint: 'src/adapters/index.ts',
      folders: [
        'errors',
        'search',
        'schema',
        'review',
        'rebase',
        'shown',
        'diff',
        'verify',
        'edit',
        'values',
        'formats',
        '.',
        'tree',
      ],
    },
    { name: 'protocol', holds: ['src/protocol/'], entryPoint: 'src/protocol/index.ts' },
    {
      name: 'security',
      holds: ['src/security/'],
      entryPoint: 'src/security/index.ts',
      folders: [
        'writer',
        'store',
        'approval',
        'edits',
        'sandbox',
        'audit',
        'locking',
        'records',
        'containment',
        'paths',
        'policy',
        'errors',
        'fs',
        'text',
      ],
    },
    { name: 'lock-down', holds: ['src/lock-down.ts'], entryPoint: 'src/lock-down.ts' },
  ],
  harmless: ['node:path', 'process.platform'],
  allowances: [
    // cli: the only layer that asks the environment, and the only one that ends the process.
    {
      where: 'src/cli.ts',
      what: 'process.stderr',
      why: 'may be closed; the line that says it is not locked',
    },
    { where: 'src/cli.ts', what: 'process.exitCode', why: 'a process that is not locked serves nothing' },
    { where: 'src/cli.ts', what: 'process.title', why: 'shows in ps' },
    { where: 'src/cli/main.ts', what: 'process.argv', why: 'the flags' },
    { where: 'src/cli/main.ts', what: 'process.env', why: 'the environment, once' },
    { where: 'src/cli/main.ts', what: 'process.execArgv', why: 'flags of Node that load foreign code' },
    {
      where: 'src/cli/main.ts',
      what: 'process.stdout',
      why: '--help, --version, --print-config and the commands; where something is served, nothing',
    },
    { where: 'src/cli/main.ts', what: 'process.stderr', why: 'the one line that says why it did not start' },
    { where: 'src/cli/main.ts', what: 'process.exitCode', why: 'exit codes' },
    { where: 'src/cli/main.ts', what: 'process.stdin', why: 'the terminal of a person who reviews' },
    { where: 'src/cli/actions/serve.ts', what: 'process.exit', why: 'a clean end' },
    {
      where: 'src/cli/actions/serve.ts',
      what: 'process.stderr',
      why: 'tells a person at a terminal what waits',
    },
    {
      where: 'src/cli/actions/serve.ts',
      what: 'process.on',
      why: 'a crash or a warning is logged by its kind only',
    },
    {
      where: 'src/cli/actions/serve.ts',
      what: 'process.removeAllListeners',
      why: "Node's own words about warnings",
    },
    {
      where: 'src/cli/process/process-hardening.ts',
      what: 'process.on',
      why: 'SIGUSR1 would open a debugger',
    },
    {
      where: 'src/cli/process/process-hardening.ts',
      what: 'process.features',
      why: 'some builds have no debugger',
    },
    {
      where: 'src/cli/process/process-hardening.ts',
      what: 'node:inspector',
      why: 'does not serve with a debugger open',
    },
    {
      where: 'src/cli/process/process-hardening.ts',
      what: 'process.umask',
      why: 'what Node itself writes is private',
    },
    {
      where: 'src/cli/process/process-hardening.ts',
      what: 'process.report',
      why: 'and reports are not written',
    },
    {
      where: 'src/cli/process/process-hardening.ts',
      what: 'process.env',
      why: 'is emptied once it was read',
    },
    { where: 'src/cli/process/signals.ts', what: 'process.once', why: 'signals' },
    { where: 'src/cli.ts', what: 'process.title', why: 'shows in ps' },
    { where: 'src/cli/command-line.ts', what: 'commander', why: 'reads the flags' },

    // web: the only layer that opens a socket, on loopback, while a person reviews there.
    { where: 'src/review/web/', what: 'node:http', why: 'the page of review --web' },
    { where: 'src/review/web/', what: 'node:crypto', why: 'its secret, its session, the hash of its style' },
    {
      where: 'src/review/web/pages/diff-rows.ts',
      what: 'diff',
      why: 'reads a diff and finds the words that differ',
    },

    // transports/stdio: the only layer that may write to stdout, because the protocol is spoken there.
    { where: 'src/transports/stdio/index.ts', what: 'process.stdin', why: 'the requests' },
    { where: 'src/transports/stdio/index.ts', what: 'node:stream/promises', why: 'end of output' },
    { where: 'src/transports/stdio/', what: SDK, why: 'serves every revision of the protocol' },
    { where: 'src/transports/stdio/', what: 'node:stream', why: 'lines in, lines out' },
    {
      where: 'src/transports/stdio/stdio-transport.ts',
      what: 'node:events',
      why: 'waits until the output is drained',
    },
    {
      where: 'src/transports/stdio/stdio-transport.ts',
      what: 'node:timers/promises',
      why: 'lets the event loop turn between many lines',
    },
    {
      where: 'src/transports/stdio/claim-stdout.ts',
      what: 'process',
      why: 'takes stdout away from everybody else',
    },
    { where: 'src/protocol/', what: SDK, why: 'what a message looks like' },

    // server
    { where: 'src/server/', what: SDK, why: 'the MCP server itself, requests, replies, progress' },
    { where: 'src/server/', what: 'zod', why: 'checks requests and shows schemas' },

    // engine
    { where: 'src/engine/check-arguments.ts', what: 'zod', why: 'checks arguments' },
    {
      where: 'src/engine/worker-thread.ts',
      what: 'node:worker_threads',
      why: 'starts the thread for the calls',
    },
    { where: 'src/engine/worker-thread.ts', what: 'Worker', why: 'by this name' },
    { where: 'src/engine/worker-side.ts', what: 'node:worker_threads', why: 'and what it was started with' },
    { where: 'src/engine/', what: 'node:timers/promises', why: 'lets the event loop turn between steps' },
    {
      where: 'src/cli/',
      what: 'node:timers/promises',
      why: 'lets what was typed too early be read, and forgotten',
    },

    // tools
    { where: 'src/tools/', what: 'zod', why: 'input and output schemas' },

    // adapters
    {
      where: 'src/engine/watch-steps.ts',
      what: 'process.cpuUsage',
      why: 'what a step has computed, whatever else runs',
    },
    { where: 'src/adapters/formats/yaml/', what: 'yaml', why: 'the parser under the span tree' },
    {
      where: 'src/adapters/schema/schema.ts',
      what: '@cfworker/json-schema',
      why: 'validates by JSON Schema',
    },
    {
      where: 'src/adapters/schema/usable.ts',
      what: '@cfworker/json-schema',
      why: 'says at the start what is no schema',
    },
    {
      where: 'src/adapters/schema/within-time.ts',
      what: 'node:vm',
      why: 'stops a pattern that would run for ever; runs one constant word',
    },
    { where: 'src/adapters/diff/unified-diff.ts', what: 'diff', why: 'the lines of a unified diff' },
    { where: 'src/adapters/rebase/changed-spans.ts', what: 'diff', why: 'the lines that changed since' },

    // security: the only layer that touches the disk, and in it one file.
    { where: 'src/security/fs/ambient-fs.ts', what: 'node:fs', why: 'the disk' },
    {
      where: 'src/security/fs/ambient-fs.ts',
      what: 'process.chdir',
      why: 'the cwd walk stands in a directory',
    },
    { where: 'src/security/fs/ambient-fs.ts', what: 'process.cwd', why: 'and knows where it stood' },
    { where: 'src/security/containment/choose.ts', what: 'process', why: 'asks for the permission model' },
    {
      where: 'src/security/containment/roots.ts',
      what: 'node:os',
      why: 'the home directory is too broad a root',
    },
    {
      where: 'src/security/writer/foreign-owner.ts',
      what: 'process.geteuid',
      why: 'a file of somebody else is not replaced',
    },
    {
      where: 'src/security/text/fresh-bytes.ts',
      what: 'node:crypto',
      why: 'names and nonces that nobody can guess',
    },
    { where: 'src/security/locking/lock-owner.ts', what: 'node:os', why: 'who holds the lock: the machine' },
    { where: 'src/security/locking/lock-owner.ts', what: 'process.pid', why: 'and the process' },
    {
      where: 'src/security/locking/lock-owner.ts',
      what: 'process.kill',
      why: 'signal 0 asks whether it still lives',
    },
    { where: 'src/security/writer/sweep.ts', what: 'process.geteuid', why: 'sweeps its own leftovers only' },
    { where: 'src/security/text/canonical-json.ts', what: 'node:crypto', why: 'hashes of what is kept' },
    { where: 'src/security/approval/', what: 'node:crypto', why: 'keys and signatures of reviewers' },
    {
      where: 'src/security/approval/',
      what: 'process.geteuid',
      why: 'whose the reviewers file and a key are',
    },
    {
      where: 'src/security/fs/fd-io.ts',
      what: 'process.geteuid',
      why: 'what is stored belongs to this user, or is not read',
    },
    { where: 'src/security/store/state-dir.ts', what: 'process.geteuid', why: 'so does its directory' },
    { where: 'src/security/audit/log.ts', what: 'pino', why: 'JSON lines' },
    { where: 'src/security/sandbox/open-sandbox.ts', what: 'process.geteuid', why: 'knows who it is' },
    { where: 'src/security/paths/pattern.ts', what: 'picomatch', why: 'the globs of the policy' },
    { where: 'src/security/sandbox/read-cache.ts', what: 'node:crypto', why: 'sha256 of what was read' },

    // lock-down: stands behind all layers, so that each thread can begin with it.
    { where: 'src/lock-down.ts', what: 'node:v8', why: 'no code from text in later workers' },
    { where: 'src/lock-down.ts', what: 'globalThis', why: 'takes eval and Function away' },
    { where: 'src/lock-down.ts', what: 'Function', why: 'and what makes functions of text' },
  ],
};

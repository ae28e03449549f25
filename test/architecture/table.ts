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
      folders: [
        '.',
        'commands',
        'completion',
        'doctor',
        'show',
        'policy',
        'process',
        'terminal',
        'settings',
        'clients',
      ],
    },
    {
      name: 'web',
      holds: ['src/review/web/'],
      entryPoint: 'src/review/web/index.ts',
      folders: ['.', 'pages', 'html'],
    },
    { name: 'review', holds: ['src/review/'], entryPoint: 'src/review/index.ts' },
    {
      name: 'transports/http',
      holds: ['src/transports/http/'],
      entryPoint: 'src/transports/http/index.ts',
    },
    {
      name: 'transports/stdio',
      holds: ['src/transports/stdio/'],
      entryPoint: 'src/transports/stdio/index.ts',
    },
    { name: 'server', holds: ['src/server.ts', 'src/server/'], entryPoint: 'src/server.ts' },
    { name: 'engine', holds: ['src/engine/'], entryPoint: 'src/engine/index.ts' },
    { name: 'tools', holds: ['src/tools/'], entryPoint: 'src/tools/index.ts' },
    {
      name: 'adapters',
      holds: ['src/adapters/'],
      entryPoint: 'src/adapters/index.ts',
      folders: [
        'errors',
        'secrets',
        'search',
        'compare',
        'schema',
        'policy',
        'encrypted',
        'review',
        'rebase',
        'shown',
        'diff',
        'operations',
        'verify',
        'values',
        'edit',
        'formats',
        '.',
        'tree',
      ],
    },
    { name: 'protocol', holds: ['src/protocol/'], entryPoint: 'src/protocol/index.ts' },
    { name: 'listener', holds: ['src/listener/'], entryPoint: 'src/listener/index.ts' },
    {
      name: 'security',
      holds: ['src/security/'],
      entryPoint: 'src/security/index.ts',
      folders: [
        'writer',
        'state',
        'approval',
        'edits',
        'sandbox',
        'audit',
        'locking',
        'containment',
        'secrets',
        'paths',
        'policy',
        'node-paths',
        'errors',
        'fs',
        'text',
      ],
    },
    {
      name: 'state',
      holds: ['src/state/'],
      entryPoint: 'src/state/index.ts',
      folders: ['postgres', 'postgres/sql', 'sqlite', '.', 'records'],
    },
    { name: 'lock-down', holds: ['src/lock-down.ts'], entryPoint: 'src/lock-down.ts' },
  ],
  harmless: ['node:path', 'process.platform'],
  allowances: {
    // cli: the only layer that asks the environment, and the only one that ends the process.
    'src/cli.ts': {
      'process.stderr': 'may be closed; the line that says it is not locked',
      'process.exitCode': 'a process that is not locked serves nothing',
      'process.title': 'shows in ps',
    },
    'src/cli/main.ts': {
      'process.argv': 'the flags',
      'process.env': 'the environment, once',
      'process.execArgv': 'flags of Node that load foreign code',
      'process.stdout':
        '--help, --version, --print-config and the commands; where something is served, nothing',
      'process.stderr': 'the one line that says why it did not start',
      'process.exitCode': 'exit codes',
      'process.stdin': 'the terminal of a person who reviews',
    },
    'src/cli/commands/policy-check.ts': { 'process.cpuUsage': 'denies a file that takes too long to judge' },
    'src/cli/commands/serve.ts': {
      'process.exit': 'a clean end',
      'process.on': 'a crash or a warning is logged by its kind only',
      'process.removeAllListeners': "Node's own words about warnings",
    },
    'src/cli/process/process-hardening.ts': {
      'process.on': 'SIGUSR1 would open a debugger',
      'process.features': 'some builds have no debugger',
      'node:inspector': 'does not serve with a debugger open',
      'process.umask': 'what Node itself writes is private',
      console: 'packages print nothing where many clients are served',
      'process.report': 'and reports are not written',
      'process.env': 'is emptied once it was read',
    },
    // The only file that starts programs: those that the operator names to the command watch. The server does not load it.
    'src/cli/process/run-program.ts': {
      'node:child_process': 'programs of the operator, for watch',
      'process.kill': 'ends their process group',
    },
    'src/cli/commands/watch.ts': { 'node:timers/promises': 'looks at the trail once a second' },
    'src/cli/process/signals.ts': {
      'process.once': 'signals that end it',
      'process.on': 'and the one by which it looks again at tokens',
    },
    'src/cli/doctor/machine.ts': {
      'process.version': 'doctor says whether Node is new enough',
      'process.geteuid': 'and whether the user is root',
    },
    'src/cli/command-line.ts': { commander: 'reads the flags' },
    'src/cli/clients/claude-code.ts': { zod: 'reads what a host is about to do strictly' },
    'src/cli/policy/read-cases.ts': { zod: 'reads the cases of policy test strictly' },
    'src/cli/policy/read-diff.ts': {
      'node:crypto': 'whether a diff of policy check holds whole files, by the ids that Git has for them',
      diff: 'reads its hunks',
    },

    // listener: the only layer that opens a socket for others to connect to.
    'src/listener/listen.ts': {
      'node:http': 'the page of review --web, and serve --http',
      'node:https': 'the same with a certificate',
      'node:net': 'what a connection is',
    },

    // web: while a person reviews there.
    'src/review/web/': {
      'node:http': 'what a request is',
      'node:stream/consumers': 'the body of a form',
      'node:buffer': 'whether it is text',
      'node:crypto': 'its secret, its session, the hash of its style',
    },
    'src/review/web/pages/diff-rows.ts': { diff: 'reads a diff and finds the words that differ' },

    // transports/http: the only layer that asks another server, for the keys of the issuer that the operator names.
    'src/transports/http/': { [SDK]: 'serves every revision of the protocol' },
    'src/transports/http/index.ts': { '@hono/node-server': 'between requests of Node and of the web' },
    'src/transports/http/metrics.ts': {
      '@hono/node-server': 'the same on a listener of its own',
      'prom-client': 'counts them in the form that Prometheus reads, loaded only where that is asked for',
    },
    'src/transports/http/tokens.ts': { 'node:crypto': 'compares hashes in a time that tells nothing' },
    'src/transports/http/oidc.ts': {
      jose: 'verifies tokens of an issuer',
      fetch: 'asks it where its keys are',
      zod: 'reads what it answers',
    },

    // transports/stdio: the only layer that may write to stdout, because the protocol is spoken there.
    'src/transports/stdio/index.ts': {
      'process.stdin': 'the requests',
      process: 'takes stdout away from everybody else',
      'node:stream/promises': 'end of output',
    },
    'src/transports/stdio/': {
      [SDK]: 'serves every revision of the protocol',
      'node:stream': 'lines in, lines out',
    },
    'src/transports/stdio/stdio-transport.ts': {
      'node:events': 'waits until the output is drained',
      'node:timers/promises': 'lets the event loop turn between many lines',
    },
    'src/protocol/': { [SDK]: 'what a message looks like' },

    // server
    'src/server.ts': { [SDK]: 'the MCP server itself' },
    'src/server/': {
      [SDK]: 'the MCP server itself, requests, replies, progress',
      zod: 'checks requests and shows schemas',
    },
    'src/server/call-event.ts': {
      'node:diagnostics_channel': 'tells whoever watches the process of each call',
    },

    // engine
    'src/engine/check-arguments.ts': { zod: 'checks arguments' },
    'src/engine/lenient-arguments.ts': { zod: 'reads what a schema wants' },
    'src/engine/corrected-call.ts': { zod: 'and says what was probably meant' },
    'src/engine/start-thread.ts': {
      'node:worker_threads': 'starts the thread for the calls',
      Worker: 'by this name',
    },
    'src/engine/worker-side.ts': { 'node:worker_threads': 'and the port to the thread that started it' },
    'src/engine/': { 'node:timers/promises': 'lets the event loop turn between steps' },
    'src/cli/': {
      'node:timers/promises': 'lets what was typed too early be read, and forgotten',
      'node:stream': 'what is read and written',
      'node:tty': 'and whether that is a terminal',
    },

    // tools
    'src/tools/': { zod: 'input and output schemas' },

    // adapters
    'src/adapters/formats/yaml/': { yaml: 'the parser under the span tree' },
    'src/adapters/formats/json/read-json.ts': {
      'jsonc-parser': 'the second reader of JSON, with comments and without',
    },
    'src/adapters/formats/toml/': {
      'toml-eslint-parser': 'where everything stands in TOML',
      'smol-toml': 'the second reader of TOML, which has to agree',
    },
    'src/adapters/schema/schema.ts': { '@cfworker/json-schema': 'validates by JSON Schema' },
    'src/adapters/schema/usable.ts': { '@cfworker/json-schema': 'says at the start what is no schema' },
    'src/adapters/schema/within-time.ts': {
      'node:vm': 'stops a pattern that would run for ever; runs one constant word',
    },
    'src/adapters/diff/unified-diff.ts': { diff: 'the lines of a unified diff' },
    'src/adapters/rebase/changed-spans.ts': { diff: 'the lines that changed since' },

    // security: the only layer that touches the disk, and in it one file.
    'src/security/fs/ambient-fs.ts': {
      'node:fs': 'the disk',
      'process.chdir': 'the cwd walk stands in a directory',
      'process.cwd': 'and knows where it stood',
    },
    'src/security/containment/choose.ts': { process: 'asks for the permission model' },
    'src/security/containment/roots.ts': { 'node:os': 'the home directory is too broad a root' },
    'src/security/writer/permission.ts': {
      'process.geteuid': 'a file of somebody else is not replaced',
      'process.getegid': 'nor one of a group that a new file cannot be given to',
      'process.getgroups': 'which is one that the server is not in',
    },
    'src/security/text/columns.ts': {
      'get-east-asian-width': 'how many columns of a terminal a letter takes',
    },
    'src/security/locking/lock-owner.ts': {
      'node:os': 'who holds the lock: the machine',
      'process.pid': 'and the process',
      'process.kill': 'signal 0 asks whether it still lives',
      zod: 'reads what a lock says of its owner strictly',
    },
    'src/security/writer/recovery.ts': { 'process.geteuid': 'removes its own temporary files only' },
    'src/security/approval/': {
      'node:crypto': 'keys and signatures of reviewers',
      'process.geteuid': 'whose the reviewers file and a key are',
    },
    'src/security/approval/approved.ts': {
      'node:os': 'as which account a person at a terminal decides',
      'process.getuid': 'where it has no name',
    },
    'src/security/approval/reviewer-key.ts': { zod: 'reads a sealed key strictly' },
    'src/security/approval/statement.ts': { zod: 'reads a record of an approval strictly' },
    'src/security/fs/trusted-file.ts': { 'process.geteuid': 'who else could change what the operator named' },
    'src/security/fs/fd-io.ts': { 'process.geteuid': 'what is stored belongs to this user, or is not read' },
    'src/security/state/location.ts': {
      'node:os': 'as which account PostgreSQL is asked, unless it is said',
    },
    'src/security/state/state-dir.ts': { 'process.geteuid': 'so does its directory' },
    'src/security/policy/': { zod: 'reads a policy file strictly' },
    'src/security/policy/engines.ts': {
      re2js: 'patterns of a policy and of SOPS in linear time, loaded only where there are some',
      semver: 'versions in a policy and of a search, loaded only where some are compared',
    },
    'src/security/audit/log.ts': { pino: 'JSON lines' },
    'src/security/sandbox/scratch-folder.ts': { 'node:os': 'where temporary files go' },
    'src/security/sandbox/open-sandbox.ts': { 'process.geteuid': 'knows who it is' },
    'src/security/paths/operator-pattern.ts': { picomatch: 'the globs of the policy' },
    'src/security/secrets/placeholder.ts': {
      'node:crypto': 'keyed fingerprints, by which nobody can test a guess',
    },
    'src/security/secrets/signing-key.ts': { 'node:crypto': 'one key made of another' },
    'src/security/sandbox/read-cache.ts': {
      'node:buffer': 'whether it is UTF-8',
      'node:crypto': 'sha256 of what was read',
    },
    'src/security/text/pieces.ts': { 'node:buffer': 'whether a piece is ASCII, which is decoded faster' },

    // state: what is kept. It knows no files; of the network only the server that an operator names.
    'src/state/': { zod: 'reads what an engine answers strictly' },
    'src/state/canonical-json.ts': {
      'node:crypto': 'hashes of what is kept, and nonces that nobody can guess',
    },
    'src/state/records/': {
      zod: 'the shapes of what is kept',
      'node:crypto': 'the hash that a record is named by',
    },
    'src/state/sqlite/engine-package.ts': { 'process.versions': 'whether Node has an SQLite of its own' },
    'src/state/sqlite/driver.ts': {
      'node:module': "loads Node's own SQLite or libsql, whichever is there",
      process: 'keeps what Node says of its own SQLite out of the log',
      'process.emitWarning': 'the same',
    },
    'src/state/postgres/driver.ts': {
      postgres: 'speaks to a PostgreSQL server, loaded only where a state is kept there',
      'node:net': 'the connection to the server that the operator names, and to no other',
    },
    'src/state/postgres/tls.ts': {
      'node:tls': 'whether the certificate names the server that was asked for',
    },

    // lock-down: stands behind all layers, so that each thread can begin with it.
    'src/lock-down.ts': {
      globalThis: 'takes eval and Function away',
      Function: 'and what makes functions of text',
    },
  },
};

/** Files behind an entry point that tests of other folders import as well: what they look for, and what they start from. */
export const KNOWN_TO_TESTS: readonly { readonly file: string; readonly why: string }[] = [
  { file: 'src/security/policy/verdict.ts', why: 'what the judge would answer' },
  { file: 'src/security/paths/denylist.ts', why: 'the names of our own files, which tests look for' },
  { file: 'src/security/containment/choose.ts', why: 'opens a root in each containment' },
  { file: 'src/security/containment/held.ts', why: 'what such a root is' },
  { file: 'src/security/locking/lock-owner.ts', why: 'makes the owners of locks, dead and alive' },
  { file: 'src/security/fs/ambient-fs.ts', why: 'what is known of a file' },
  { file: 'src/adapters/formats/registry.ts', why: 'parses a text without a file' },
  { file: 'src/adapters/formats/yaml/yaml-format.ts', why: 'the same, for YAML' },
  { file: 'src/adapters/tree/span-tree.ts', why: 'the tree that comes of it, and the text of a node' },
  { file: 'src/cli/policy/read-diff.ts', why: 'reads diffs of every shape, without a process for each' },
  { file: 'src/cli/main.ts', why: 'runs a command without a process' },
  { file: 'src/cli/command-line.ts', why: 'reads the flags of a server in this process' },
  { file: 'src/cli/settings/settings.ts', why: 'puts them beside variables and config file' },
  { file: 'src/cli/settings/airlock-options.ts', why: 'makes of them what the server is opened with' },
  { file: 'src/transports/stdio/stdio-transport.ts', why: 'is served over streams of a test' },
  { file: 'src/cli/settings/options.ts', why: 'the list of options, which the documents are held to' },
  { file: 'src/cli/settings/option.ts', why: 'what an option is called as a variable' },
  { file: 'src/cli/commands/index.ts', why: 'the list of commands' },
  { file: 'src/cli/clients/clients.ts', why: 'the list of clients, from which a document is made' },
  { file: 'src/server/list-tools.ts', why: 'the tools as clients see them' },
];

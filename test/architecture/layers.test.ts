// The import table's guard is shown faults: one that never barks guards nothing.
import { describe, expect, it } from 'vitest';
import { layerViolations, type Sources, type Table } from './layers.ts';

/** Three layers with everything that is allowed; each fault below adds one line to it. */
const SMALL_PROJECT: Sources = new Map([
  [
    'src/server.ts',
    "// Serves.\nimport 'sdk';\nimport { TOOLS } from './tools/index.ts';\nexport const server = TOOLS;\n",
  ],
  ['src/tools/index.ts', "// The list.\nimport { list } from './list.ts';\nexport const TOOLS = [list];\n"],
  [
    'src/tools/list.ts',
    "// Lists.\nimport { open } from '../../src/security/index.ts';\nexport const list = open;\n",
  ],
  ['src/security/index.ts', "// The entry point.\nexport { open } from './ambient-fs.ts';\n"],
  [
    'src/security/writer/stage.ts',
    "// Writes.\nimport '../ambient-fs.ts';\nimport '../text/deep/fold.ts';\n",
  ],
  ['src/security/text/deep/fold.ts', '// Folds.\n'],
  [
    'src/security/ambient-fs.ts',
    "// The disk.\nimport * as fs from 'node:fs';\nexport const open = fs.openSync;\n",
  ],
]);

const SMALL_TABLE: Table = {
  layers: [
    { name: 'server', holds: ['src/server.ts'], entryPoint: 'src/server.ts' },
    { name: 'tools', holds: ['src/tools/'], entryPoint: 'src/tools/index.ts' },
    {
      name: 'security',
      holds: ['src/security/'],
      entryPoint: 'src/security/index.ts',
      folders: ['writer', '.', 'text'],
    },
  ],
  harmless: ['node:path'],
  allowances: {
    'src/server.ts': { sdk: 'speaks the protocol' },
    'src/security/ambient-fs.ts': { 'node:fs': 'touches the disk' },
  },
};

const tool = 'src/tools/list.ts';
const no = (what: string): string => `may not import ${what}`;
const use = (what: string): string => `may not use ${what}`;

const FAULTS: readonly { code: string; barks: string; why: string; file?: string }[] = [
  { code: "import fs from 'node:fs';", barks: no('node:fs'), why: 'the disk belongs to one file' },
  { code: "import 'node:fs/promises';", barks: no('node:fs/promises'), why: 'the same disk' },
  { code: "import fs from 'fs';", barks: no('fs'), why: 'the same disk by its old name' },
  { code: "import p from 'fs/promises';", barks: no('fs'), why: 'the same, twice disguised' },
  { code: "import type { Stats } from 'node:fs';", barks: no('node:fs'), why: 'types spread first' },
  { code: "export type S = import('node:fs').Stats;", barks: no('node:fs'), why: 'a type in place' },
  { code: "export * from 'node:fs';", barks: no('node:fs'), why: 'hands the disk on' },
  { code: "export { rm } from 'node:fs';", barks: no('node:fs'), why: 'hands a piece of it on' },
  { code: "export const f = await import('node:fs');", barks: no('node:fs'), why: 'late is still an import' },
  { code: 'export const f = await import(`node:fs`);', barks: no('node:fs'), why: 'a template is a string' },
  { code: "export const f = import('node:' + 'fs');", barks: 'at run time', why: 'nobody can check it' },
  { code: "import f = require('node:fs');", barks: no('node:fs'), why: 'the TypeScript spelling' },
  { code: "export const f = require('node:fs');", barks: no('node:fs'), why: 'the old spelling' },
  { code: 'export const r = require;', barks: use('require'), why: 'a require to go' },
  { code: "import { createRequire } from 'node:module';", barks: no('node:module'), why: 'makes a require' },
  { code: "import 'node:child_process';", barks: no('node:child_process'), why: 'starts programs' },
  { code: "import 'node:net';", barks: no('node:net'), why: 'talks to the network' },
  { code: "import 'node:http';", barks: no('node:http'), why: 'talks to the network' },
  { code: "import 'node:worker_threads';", barks: no('node:worker_threads'), why: 'runs other files' },
  { code: "import 'node:vm';", barks: no('node:vm'), why: 'runs text' },
  { code: "import process from 'node:process';", barks: no('node:process'), why: 'hides process.chdir' },
  { code: "import 'sdk';", barks: no('sdk'), why: 'tools know no protocol' },
  { code: "import 'sdk/stdio';", barks: no('sdk/stdio'), why: 'a part of a package is the package' },
  { code: "import '@scope/name/sub';", barks: no('@scope/name/sub'), why: 'scoped packages count' },
  { code: "import 'file:///etc/x.js';", barks: no('file:'), why: 'code from anywhere' },
  { code: "import 'data:text/javascript,1';", barks: no('data:'), why: 'text as code' },
  { code: "import '/opt/x.js';", barks: no('/opt/x.js'), why: 'code from anywhere' },
  { code: "import '../../outside.ts';", barks: 'not one of our sources', why: 'leaves src' },
  { code: "import './missing.ts';", barks: 'not one of our sources', why: 'cannot be checked' },
  { code: "import '../server.ts';", barks: 'points left', why: 'one way only' },
  { code: "import type { S } from '../server.ts';", barks: 'points left', why: 'types are knowledge too' },
  { code: "export const s = import('../server.ts');", barks: 'points left', why: 'late is still left' },
  {
    code: "import '../security/ambient-fs.ts';",
    barks: 'and not src/security/index.ts',
    why: 'layers have entry points',
  },
  {
    file: 'src/security/text/deep/fold.ts',
    code: "import '../../writer/stage.ts';",
    barks: 'points left: imports src/security/writer/stage.ts',
    why: 'folders have an order as well',
  },
  {
    file: 'src/security/ambient-fs.ts',
    code: "import type { Stage } from './writer/stage.ts';",
    barks: 'points left: imports src/security/writer/stage.ts',
    why: 'so have the files beside the folders, and types',
  },
  {
    file: 'src/security/writer/stage.ts',
    code: "import '../index.ts';",
    barks: 'the entry point of its own layer',
    why: 'that would be a cycle',
  },
  {
    file: 'src/security/new/file.ts',
    code: "import '../ambient-fs.ts';",
    barks: 'lacks the folder of this file',
    why: 'each folder has its place',
  },
  {
    file: 'src/stray.ts',
    code: 'export const x = 1;',
    barks: 'belongs to no layer',
    why: 'every file has a layer',
  },
  {
    file: 'src/security/other.ts',
    code: "import 'node:fs';",
    barks: no('node:fs'),
    why: 'one file, not its layer',
  },
  { code: "process.chdir('/');", barks: use('process.chdir'), why: 'moves all relative paths' },
  { code: "process['chdir']('/');", barks: use('process.chdir'), why: 'in brackets' },
  { code: 'export const { chdir } = process;', barks: use('process'), why: 'taken apart' },
  { code: 'export const p = process;', barks: use('process'), why: 'handed on' },
  {
    code: "export const k = 'chdir' + ''; process[k]('/');",
    barks: use('process'),
    why: 'by a computed name',
  },
  { code: "process.stdout.write('x');", barks: use('process.stdout'), why: 'breaks the protocol' },
  { code: "process?.stdout?.write('x');", barks: use('process.stdout'), why: 'breaks it politely' },
  { code: "console.log('x');", barks: use('console'), why: 'breaks the protocol' },
  { code: "process.binding('fs');", barks: use('process.binding'), why: 'the disk by a detour' },
  { code: "process.getBuiltinModule('fs');", barks: use('process.getBuiltinModule'), why: 'the same' },
  { code: "process.dlopen({}, 'x.node');", barks: use('process.dlopen'), why: 'native code' },
  { code: 'export const e = process.env;', barks: use('process.env'), why: 'settings come by the policy' },
  { code: "eval('1');", barks: use('eval'), why: 'text as code' },
  { code: "export const f = new Function('1');", barks: use('Function'), why: 'text as code' },
  { code: "(() => {}).constructor('1')();", barks: use('.constructor'), why: 'text as code, disguised' },
  { code: "setTimeout('1');", barks: use('eval'), why: 'text as code, later' },
  { code: 'export const g = globalThis;', barks: use('globalThis'), why: 'everything at once' },
  { code: "global.eval('1');", barks: use('global'), why: 'everything at once' },
  { code: "await fetch('http://x');", barks: use('fetch'), why: 'talks to the network' },
  { code: "export const w = new WebSocket('ws://x');", barks: use('WebSocket'), why: 'talks to the network' },
  {
    code: "export const w = new URL('./w.js', import.meta.url);",
    barks: 'not one of our sources',
    why: 'a worker',
  },
  { code: "import './list.ts';", barks: 'imports itself', why: 'a cycle of one' },
  {
    code: "export type L = import('./index.ts').L;",
    barks: 'a type in place',
    why: 'a cycle that nobody sees',
  },
  { code: 'export const x = ;', barks: 'does not parse', why: 'what cannot be read cannot be checked' },
];

describe('the layers', () => {
  it('accept a small project that keeps the rules', () => {
    expect(layerViolations(SMALL_PROJECT, SMALL_TABLE)).toEqual([]);
  });

  it.each(FAULTS)('refuse $code in $file: $why [SRV-13]', ({ file = tool, code, barks }) => {
    const sources = new Map(SMALL_PROJECT);
    sources.set(file, `${sources.get(file) ?? '// A new file.\n'}${code}\n`);
    expect(layerViolations(sources, SMALL_TABLE).join('\n')).toContain(barks);
  });

  it('see through comments, strings and types, which reach for nothing', () => {
    const innocent = [
      '// import fs from "node:fs"; eval("1"); process.chdir("/")',
      'export const text = "require(\'fs\'); console.log(1)";',
      'export const record = { process: 1, eval: 2, fetch: 3 };',
      'export const read = (state: { process: number }): number => state.process + record.fetch;',
      'export type Callback = typeof fetch;',
      'export const KINDS = ["a", "b"] as const;',
    ].join('\n');
    const sources = new Map(SMALL_PROJECT).set(
      'src/tools/innocent.ts',
      `// Reaches for nothing.\n${innocent}\n`,
    );
    expect(layerViolations(sources, SMALL_TABLE)).toEqual([]);
  });

  it('name an allowance that nobody uses', () => {
    const allowances = { ...SMALL_TABLE.allowances, 'src/tools/': { 'left-pad': 'once' } };
    expect(layerViolations(SMALL_PROJECT, { ...SMALL_TABLE, allowances })).toEqual([
      'nobody uses the allowance of left-pad in src/tools/',
    ]);
  });

  it('name an allowance whose file has moved away', () => {
    const sources = new Map(SMALL_PROJECT);
    sources.delete('src/security/ambient-fs.ts');
    sources.set('src/security/index.ts', '// The entry point.\nexport const open = 1;\n');
    expect(layerViolations(sources, SMALL_TABLE)).toContain(
      'nobody uses the allowance of node:fs in src/security/ambient-fs.ts',
    );
  });
});

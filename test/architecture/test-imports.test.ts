// The guard over the imports of tests is shown faults.
import { expect, it } from 'vitest';
import type { Table } from './layers.ts';
import { testImportViolations } from './test-imports.ts';

const TABLE: Table = {
  layers: [{ name: 'security', holds: ['src/security/'], entryPoint: 'src/security/index.ts' }],
  harmless: [],
  allowances: {},
};
const of = (test: string, code: string, inner: readonly string[] = []) =>
  testImportViolations(
    new Map([[test, code]]),
    TABLE,
    inner.map((file) => ({ file, why: '' })),
  );

it.each([
  { test: 'test/tools/a.test.ts', code: "import '../../src/security/fs/fd.ts';", why: 'another layer' },
  { test: 'test/security/a.test.ts', code: "import '../../src/security/fs/fd.ts';", why: 'another folder' },
  {
    test: 'test/harness/a.ts',
    code: "import type { Fd } from '../../src/security/fs/fd.ts';",
    why: 'a type',
  },
])('refuses an import behind an entry point: $why', ({ test, code }) => {
  expect(of(test, code)).toEqual([`${test} imports src/security/fs/fd.ts, which is behind an entry point`]);
  expect(of(test, code, ['src/security/fs/fd.ts'])).toEqual([]);
});

it.each([
  { test: 'test/tools/a.test.ts', code: "import '../../src/security/index.ts';", why: 'an entry point' },
  {
    test: 'test/security/fs/fd.test.ts',
    code: "import '../../../src/security/fs/fd.ts';",
    why: 'its own file',
  },
  {
    test: 'test/security/fs/fd.test.ts',
    code: "import '../../../src/security/fs/b.ts';",
    why: 'one beside it',
  },
  {
    test: 'test/tools/a.test.ts',
    code: "import '../harness/end.ts'; import 'zod';",
    why: 'no source of ours',
  },
])('lets a test import $why', ({ test, code }) => {
  expect(of(test, code)).toEqual([]);
});

it('names an exception that no test needs', () => {
  expect(of('test/a.test.ts', '', ['src/security/fs/fd.ts'])).toEqual([
    'no test needs the exception for src/security/fs/fd.ts',
  ]);
});

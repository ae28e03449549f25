// The house stands as drawn: rooms, one-way imports, what each may reach, the laws of the registry,
// and the packages. test/architecture/ holds the laws and shows each of them faults.
import { expect, it } from 'vitest';
import { TOOLS } from '../src/tools/index.ts';
import { packageViolations } from './architecture/packages.ts';
import { registryViolations } from './architecture/registry.ts';
import { roomViolations } from './architecture/rooms.ts';
import { filesIn, jsonIn } from './architecture/sources.ts';
import { TABLE } from './architecture/table.ts';

it('the rooms keep the import table [SRV-13]', () => {
  const sources = filesIn('src');
  expect(sources.size).toBeGreaterThan(10);
  expect(roomViolations(sources, TABLE)).toEqual([]);
});

it('the registry keeps its laws', () => {
  const files = new Map([...filesIn('src/tools'), ...filesIn('test/tools')]);
  expect(registryViolations(TOOLS, files)).toEqual([]);
});

// ENVI-006.
it('the packages are pinned, known to the import table, and run nothing when they are installed [SRV-15]', () => {
  const known = [...new Set(TABLE.allowances.map(({ what }) => what).filter(isPackage))];
  const installed = (place: string): unknown => jsonIn(`${place}/package.json`);
  expect(packageViolations(jsonIn('package.json'), jsonIn('package-lock.json'), installed, known)).toEqual(
    [],
  );
});

function isPackage(what: string): boolean {
  return !what.startsWith('node:') && !/^(process|console|globalThis|Function|Worker)\b/.test(what);
}

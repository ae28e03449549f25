// The packages' guard is shown loose pins, install scripts and a tree that is not what the lock says.
import { describe, expect, it } from 'vitest';
import { packageViolations } from './packages.ts';

const own = { version: '1.0.0', scripts: {} };
const at = 'node_modules/a';

const PACKAGE_FAULTS = [
  { manifest: { devDependencies: { a: '^1.0.0' } }, entry: {}, own, barks: 'a is not pinned: ^1.0.0' },
  { manifest: { devDependencies: { b: 'latest' } }, entry: {}, own, barks: 'b is not pinned: latest' },
  {
    manifest: { dependencies: { b: '1.0.0' } },
    entry: {},
    own,
    barks: 'b would be installed with every copy',
  },
  { manifest: { devDependencies: {} }, entry: {}, own, barks: 'a is used but is no devDependency' },
  { manifest: { scripts: { postinstall: 'x' } }, entry: {}, own, barks: 'our own postinstall script' },
  { manifest: {}, entry: { integrity: undefined }, own, barks: `${at} has no integrity` },
  {
    manifest: {},
    entry: { hasInstallScript: true },
    own,
    barks: `${at} has an install script, says the lock`,
  },
  {
    manifest: {},
    entry: { optionalDependencies: { 'a-darwin': '1.0.0' } },
    own,
    barks: `the lock lacks a-darwin, an optional part of ${at}`,
  },
  { manifest: {}, entry: {}, own: undefined, barks: `${at} is not installed` },
  {
    manifest: {},
    entry: {},
    own: { ...own, version: '6.6.6' },
    barks: 'installed as 6.6.6, locked as 1.0.0',
  },
  {
    manifest: {},
    entry: {},
    own: { ...own, scripts: { postinstall: 'x' } },
    barks: `${at} has a postinstall script`,
  },
  {
    manifest: {},
    entry: {},
    own: { ...own, scripts: { install: 'x' } },
    barks: `${at} has a install script`,
  },
];

describe('the packages', () => {
  it('refuse a lock that names none of them, and one with a faulty package further in', () => {
    const manifest = { devDependencies: { a: '1.0.0' } };
    expect(packageViolations(manifest, { packages: { '': {} } }, () => own, ['a'])).toEqual([
      'the lock names no package that is bundled',
    ]);
    const a = { version: '1.0.0', integrity: 'sha512-x', dependencies: { b: '1' } };
    const inner = { version: '1.0.0', dependencies: { a: '1' } };
    const lock = { packages: { 'node_modules/a': a, 'node_modules/a/node_modules/b': inner } };
    expect(packageViolations(manifest, lock, () => own, ['a'])).toEqual([
      'node_modules/a/node_modules/b has no integrity',
    ]);
  });

  it.each(PACKAGE_FAULTS)('refuse $barks', ({ manifest, entry, own, barks }) => {
    const lock = {
      packages: { '': {}, 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x', ...entry } },
    };
    const faulty = { devDependencies: { a: '1.0.0' }, ...manifest };
    const breaches = packageViolations(faulty, lock, () => own, ['a']);
    expect(breaches.join('\n')).toContain(barks);
  });

  it('accept one pinned package without scripts', () => {
    const lock = { packages: { 'node_modules/a': { version: '1.0.0', integrity: 'sha512-x' } } };
    const own = { version: '1.0.0', scripts: { test: 'x' } };
    expect(packageViolations({ devDependencies: { a: '1.0.0' } }, lock, () => own, ['a'])).toEqual([]);
  });
});

// The documents can be read at once, and what they quote is there.
import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { sentencesIn } from './documents/sentences.ts';

const at = (file: string): URL => new URL(`../${file}`, import.meta.url);
const textOf = (file: string): string => readFileSync(at(file), 'utf8');
const PAGES = readdirSync(at('docs')).filter((name) => name.endsWith('.md'));

/** Written by programs, from titles of tests and from what was run. */
const MADE = '-figures.md';
const READ = ['README.md', 'SECURITY.md', 'CONTRIBUTING.md', ...PAGES.map((name) => `docs/${name}`)];

it.each(READ.filter((name) => !name.endsWith(MADE)))('no sentence of %s has more than 35 words', (name) => {
  const long = sentencesIn(textOf(name)).filter((sentence) => sentence.split(' ').length > 35);
  expect(long).toEqual([]);
});

it('the index of the documents leads to each of them', () => {
  const index = textOf('docs/README.md');
  expect(PAGES.filter((name) => name !== 'README.md' && !index.includes(`](${name})`))).toEqual([]);
});

it('troubleshooting quotes messages that the code has', () => {
  const sources = readdirSync(at('src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => textOf(`src/${name}`))
    .join('\n');
  const rows = textOf('docs/troubleshooting.md').match(/^\| .*$/gmu) ?? [];
  const quoted = rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/gu)]);
  const parts = quoted.flatMap(([, message = '']) => message.split('…').map((part) => part.trim()));
  expect(parts.length).toBeGreaterThan(30);
  expect(parts.filter((part) => !sources.includes(part))).toEqual([]);
});

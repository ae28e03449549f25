// The examples are what the README says they are: realistic, valid, and full of what naive editors break.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';

const FOLDER = new URL('../examples/', import.meta.url);
const NAMES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => /\.\w+$/.test(name) && !name.endsWith('.github') && !/^(?:policy|hooks)\//.test(name))
  .sort();

const FEATURES = [
  { file: 'helm/values.yaml', text: 'tag: "1.10"', why: 'a version that a number would shorten' },
  { file: 'helm/values.yaml', text: 'port: 80                    #', why: 'a comment in a column' },
  { file: 'helm/values.yaml', text: '\n- name: ghcr-pull', why: 'a sequence without indentation' },
  {
    file: 'helm/values.yaml',
    text: '\n\n\nautoscaling:',
    why: 'blank lines that mean something to a person',
  },
  { file: 'helm/values.yaml', text: 'banner: |\n', why: 'a block scalar with a # inside' },
  { file: 'deploy/storefront.yaml', text: '\n      replicas: 3\n', why: 'a decoy inside a block scalar' },
  { file: 'deploy/storefront.yaml', text: 'labels: *labels', why: 'an alias' },
  { file: 'deploy/storefront.yaml', text: '\n---\n', why: 'several documents' },
  { file: '.github/workflows/ci.yml', text: '\non:\n', why: 'a key that YAML 1.1 takes for true' },
  { file: '.github/workflows/ci.yml', text: 'run: |\n', why: 'shell inside YAML' },
  { file: 'compose.yaml', text: '- "8080:80"', why: 'a port that base 60 would ruin' },
  { file: 'compose.yaml', text: '<<: *service', why: 'a merge key' },
  { file: 'compose.yaml', text: 'x-logging: &logging', why: 'an anchor in an extension' },
  { file: 'compose.yaml', text: '🦊', why: 'a character of two UTF-16 units' },
  { file: 'app/settings.json', text: '9007199254740993', why: 'a number that JavaScript would round' },
];

describe.each(NAMES)('examples/%s', (name) => {
  const text = readFileSync(new URL(name, FOLDER), 'utf8');

  it('is valid, with line feeds only', () => {
    expect(text).not.toContain('\r');
    expect(text.endsWith('\n')).toBe(true);
    if (name.endsWith('.json')) expect(() => JSON.parse(text)).not.toThrow();
    else
      for (const document of parseAllDocuments(text))
        expect([...document.errors, ...document.warnings]).toEqual([]);
  });

  it('is long enough to be real and short enough to be read', () => {
    const lines = text.split('\n').length - 1;
    expect(lines).toBeGreaterThanOrEqual(name.endsWith('.json') ? 10 : 50);
    expect(lines).toBeLessThanOrEqual(200);
  });
});

it.each(FEATURES)('examples/$file has $why', ({ file, text }) => {
  expect(readFileSync(new URL(file, FOLDER), 'utf8')).toContain(text);
});

it('the examples hold no secrets, not even made-up ones: the demo makes its own', () => {
  expect(NAMES).toEqual([...new Set(FEATURES.map(({ file }) => file))].sort());
});

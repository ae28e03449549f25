// Templates are read by structure, edited without touching an action that is not meant, and refused where that cannot be.

import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { readConfigFile } from '../../../../src/adapters/formats/registry.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/policy/policy.ts';
import { refusalOf } from '../../../harness/refusals.ts';
import { parse } from '../../editing/attempt.ts';
import { chartTemplate, HELPERS } from './charts.ts';
import { editRandomly } from './random-edits.ts';

/** Each for something that charts do and a composed one does not. */
const WRITTEN = z
  .array(z.object({ why: z.string(), text: z.string() }))
  .parse(JSON.parse(readFileSync(new URL('../../../tables/template-texts.json', import.meta.url), 'utf8')));

const NUMBERS = Array.from({ length: 300 }, (_, i) => i);

function read(text: string) {
  return readConfigFile(undefined, text, DEFAULT_LIMITS);
}

function reasonOf(text: string): string | undefined {
  const refusal = refusalOf(() => read(text));
  return refusal && `${refusal.code} ${refusal.message}`;
}

test('of more than 300 templates in the manner of charts, at least 97 % are read by structure', () => {
  const texts = [HELPERS, ...WRITTEN.map(({ text }) => text), ...NUMBERS.map(chartTemplate)];
  expect(new Set(texts).size).toBeGreaterThan(300);
  const unread = texts.flatMap((text) => reasonOf(text) ?? []);
  expect(unread.slice(0, 3)).toEqual([]);
  expect(unread.length / texts.length).toBeLessThan(0.03);
});

test.each(WRITTEN)('$why: no offset is another one, and all actions are known', ({ text }) => {
  const { actions = [], documents } = parse(text, 'template');
  const source = text.match(/\{\{|\{%|\{#/g)?.length ?? 0;
  expect(actions.length).toBeGreaterThan(0);
  expect(actions.length).toBeLessThanOrEqual(source);
  for (const { start, end } of actions) expect(text.slice(start, end)).toMatch(/^\{[{%#][\s\S]*[}%#]\}$/);
  expect(documents.length).toBeGreaterThan(0);
});

test('500 random edits of templates leave every action that is not meant as it is', () => {
  const { done, faults, refused } = editRandomly(0, 500);
  expect(faults.slice(0, 3).join('\n\n')).toBe('');
  expect(done.length, JSON.stringify(refused)).toBeGreaterThan(300);
});

describe('a text is read as a template', () => {
  it.each([
    ['a: {{ .b }}\n', 'YAML template', 'an action would be structure'],
    ['{{- if .x }}\na: 1\n{{- end }}\n', 'YAML template', 'YAML cannot read it'],
    ['a: "{{ .b | default "c" }}"\n', 'YAML template', 'quotes within quotes'],
    ['# {{- if .x }}\na: 1\n# {{- end }}\n', 'YAML template', 'actions in comments take effect'],
    ['a: "{{ item }}"\n', 'YAML', 'each action stands within a text'],
    ['a: ${{ github.ref }}\nb: 1\n', 'YAML', 'what stands behind a dollar is for others'],
    ['a: |\n  {{ range .x }}\n  {{ end }}\n', 'YAML', 'the text of a block scalar'],
    ['# Set {{ .Values.a }} here.\na: 1\n', 'YAML', 'a comment that mentions one'],
    ['a: "{{ x | default(\\"b\\") }}"\n', 'YAML', 'escaped for YAML'],
  ])('%j: %s', (text, name) => {
    expect(read(text).format.name).toBe(name);
  });
});

// Templates are read by structure, edited without touching an action that is not meant, and refused where that cannot be.

import { describe, expect, it, test } from 'vitest';
import { findNode, readConfigFile } from '../../../../src/adapters/index.ts';
import { DEFAULT_LIMITS } from '../../../../src/security/index.ts';
import { refusalOf } from '../../../harness/refusals.ts';
import { attempt, edited, parse } from '../../editing/attempt.ts';
import { chartTemplate, HELPERS } from './charts.ts';
import { editRandomly } from './random-edits.ts';
import { WRITTEN } from './written.ts';

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

  it.each([
    ['a: 1\n{{- if .x }}\nb: 2\n', 'line 2', 'no end'],
    ['a: 1\n{{- end }}\nb: 2\n', 'line 2', 'nothing is open'],
    ['a: {{ .x\nb: 2\n', 'line 1', 'not closed'],
    ['a: {{ "x }}\nb: 2\n', 'line 1', 'not closed'],
    [
      '{{ if .x }}\n{{/* over\ntwo lines */}}\na: 1\n  b: 2\n{{ end }}\n',
      'line 4',
      'where the source has it',
    ],
  ])('%j is refused at %s: %s', (text, line) => {
    const reason = reasonOf(text);
    expect(reason).toContain('SYNTAX_INVALID');
    expect(reason).toContain(line);
  });
});

describe('a value that holds an action', () => {
  it.each([
    ['a: {{ .b }}\n', 'a', '{{ .b }}'],
    ['a: {{ 5 }}\nb: 5\n', 'a', '{{ 5 }}'],
    ['a: "x{{ .b | default "c" }}\\n"\n', 'a', 'x{{ .b | default "c" }}\n'],
    ["a: 'it''s {{ .b }}'\nb: {{ .c }}\n", 'a', "it's {{ .b }}"],
    ['a:\n  {{- toYaml .b | nindent 2 }}\nc: 1\n', 'a', '{{- toYaml .b | nindent 2 }}'],
    [
      'a:\n  {{- with .b }}\n  {{- toYaml . | nindent 2 }}\n  {{- end }}\nc: 1\n',
      'a',
      '{{- with .b }}\n{{- toYaml . | nindent 2 }}\n{{- end }}',
    ],
    [
      'a: |\n  x\n{{- if .b }}\n  y\n{{- end }}\n  z\nc: {{ .d }}\n',
      'a',
      'x\n{{- if .b }}\ny\n{{- end }}\nz\n',
    ],
    ['a: [{{ .b }}, c]\n', 'a[0]', '{{ .b }}'],
  ])('%j at %s is its source', (text, path, value) => {
    expect(findNode(read(text), path, undefined).value()).toBe(value);
  });

  test('whole collections are shown with the lines of actions that belong to them', () => {
    const text =
      'a:\n  b:\n    {{- include "x" . | nindent 4 }}\n    c: 1\n    {{- with .d }}\n    {{- toYaml . | nindent 4 }}\n    {{- end }}\n  {{- if .e }}\n  f: 1\n  {{- end }}\n';
    expect(findNode(read(text), 'a.b', undefined).source()).toBe(
      text.slice(text.indexOf('    {{- include'), text.indexOf('\n  {{- if .e')),
    );
  });
});

describe('below a comment, what actions write belongs to the part above it', () => {
  const CHART =
    'kind: ConfigMap\ndata:\n# environment\n  {{- with .Values.env }}\n    {{- . | toYaml | nindent 6 }}\n  {{- end }}\n';

  it('a new key comes behind them', () => {
    expect(edited(CHART, { op: 'set', path: 'new', value: '1' }, 'template')).toBe(`${CHART}new: 1\n`);
  });

  it('and nothing is put where they write', () => {
    const done = attempt(CHART, { op: 'append', path: 'data', value: 'x' }, 'template');
    expect('code' in done && done.code).toBe('TEMPLATE_ACTION');
  });
});

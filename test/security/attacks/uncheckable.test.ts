// Files that are checked stay checked: no edit takes a file out of the reach of the schema that the operator has bound to it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Stage, sharedStage } from '../../harness/previews.ts';

const SCHEMA = { properties: { image: { const: 'web' }, slow: { pattern: '^(a+)+$' } }, required: ['image'] };
const FILES = {
  'a.yaml': 'image: web # ours\nb: one\n',
  'template.yaml': 'image: web\nb: {{ .Values.b }}\n',
  'slow.yaml': `image: web\nslow: ${'a'.repeat(40)}!\n`,
};
const bound = ({ place }: Stage): readonly string[] => {
  const file = join(place, 'schema.json');
  writeFileSync(file, JSON.stringify(SCHEMA), { mode: 0o600 });
  return ['--schema', `**/*.yaml=${file}`, '--max-step-ms', '60000'];
};
const stage = sharedStage(bound, FILES);

const replace = (file: string, old_text: string, new_text: string) => ({
  ...{ op: 'replace_text', file, old_text, new_text },
});

interface Row {
  readonly why: string;
  readonly edit: Readonly<Record<string, unknown>>;
}

describe('a file that a schema is bound to', () => {
  it.each<Row>([
    { why: 'a text becomes an action', edit: replace('a.yaml', 'b: one', 'b: {{ x }}') },
    { why: 'an action comes with what breaks the schema', edit: replace('a.yaml', 'web # ours', '{{ x }}') },
    {
      why: 'a line of nothing but an action comes',
      edit: replace('a.yaml', 'b: one', '{{/* x */}}\nb: one'),
    },
    { why: 'an action is set', edit: { op: 'set', file: 'a.yaml', path: 'b', value: '{{ x }}' } },
    { why: 'it can no longer be parsed', edit: replace('a.yaml', 'b: one', 'b: [') },
    {
      why: 'a new file is a template',
      edit: { op: 'create_file', file: 'n.yaml', content: 'image: web\nb: {{ x }}\n' },
    },
    {
      why: 'a check would take too long',
      edit: { op: 'set', file: 'a.yaml', path: 'slow', value: `${'a'.repeat(40)}!`, create: true },
    },
    {
      why: 'a template becomes a file, and breaks it',
      edit: { op: 'create_file', file: 'm.yaml', content: 'image: other\n' },
    },
    {
      why: 'what stood in a template was never checked',
      edit: replace('template.yaml', 'web\nb: {{ .Values.b }}', 'other'),
    },
  ])('stays one that can be checked, and meets it: $why', async ({ edit }) => {
    const { at, server } = await stage();
    const refused = await server.refused('config_edit', { edits: [edit] });
    expect(refused.code).toMatch(/^(?:SCHEMA_VIOLATION|SYNTAX_INVALID|VALUE_INVALID|VERIFICATION_FAILED)$/);
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
  });

  it('says that a check takes too long, and not that the file would break the schema', async () => {
    const { server } = await stage();
    const args = { file: 'a.yaml', path: 'slow', value: `${'a'.repeat(40)}!`, create: true };
    const { message, details } = await server.refused('config_set', args);
    expect(message).toContain('the result could not be checked against schema.json');
    expect(details).toContain('its schema takes longer than');
  });

  it('can be edited as a template where it was one, and as a file that takes too long to check; the reply says so', async () => {
    const { server } = await stage();
    const template = await server.ok('config_set', { file: 'template.yaml', path: 'image', value: 'other' });
    expect(template.text).toContain('only once it is filled in, and was not');
    const slow = await server.ok('config_set', { file: 'slow.yaml', path: 'c', value: '1', create: true });
    expect(slow.text).toContain('could not be checked against schema.json');
  });

  it('that could not be checked is checked as a whole once it can be', async () => {
    const { server } = await stage();
    await server.ok('config_edit', {
      edits: [replace('slow.yaml', 'image: web', 'image: other')],
      dry_run: false,
    });
    const mended = { edits: [{ op: 'delete', file: 'slow.yaml', path: 'slow' }] };
    expect((await server.refused('config_edit', mended)).code).toBe('SCHEMA_VIOLATION');
  });
});

// The helpers of a chart are open without an option: found, read and edited as text where they are no template of YAML, with
// their secrets masked.
import { expect, it } from 'vitest';
import { toolServer } from '../harness/tool-server.ts';

const TEXT = `{{- define "web.name" -}}
{{ .Chart.Name | trunc 63 }}
{{- end -}}
{{- define "web.auth" -}}
plain text, { no YAML
password: "hunter2-Xk29"
{{- end -}}
`;
const HELPERS = 'web/templates/_helpers.tpl';

const server = toolServer({
  files: { [HELPERS]: TEXT, 'web/other.tpl': TEXT, 'web/values.yaml': 'a: 1\n' },
});

it('are listed and found, with what is secret in them masked', async () => {
  expect((await server.ok('config_list')).text).toContain(HELPERS);
  const { text } = await server.ok('config_search', { text: 'password' });
  expect(text).toMatch(/^web\/templates\/_helpers\.tpl:6 {2}password: "<secret:[0-9a-z]{8}>"$/mu);
  expect((await server.ok('config_get', { file: HELPERS, view: 'raw' })).text).not.toContain('hunter2');
});

it('are edited with replace_text, and keep every other byte', async () => {
  const edits = [{ op: 'replace_text', file: HELPERS, old_text: 'trunc 63', new_text: 'trunc 53' }];
  await server.ok('config_edit', { edits, dry_run: false });
  expect(server.disk(HELPERS)).toBe(TEXT.replace('trunc 63', 'trunc 53'));
});

it('are valid where their actions are, whatever they define', async () => {
  const says = (file: string) => server.ok('config_validate', { file }).then(({ text }) => text);
  server.write('web/templates/_text.tpl', '{{- define "a" -}}\nfoo: [\nbar: {{ .x }}\n{{- end }}\n');
  expect(await says('web/templates/_text.tpl')).toBe(
    'Valid: no problems found.\nWhat it makes is no YAML by itself: only its actions were checked.',
  );
  server.write('web/templates/_open.tpl', '{{- define "a" -}}\nx\n  {no: }\n{{- if .b }}\n{{- end -}}\n');
  expect(await says('web/templates/_open.tpl')).toContain('this define "a" has no end');
  expect((await server.ok('config_validate')).text).toContain('4 files checked, 1 with problems.');
});

it('are closed outside of folders named templates', async () => {
  expect((await server.refused('config_get', { file: 'web/other.tpl' })).code).toBe('PATH_DENIED');
});

// The helpers of a chart are open without an option: found, read and edited as text where they are no template of YAML, with
// their secrets masked.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startToolServer, type ToolServer } from '../harness/tool-server.ts';

const TEXT = `{{- define "web.name" -}}
{{ .Chart.Name | trunc 63 }}
{{- end -}}
{{- define "web.auth" -}}
plain text, { no YAML
password: "hunter2-Xk29"
{{- end -}}
`;
const HELPERS = 'web/templates/_helpers.tpl';

let server: ToolServer;
beforeAll(async () => {
  server = await startToolServer({
    files: { [HELPERS]: TEXT, 'web/other.tpl': TEXT, 'web/values.yaml': 'a: 1\n' },
  });
});
afterAll(() => server.close());

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

it('are closed outside of folders named templates', async () => {
  expect((await server.refused('config_get', { file: 'web/other.tpl' })).code).toBe('PATH_DENIED');
});

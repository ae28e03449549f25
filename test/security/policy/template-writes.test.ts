// Attacks by actions within the values of a Helm chart that write other nodes, or decide about them. A short list of forms stays
// within its value; all else may write the whole document.
import { type AttackRow, describeAttacks } from './attack-rows.ts';

const CHART =
  'kind: Deployment\nspec:\n  name: web\n  quoted: "web"\n  single: \'web\'\n  flow: { a: web }\n  block: |\n    words\n  replicas: 1\n  last: 1\n';
const LOCKED = 'paths: spec.replicas, then: deny';
const NAME = '  name: web\n';

const row = (why: string, value: string, edit?: AttackRow['edit']): AttackRow => ({
  ...{ why, rule: LOCKED, before: CHART, file: 'templates/x.yaml' },
  edit: edit ?? [NAME, `  name: ${value}\n`],
});
const at = (place: string, why: string, value: string): AttackRow =>
  row(why, '', [
    { quoted: '"web"', single: "'web'", flow: '{ a: web }', block: '    words\n' }[place] ?? '',
    value,
  ]);

describeAttacks('an action of a template that writes beyond its value', {
  denied: [
    row('a carriage return that is indented', '{{ "1\\r  replicas: 9" | indent 6 }}'),
    row('a carriage return under nindent', '{{ "1\\r  replicas: 9" | nindent 6 }}'),
    row('an nindent that is not the last', '{{ print "1\\n  replicas: 9" ("" | nindent 6) }}'),
    row('an nindent in brackets', '{{ printf "%s%s" (printf "%c" 10) ("x" | nindent 6) }}'),
    row('a line break by its number', '{{ printf "1% c  replicas: 9" 10 }}'),
    at('quoted', 'a quote in quotes', '"{{ "\\"" }}"'),
    at('quoted', 'a raw text with a quote in quotes', '"{{ `"` }}"'),
    at('quoted', 'a quoted text in quotes', '"{{ .Values.a | quote }}"'),
    at('quoted', 'a JSON text in quotes', '"{{ .Values.a | toJson }}"'),
    {
      ...at('quoted', 'a backslash before an action that writes nothing', '"\\{{ .Values.a }}"'),
      code: 'VERIFICATION_FAILED',
    },
    at('quoted', 'a variable in quotes', '"{{ $x }}"'),
    at('quoted', 'a variable with a text, in quotes', '"{{ $x := "\\"\\n  replicas: 9" }}{{ $x }}"'),
    at('quoted', 'a dot that is any text, in quotes', `"{{ with "'\\"" }}{{ . }}{{ end }}"`),
    at('quoted', 'another template in quotes', '"{{ tpl .Values.a . }}"'),
    at('single', 'an apostrophe as a default', `'{{ .Values.a | default "'" }}'`),
    at('single', 'an apostrophe', `'{{ "'" }}'`),
    at('single', 'a value in quotes in apostrophes', `'{{ .Values.a | quote }}'`),
    at('flow', 'a comma in brackets', '{ a: {{ "1, replicas: 9" }} }'),
    at('flow', 'a bracket in brackets', '{ a: {{ "1 }" }} }'),
    at('flow', 'lines in brackets', '{ a: {{ .Values.a | nindent 6 }} }'),
    at('flow', 'a value behind a text in brackets', '{ a: x{{ .Values.a | quote }} }'),
    row('an anchor', '{{ "&r 9" }}'),
    row('an anchor behind an action that writes nothing', '{{/* c */}}&r 9'),
    row('a tag behind an action that writes nothing', '{{ "" }}!!merge'),
    row('a comment behind an action', '{{ .Values.a }}#'),
    row('a variable', '{{ $x }}'),
    row('an assignment', '{{ $x = 9 }}'),
    row('an end of the round', '{{ continue }}'),
    row('an end of all rounds', '{{ break }}'),
    row('a change of the values', '{{ set .Values "replicas" 9 | quote }}'),
    row('another template that changes the values', '{{ tpl "{{ set .Values `replicas` 9 }}" . | quote }}'),
    row('a file', '{{ .Files.Get "x" | nindent 6 }}'),
    row('a value without quotes', '{{ .Values.a }}'),
    row('a blank that is taken away before it', '{{- "x" }}'),
    row('a line break that is taken away behind it', '{{ "x" -}}'),
    row('a definition', '{{ define "x" }}a{{ end }}'),
    row('a branch over two plain values', '', [
      `${NAME}  quoted: "web"\n`,
      '  name: {{ if .Values.a }}web\n  quoted: web{{ end }}\n',
    ]),
    row('a branch over two values in quotes', '', [
      `${NAME}  quoted: "web"\n`,
      '  name: "{{ if .Values.a }}web"\n  quoted: "web{{ end }}"\n',
    ]),
    {
      ...row('a branch over two values that goes', ''),
      before: CHART.replace(
        `${NAME}  quoted: "web"\n`,
        '  name: "{{ if .Values.a }}web"\n  quoted: "web{{ end }}"\n',
      ),
      edit: ['"{{ if .Values.a }}web"\n  quoted: "web{{ end }}"', '"web"\n  quoted: "web"'],
    },
    row('a round over two values', '', [
      `${NAME}  quoted: "web"\n`,
      '  name: "{{ range .Values.a }}web"\n  quoted: "web{{ end }}"\n',
    ]),
    at('block', 'a line to the left of a block of text', '    {{ "x\\n  replicas: 9" }}\n'),
    at('block', 'lines to the left of a block of text', '    {{ .Values.a | nindent 2 }}\n'),
    at('block', 'a line of a block of text that is taken away', '    {{- .Values.a | quote }}\n'),
    at('block', 'a value of several lines in a block of text', '    {{ .Values.a }}\n'),
  ],
  passed: [
    row('a value in quotes', '{{ .Values.a | quote }}'),
    row('a text in quotes', '{{ printf "%s: %s" .Values.a $x | quote }}'),
    row('a value as JSON', '{{ toJson .Values.a }}'),
    row('a literal', '{{ "web-1.2" }}'),
    row('a literal behind a text', 'web-{{ "a" }}'),
    row('lines below it', '{{- toYaml .Values.a | nindent 4 }}'),
    row('a named template below it', '\n    {{- include "web.labels" . | nindent 4 }}'),
    row('a branch within it', '{{ if .Values.a }}web{{ else }}db{{ end }}'),
    row('a note', 'web{{/* why */}}'),
    at('quoted', 'a path in quotes', '"{{ .Values.a }}:{{ .Values.b | default "x" | trunc 63 }}"'),
    at('quoted', 'a branch in quotes', '"{{ if eq .Values.a "b" }}a{{ else }}, b: {{ end }}"'),
    at('single', 'a path in apostrophes', `'{{ .Values.a | default "x" }}'`),
    at('flow', 'a value in brackets', '{ a: {{ .Values.a | quote }} }'),
    at('block', 'lines of a block of text', '    {{ .Values.a | nindent 4 }}\n'),
    at('block', 'a value in quotes in a block of text', '    a: {{ .Values.a | quote }}\n'),
    row('another value beside an action', '', ['last: 1', 'last: 2']),
  ],
});

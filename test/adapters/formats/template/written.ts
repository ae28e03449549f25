// Templates written out, each for something that charts do and a composed one does not.
export const WRITTEN: readonly { readonly why: string; readonly text: string }[] = [
  {
    why: 'a whole file that a library chart writes',
    text: '{{- include "common.deployment" (list . "web.overrides") -}}\n',
  },
  {
    why: 'a document for each of a list',
    text: '{{- range .Values.a }}\n---\nkind: A\nname: {{ .name }}\n{{- end }}\n',
  },
  { why: 'a key that an action writes', text: 'a:\n  {{ .Values.key }}: 1\n  {{ .Values.prefix }}-b: 2\n' },
  { why: 'an action within flow style', text: 'a: [{{ .x }}, "{{ .y }}", c]\nb: {c: {{ .z }}, d: 1}\n' },
  { why: 'line breaks of Windows', text: 'a: 1\r\n{{- if .x }}\r\nb: {{ .y }}\r\n{{- end }}\r\nc: 3\r\n' },
  { why: 'a byte order mark', text: '\uFEFF{{- if .x }}\na: 1\n{{- end }}\n' },
  { why: 'no line break at the end', text: '{{- if .x }}\na: 1\n{{- end }}' },
  { why: 'a raw string over two lines', text: 'a: {{ printf `x\n  }}` }}\nb: 2\n' },
  { why: 'a character and quotes that hold an end', text: 'a: {{ index .x \'}\' }}\nb: {{ "}}" }}\n' },
  {
    why: 'comments with actions',
    text: '# {{ .Values.a }} is the name\na: 1 # {{ .b }}\n{{- if .x }}\nb: 2\n{{- end }}\n',
  },
  {
    why: 'an if that only holds a comment',
    text: 'a:\n  {{- if .x }}\n  # nothing yet\n  {{- end }}\n  b: 1\n',
  },
  { why: 'an anchor and its alias', text: 'a: &x\n  k: {{ .v }}\nb: *x\nc:\n  <<: *x\n  l: 1\n' },
  {
    why: 'two branches that hold the same list',
    text: 'a:\n  {{- if .x }}\n  - 1\n  {{- else if .y }}\n  - 2\n  {{- else }}\n  - 3\n  {{- end }}\n',
  },
  { why: 'text that goes on in quotes', text: 'a: "one\n  {{ .two }}\n  three"\nb: 1\n' },
  {
    why: 'a folded text with a condition',
    text: 'a: >\n  one\n  {{- if .x }}\n  two\n  {{- end }}\n  three\nb: 1\n',
  },
  {
    why: 'actions at the left of a text',
    text: 'a:\n  b: |\n    one\n{{- if .x }}\n    two\n{{- end }}\n    three\n  c: 1\n',
  },
  { why: 'a text that an action begins', text: 'a: |{{ .x | nindent 2 }}\nb: 1\n' },
  {
    why: 'keys beside keys of an include',
    text: 'a: {{- include "x" . | nindent 2 }}\n  b: 1\n  {{- if .y }}\n  c: 2\n  {{- end }}\nd: 1\n',
  },
  {
    why: 'Jinja',
    text: 'a: 1\n{% if x %}\nb: {{ y }}\n{% elif z %}\nb: 2\n{% endif %}\n{# a note #}\nc: 3\n',
  },
  {
    why: 'Jinja with a loop',
    text: 'hosts:\n{% for host in hosts %}\n  - name: {{ host.name }}\n    port: 80\n{% endfor %}\n  - name: last\n',
  },
  { why: 'Jinja as it is', text: 'a: 1\n{% raw %}\nb: "{{ not an action }}"\n{% endraw %}\nc: {{ x }}\n' },
  {
    why: 'an action that is a document of its own',
    text: 'a: 1\n---\n{{ include "x" . }}\n---\nb: {{ .c }}\n',
  },
  { why: 'an assignment between entries', text: 'a: 1\n{{- $b := 2 }}\n{{- $b = 3 }}\nb: {{ $b }}\n' },
  { why: 'a with and its else', text: '{{- with .x }}\na: {{ . }}\n{{- else }}\na: none\n{{- end }}\n' },
  {
    why: 'a define beside what uses it',
    text: '{{- define "x" }}\nlabel: x\n{{- end }}\na:\n  {{- template "x" . }}\n  b: 1\n',
  },
  { why: 'a block', text: 'a: 1\n{{- block "extra" . }}\nb: 2\n{{- end }}\n' },
  {
    why: 'break and continue',
    text: 'a:\n{{- range .x }}\n  {{- if .skip }}{{ continue }}{{ end }}\n  - {{ .name }}\n{{- end }}\n',
  },
  { why: 'a pipeline over several lines', text: 'a: {{ .x\n  | default "y"\n  | quote }}\nb: 1\n' },
  {
    why: 'a nested if with an empty branch',
    text: 'a: 1\n{{- if .x }}{{- if .y }}\nb: 2\n{{- end }}{{- end }}\n',
  },
  {
    why: 'a value that is there in one branch only',
    text: 'a:\n  {{- if .x }}\n  {{- toYaml .x | nindent 2 }}\n  {{- else }} {}\n  {{- end }}\nb: 1\n',
  },
];

// Templates in the manner of real charts, composed of what stands in them: conditions around entries, items and whole
// documents, ranges, includes and toYaml with their indentation, comments, actions over several lines, scripts in texts.
import { type Random, randomFrom } from '../../../harness/random.ts';

export const HELPERS = `{{/*
Expand the name of the chart.
*/}}
{{- define "web.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "web.fullname" -}}
{{- if .Values.fullnameOverride }}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else }}
{{- $name := default .Chart.Name .Values.nameOverride }}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{/*
Common labels
*/}}
{{- define "web.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{ include "web.selectorLabels" . }}
{{- if .Chart.AppVersion }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{- end }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "web.selectorLabels" -}}
app.kubernetes.io/name: {{ include "web.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}
`;

/** A template by its number: the same number gives the same text. */
export function chartTemplate(number: number): string {
  const random = randomFrom(number);
  const kind = random.pick(KINDS);
  const parts = [...kind(random)];
  const text = `${parts.join('\n')}\n`;
  const notice = random.below(3) === 0 ? `${random.pick(NOTICES)}\n` : '';
  switch (random.below(6)) {
    case 0:
      return `${notice}{{- if .Values.enabled }}\n${text}{{- end }}\n`;
    case 1:
      return `${notice}{{- if and .Values.enabled (not .Values.disabled) -}}\n${text}{{- end -}}\n`;
    case 2:
      return `${notice}{{- range $name, $one := .Values.instances }}\n---\n${text}{{- end }}\n`;
    case 3:
      return `${notice}{{- $root := . }}\n{{- with .Values.service }}\n${withRoot(text)}{{- end }}\n`;
    default:
      return notice + text;
  }
}

/** Within a range or a with, the dot is another one. */
function withRoot(text: string): string {
  return text
    .replaceAll(/(?<=[\s(])\.(?=(?:Values|Chart|Release|Capabilities)\b)/g, '$$root.')
    .replaceAll('" . |', '" $root |')
    .replaceAll('" . }', '" $root }');
}

const NOTICES = [
  '{{- /*\nCopyright the authors.\nUse of this file is governed by the license.\n*/}}\n',
  '# Managed by the platform team.\n',
  '{{- /* The values are checked in _helpers.tpl: }} is no end here. */ -}}',
];

type Lines = readonly string[];
type Kind = (random: Random) => Generator<string>;

function lines(text: string, by = 0): Lines {
  return text.split('\n').map((line) => (line === '' ? '' : ' '.repeat(by) + line));
}

function* maybe(random: Random, texts: readonly string[], by = 0): Generator<string> {
  for (const text of texts) if (random.below(2) === 0) yield* lines(text, by);
}

function* metadata(random: Random, suffix = ''): Generator<string> {
  yield 'metadata:';
  yield `  name: {{ include "web.fullname" . }}${suffix}`;
  yield* maybe(random, ['namespace: {{ .Release.Namespace | quote }}'], 2);
  yield* lines(random.pick(LABELS), 2);
  yield* maybe(random, ANNOTATIONS, 2);
}

const LABELS = [
  'labels:\n  {{- include "web.labels" . | nindent 4 }}',
  'labels: {{- include "web.labels" . | nindent 4 }}',
  'labels: {{- include "web.labels" . | nindent 4 }}\n  team: shop',
  'labels:\n  {{- include "web.labels" . | nindent 4 }}\n  # Who is asked about it.\n  team: shop',
  'labels:\n  team: shop\n  tier: {{ .Values.tier | quote }}\n  {{- with .Values.labels }}\n  {{- toYaml . | nindent 4 }}\n  {{- end }}',
  'labels:\n    app: web\n{{ include "web.labels" . | indent 4 }}',
  'labels:\n  {{- range $key, $value := .Values.labels }}\n  {{ $key }}: {{ $value | quote }}\n  {{- end }}\n  team: shop',
];

const ANNOTATIONS = [
  '{{- with .Values.annotations }}\nannotations:\n  {{- toYaml . | nindent 4 }}\n{{- end }}',
  '{{- if .Values.checksum }}\nannotations:\n  checksum/config: {{ include "web.labels" . | quote }}\n  {{- if .Values.scrape }}\n  prometheus.io/scrape: "true"\n  prometheus.io/port: {{ .Values.service.port | quote }}\n  {{- end }}\n{{- end }}',
];

const CONTAINER_PARTS = [
  'imagePullPolicy: {{ .Values.image.pullPolicy }}',
  '{{- if .Values.command }}\ncommand: ["web", "--serve"]\n{{- else }}\ncommand:\n  - web\n  - --port={{ .Values.service.port }}\n{{- end }}',
  'args:\n  - --log-level={{ .Values.logLevel | default "info" }}\n  {{- range .Values.extraArgs }}\n  - {{ . | quote }}\n  {{- end }}\n  # Ends the flags.\n  - --',
  'ports:\n  - name: http\n    containerPort: {{ .Values.service.port }}\n    protocol: TCP\n  {{- if .Values.metrics }}\n  - name: metrics\n    containerPort: 9090\n  {{- end }}',
  'env:\n  - name: MODE\n    value: production\n  {{- range $key, $value := .Values.env }}\n  - name: {{ $key }}\n    value: {{ $value | quote }}\n  {{- end }}\n  {{- with .Values.extraEnv }}\n  {{- toYaml . | nindent 12 }}\n  {{- end }}',
  'env:\n- name: POD\n  valueFrom:\n    fieldRef:\n      fieldPath: metadata.name\n{{- if .Values.secret }}\n- name: TOKEN\n  valueFrom:\n    secretKeyRef:\n      name: {{ .Values.secret }}\n      key: token\n{{- end }}',
  'livenessProbe:\n  httpGet:\n    path: /healthz\n    port: http\n  initialDelaySeconds: 10 # slow starts',
  '{{- with .Values.readinessProbe }}\nreadinessProbe:\n  {{- toYaml . | nindent 12 }}\n{{- end }}',
  'resources:\n  {{- toYaml .Values.resources | nindent 12 }}',
  'resources:\n  limits:\n    cpu: {{ .Values.cpu | default "100m" | quote }}\n    memory: 128Mi',
  'securityContext: {{- toYaml .Values.securityContext | nindent 12 }}',
  'volumeMounts:\n  - { name: config, mountPath: /etc/web }\n  {{- if .Values.persistence }}\n  - { name: data, mountPath: {{ .Values.path | default "/data" }} }\n  {{- end }}',
];

const POD_PARTS = [
  'serviceAccountName: {{ include "web.name" . }}',
  '{{- with .Values.imagePullSecrets }}\nimagePullSecrets:\n  {{- toYaml . | nindent 8 }}\n{{- end }}',
  '{{- with .Values.nodeSelector }}\nnodeSelector:\n  {{- toYaml . | nindent 8 }}\n{{- end }}',
  '{{- if .Values.affinity }}\naffinity: {{- toYaml .Values.affinity | nindent 8 }}\n{{- else }}\naffinity:\n  podAntiAffinity: {}\n{{- end }}',
  'tolerations:\n  - key: dedicated\n    operator: Equal\n    value: {{ .Values.pool | default "web" | quote }}\n  {{- if .Values.tolerations }}\n  {{- toYaml .Values.tolerations | nindent 8 }}\n  {{- end }}',
  'terminationGracePeriodSeconds: 30',
  'volumes:\n  - name: config\n    configMap:\n      name: {{ include "web.fullname" . }}\n  {{- if .Values.persistence }}\n  - name: data\n    persistentVolumeClaim:\n      claimName: {{ .Values.claim | default (include "web.fullname" .) }}\n  {{- else }}\n  - name: data\n    emptyDir: {}\n  {{- end }}',
];

const IMAGES = [
  '"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"',
  '{{ .Values.image.repository }}:{{ .Values.image.tag }}',
  '{{ printf "%s:%s" .Values.image.repository (.Values.image.tag | default "latest") | quote }}',
  '{{ if .Values.image.digest }}"{{ .Values.image.repository }}@{{ .Values.image.digest }}"{{ else }}"{{ .Values.image.repository }}:1.4"{{ end }}',
];

function* pod(random: Random, by: number): Generator<string> {
  const own: string[] = ['spec:'];
  own.push(...[...maybe(random, POD_PARTS)].map((line) => `  ${line}`));
  own.push(
    '  containers:',
    `    - name: ${random.pick(['web', '{{ .Chart.Name }}', '{{ include "web.name" . }}'])}`,
  );
  own.push(`      image: ${random.pick(IMAGES)}`);
  own.push(...[...maybe(random, CONTAINER_PARTS)].map((line) => `      ${line}`));
  if (random.below(3) === 0) {
    own.push(
      '    {{- if .Values.sidecar }}',
      '    # Sends the logs on.',
      '    - name: logs',
      '      image: logs:1.0',
      '    {{- end }}',
    );
    own.push('    {{- with .Values.extraContainers }}', '    {{- toYaml . | nindent 8 }}', '    {{- end }}');
  }
  yield* own.map((line) => ' '.repeat(by) + line);
}

function* workload(random: Random): Generator<string> {
  yield 'apiVersion: apps/v1';
  yield `kind: ${random.pick(['Deployment', 'StatefulSet', 'DaemonSet'])}`;
  yield* metadata(random);
  yield 'spec:';
  yield* lines(
    random.pick([
      '{{- if not .Values.autoscaling.enabled }}\nreplicas: {{ .Values.replicaCount }}\n{{- end }}',
      'replicas: {{ .Values.replicaCount | default 1 }}',
      'replicas: 2',
    ]),
    2,
  );
  yield* maybe(
    random,
    [
      'revisionHistoryLimit: 3',
      '{{- if eq .Values.strategy "Recreate" }}\nstrategy:\n  type: Recreate\n{{- else }}\nstrategy:\n  type: RollingUpdate\n  rollingUpdate:\n    maxSurge: 1\n{{- end }}',
      '{{- if .Values.a }}\nserviceName: {{ .Values.a }}\n{{- else if .Values.b }}\nserviceName: {{ .Values.b }}\n{{- else }}\nserviceName: web\n{{- end }}',
    ],
    2,
  );
  yield* lines('selector:\n  matchLabels:\n    {{- include "web.selectorLabels" . | nindent 6 }}', 2);
  yield* lines(
    'template:\n  metadata:\n    labels:\n      {{- include "web.selectorLabels" . | nindent 8 }}',
    2,
  );
  yield* pod(random, 4);
}

function* service(random: Random): Generator<string> {
  yield 'apiVersion: v1';
  yield 'kind: Service';
  yield* metadata(random, random.pick(['', '-headless']));
  yield 'spec:';
  yield* lines(
    random.pick([
      'type: {{ .Values.service.type }}\n{{- if eq .Values.service.type "LoadBalancer" }}\nexternalTrafficPolicy: Local\n{{- end }}',
      '{{- if eq .Values.service.type "ClusterIP" }}\ntype: ClusterIP\n{{- else }}\ntype: NodePort\n{{- end }}',
      'clusterIP: None',
    ]),
    2,
  );
  yield* lines(
    random.pick([
      'ports:\n  - port: {{ .Values.service.port }}\n    targetPort: http\n    protocol: TCP\n    name: http\n    {{- if .Values.nodePort }}\n    nodePort: {{ .Values.nodePort }}\n    {{- end }}',
      'ports:\n{{- range .Values.ports }}\n  - name: {{ .name }}\n    port: {{ .port }}\n{{- end }}\n  - name: admin\n    port: 9000',
    ]),
    2,
  );
  yield* lines('selector:\n  {{- include "web.selectorLabels" . | nindent 4 }}', 2);
}

function* configMap(random: Random): Generator<string> {
  yield 'apiVersion: v1';
  yield 'kind: ConfigMap';
  yield* metadata(random);
  yield 'data:';
  yield* lines(
    random.pick([
      'LOG_LEVEL: {{ .Values.logLevel | default "info" | quote }}\n{{- if .Values.debug }}\nDEBUG: "1"\n{{- end }}',
      'app.yaml: |\n  server:\n    port: {{ .Values.service.port }}\n  {{- if .Values.debug }}\n  debug: true\n  {{- end }}\n  level: info\nother: x',
      'app.yaml: |\n  {{- toYaml .Values.config | nindent 4 }}\nmode: "0640"',
      'app.yaml: |-\n{{ toYaml .Values.config | indent 4 }}\nmode: "0640"',
      'run.sh: |\n  #!/bin/sh\n{{- if .Values.debug }}\n  set -x\n{{- end }}\n  exec web --port {{ .Values.service.port }}\nnginx.conf: >-\n  server {{ "{{" }} listen }}\n  {{- range .Values.extraArgs }}\n  {{ . }}\n  {{- end }}\nlast: {{ .Values.tier }}',
      '{{- range $key, $value := .Values.env }}\n{{ $key }}: {{ $value | quote }}\n{{- end }}\nFIXED: "yes"',
      '{{- (dict "a" 1) | toYaml | nindent 2 }}\nfixed: "yes"',
      'list: {{ join "," .Values.extraArgs | quote }} # of the command\nmessage: {{ printf `%s is "up"` .Chart.Name | quote }}',
    ]),
    2,
  );
}

function* ingress(random: Random): Generator<string> {
  yield* lines(
    random.pick([
      '{{- $fullName := include "web.fullname" . -}}\n{{- if .Capabilities.new }}\napiVersion: networking.k8s.io/v1\n{{- else }}\napiVersion: networking.k8s.io/v1beta1\n{{- end }}',
      'apiVersion: networking.k8s.io/v1',
    ]),
  );
  yield 'kind: Ingress';
  yield* metadata(random);
  yield 'spec:';
  yield* maybe(
    random,
    [
      'ingressClassName: {{ .Values.ingress.className | default "nginx" }}',
      '{{- if .Values.ingress.tls }}\ntls:\n  {{- range .Values.ingress.tls }}\n  - hosts:\n      {{- range .hosts }}\n      - {{ . | quote }}\n      {{- end }}\n    secretName: {{ .secretName }}\n  {{- end }}\n{{- end }}',
    ],
    2,
  );
  yield* lines(
    'rules:\n  - host: example.com\n    http:\n      paths:\n        - path: /\n          pathType: Prefix\n          backend:\n            service:\n              name: {{ include "web.fullname" . }}\n              port:\n                number: {{ .Values.service.port }}\n  {{- range .Values.ingress.hosts }}\n  - host: {{ .host | quote }}\n    http:\n      paths: []\n  {{- end }}',
    2,
  );
}

function* small(random: Random): Generator<string> {
  const [kind, spec] = random.pick([
    [
      'HorizontalPodAutoscaler',
      'minReplicas: {{ .Values.autoscaling.min }}\nmaxReplicas: {{ .Values.autoscaling.max }}\nmetrics:\n  {{- if .Values.autoscaling.cpu }}\n  - type: Resource\n    resource:\n      name: cpu\n  {{- end }}\n  - type: Pods',
    ],
    [
      'PodDisruptionBudget',
      '{{- if .Values.minAvailable }}\nminAvailable: {{ .Values.minAvailable }}\n{{- end }}\n{{- if .Values.maxUnavailable }}\nmaxUnavailable: {{ .Values.maxUnavailable }}\n{{- end }}\nselector:\n  matchLabels: {{- include "web.selectorLabels" . | nindent 6 }}',
    ],
    [
      'NetworkPolicy',
      'policyTypes: [Ingress, Egress]\ningress:\n  - ports:\n      - port: {{ .Values.service.port }}\n    {{- if not .Values.open }}\n    from:\n      - podSelector:\n          matchLabels:\n            {{- include "web.selectorLabels" . | nindent 12 }}\n    {{- end }}',
    ],
    [
      'CronJob',
      'schedule: {{ .Values.schedule | default "0 3 * * *" | quote }}\nconcurrencyPolicy: Forbid\n# Of the last runs.\nsuccessfulJobsHistoryLimit: 1\nsuspend: {{ .Values.suspend | default false }}',
    ],
    [
      'ServiceMonitor',
      'endpoints:\n  - port: metrics\n    interval: {{ .Values.interval | default\n      "30s" }}\n    {{- if .Values.relabel }}\n    relabelings:\n      {{- toYaml .Values.relabel | nindent 8 }}\n    {{- end }}',
    ],
    [
      'Role',
      'rules:\n  - apiGroups: [""]\n    resources: [pods{{ if .Values.debug }}, pods/exec{{ end }}]\n    verbs: ["get", "list"]',
    ],
  ] as const);
  yield 'apiVersion: example.com/v1';
  yield `kind: ${kind}`;
  yield* metadata(random);
  yield 'spec:';
  yield* lines(spec, 2);
}

const KINDS: readonly Kind[] = [workload, workload, service, configMap, ingress, small, small];

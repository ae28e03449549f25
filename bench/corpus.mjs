// Real-looking files of any size: the three kinds of YAML that agents edit most, and one of each other format. The same size
// gives the same bytes.

/**
 * `comment`: what may stand behind the end of the text. `paths`: ten scalars. `landmarks`: beside each, a piece of text that stands once in the file, for servers that edit text.
 * @typedef {{ kind: string, name: string, text: string, comment: string, paths: readonly string[], landmarks: readonly string[] }} Sample
 */

const YAML = { values, list, crd };
const KINDS = { ...YAML, template, jsonc, toml };

/** @returns {Sample} */
export function sample(kind, sizeBytes) {
  return { kind, comment: '#', ...KINDS[kind](sizeBytes) };
}

export const KIND_NAMES = Object.keys(KINDS);

/** Those that every reader of YAML can read. */
export const YAML_NAMES = Object.keys(YAML);

/** A Helm values file: services with comments, quotes, lists and a block scalar each. */
function values(sizeBytes) {
  const parts = ['# Values of the platform chart.\nglobal:\n  registry: registry.example.com\n\n'];
  const count = fill(
    parts,
    sizeBytes,
    (n) => `# ${name(n)}: owned by team ${n % 17}.
${name(n)}:
  replicaCount: ${2 + (n % 5)}
  image:
    repository: registry.example.com/shop/${name(n)}
    tag: "1.${n % 30}.${n % 7}"  # bumped by the release job
    pullPolicy: IfNotPresent
  service: {type: ClusterIP, port: ${8000 + (n % 900)}}
  env:
    - name: LOG_LEVEL
      value: info
    - name: DATABASE_URL
      value: 'postgres://db-${n % 9}.internal:5432/${name(n)}'
  resources:
    limits: {cpu: 500m, memory: 256Mi}
    requests:
      cpu: 100m
      memory: 128Mi
  script: |
    set -eu
    exec /bin/${name(n)} --verbose
`,
  );
  return {
    name: 'values.yaml',
    text: parts.join(''),
    paths: spread(count, (n) => `${name(n)}.replicaCount`),
    landmarks: spread(count, (n) => `# ${name(n)}: owned by`),
  };
}

/** One List object of many Deployments: deep, repetitive, no comments. */
function list(sizeBytes) {
  const parts = ['apiVersion: v1\nkind: List\nitems:\n'];
  const count = fill(
    parts,
    sizeBytes,
    (n) => `- apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: ${name(n)}
    namespace: shop-${n % 12}
    labels:
      app.kubernetes.io/name: ${name(n)}
      app.kubernetes.io/part-of: shop
  spec:
    replicas: ${1 + (n % 4)}
    selector:
      matchLabels:
        app: ${name(n)}
    template:
      spec:
        containers:
        - name: main
          image: registry.example.com/${name(n)}:2.${n % 40}
          ports:
          - containerPort: 8080
            protocol: TCP
`,
  );
  return {
    name: 'list.yaml',
    text: parts.join(''),
    paths: spread(count, (n) => `items[${n}].spec.replicas`),
    landmarks: spread(count, (n) => `    name: ${name(n)}\n`),
  };
}

/** A CustomResourceDefinition: many long plain and folded descriptions. */
function crd(sizeBytes) {
  const parts = [
    `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: shops.example.com
spec:
  schema:
    properties:
`,
  ];
  const count = fill(
    parts,
    sizeBytes,
    (n) => `      ${name(n)}:
        description: >-
          The ${name(n)} of the shop, as its owner has set it. It is read when the
          shop starts, and again whenever the object changes.
        type: object
        required: [name, size]
        properties:
          name:
            description: What people call it; at most 63 characters, see the handbook.
            type: string
            maxLength: 63
          size:
            type: integer
            format: int32
            minimum: ${n % 3}
`,
  );
  return {
    name: 'crd.yaml',
    text: parts.join(''),
    paths: spread(count, (n) => `spec.schema.properties.${name(n)}.properties.name.maxLength`),
    landmarks: spread(count, (n) => `The ${name(n)} of the shop`),
  };
}

/** A template of a chart: branches, values in values, and blocks that an action begins. */
function template(sizeBytes) {
  const parts = ['{{- $registry := .Values.global.registry }}\n'];
  const count = fill(
    parts,
    sizeBytes,
    (n) => `# ${name(n)}: owned by team ${n % 17}.
{{- if (index .Values "${name(n)}").enabled }}
${name(n)}:
  replicaCount: ${2 + (n % 5)}
  image: "{{ $registry }}/shop/${name(n)}:1.${n % 30}"
  labels:
    {{- include "shop.labels" . | nindent 4 }}
    app: ${name(n)}
  {{- with .Values.resources }}
  resources: {{- toYaml . | nindent 4 }}
  {{- end }}
  env:
    - name: LOG_LEVEL
      value: {{ .Values.logLevel | default "info" | quote }}
    - name: REGION
      value: eu-${n % 9}
{{- end }}
`,
  );
  return {
    name: 'template.yaml',
    text: parts.join(''),
    paths: spread(count, (n) => `${name(n)}.replicaCount`),
    landmarks: spread(count, (n) => `# ${name(n)}: owned by`),
  };
}

/** Settings with comments above and behind, and commas behind the last ones. */
function jsonc(sizeBytes) {
  const parts = ['// Settings of the platform.\n{\n'];
  const count = fill(
    parts,
    sizeBytes,
    (n) => `  // ${name(n)}: owned by team ${n % 17}.
  "${name(n)}": {
    "replicaCount": ${2 + (n % 5)}, // raised in spring
    "image": "registry.example.com/shop/${name(n)}:1.${n % 30}",
    "ports": [${8000 + (n % 900)}, 9090],
    /* Read once, when it starts. */
    "env": {
      "LOG_LEVEL": "info",
      "DATABASE_URL": "postgres://db-${n % 9}.internal:5432/${name(n)}",
    },
  },
`,
  );
  return {
    name: 'settings.jsonc',
    text: `${parts.join('')}}\n`,
    comment: '//',
    paths: spread(count, (n) => `${name(n)}.replicaCount`),
    landmarks: spread(count, (n) => `// ${name(n)}: owned by`),
  };
}

/** Tables with tables below them. */
function toml(sizeBytes) {
  const parts = ['# Settings of the platform.\ntitle = "shop"\n'];
  const count = fill(
    parts,
    sizeBytes,
    (n) => `
# ${name(n)}: owned by team ${n % 17}.
[${name(n)}]
replicaCount = ${2 + (n % 5)} # raised in spring
image = "registry.example.com/shop/${name(n)}:1.${n % 30}"
ports = [${8000 + (n % 900)}, 9090]
limits = { cpu = "500m", memory = "256Mi" }

[${name(n)}.env]
LOG_LEVEL = "info"
DATABASE_URL = 'postgres://db-${n % 9}.internal:5432/${name(n)}'
`,
  );
  return {
    name: 'settings.toml',
    text: parts.join(''),
    paths: spread(count, (n) => `${name(n)}.replicaCount`),
    landmarks: spread(count, (n) => `# ${name(n)}: owned by`),
  };
}

function fill(parts, sizeBytes, part) {
  let length = parts.join('').length;
  let count = 0;
  while (length < sizeBytes) {
    const text = part(count++);
    parts.push(text);
    length += text.length;
  }
  return count;
}

function name(n) {
  return `service-${String(n).padStart(5, '0')}`;
}

/** Ten of them, from the first part to the last. */
function spread(count, of) {
  return Array.from({ length: 10 }, (_, n) => of(Math.floor((n * (count - 1)) / 9)));
}

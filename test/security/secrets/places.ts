// One file for each kind of place in which a secret is masked; its text is made anew for each canary.
export interface MaskedPlace {
  readonly why: string;
  readonly file: string;
  /** With one secret in it. */
  readonly text: (secret: string) => string;
  /** Where it stands, in a file that has paths. */
  readonly path?: string;
}

/** A secret that tells where it leaked from, and could be a password, a token or a number of base64. */
export const CANARY = 'kanari7Bq2xX9wLm4';
const PEM = (secret: string, kind = 'RSA PRIVATE KEY') =>
  `-----BEGIN ${kind}-----\n${secret}\nMIIB\n-----END ${kind}-----`;
const indented = (text: string, columns: number) => text.replaceAll('\n', `\n${' '.repeat(columns)}`);

const key = (name: string): MaskedPlace => ({
  why: `a key named ${name}`,
  file: 'key.yaml',
  text: (secret) => `app:\n  name: web\n  ${name}: ${secret}\n  port: 80\n`,
  path: `app.${name}`,
});

const NAMES = [
  'password',
  'dbPassword',
  'db_passwd',
  'API_KEY',
  'clientSecret',
  'authToken',
  'private-key',
  'connectionString',
];

export const PLACES: readonly MaskedPlace[] = [
  ...NAMES.map(key),
  { why: 'single quotes', file: 'a.yaml', text: (s) => `password: '${s}'\nx: 1\n`, path: 'password' },
  { why: 'double quotes', file: 'a.yaml', text: (s) => `password: "${s}"\nx: 1\n`, path: 'password' },
  {
    why: 'an anchor and a tag',
    file: 'a.yaml',
    text: (s) => `password: &p !!str ${s}\nx: 1\n`,
    path: 'password',
  },
  {
    why: 'a literal block',
    file: 'a.yaml',
    text: (s) => `password: |\n  ${s}\n  two\nx: 1\n`,
    path: 'password',
  },
  { why: 'a folded block', file: 'a.yaml', text: (s) => `password: >-\n  ${s}\nx: 1\n`, path: 'password' },
  {
    why: 'a flow mapping',
    file: 'a.yaml',
    text: (s) => `db: {user: u, password: ${s}, port: 1}\n`,
    path: 'db.password',
  },
  {
    why: 'a list of passwords',
    file: 'a.yaml',
    text: (s) => `passwords:\n  - ${s}\n  - x1y2z3\n`,
    path: 'passwords[0]',
  },
  { why: 'behind an alias', file: 'a.yaml', text: (s) => `x: &p ${s}\npassword: *p\n`, path: 'x' },
  {
    why: 'merged',
    file: 'a.yaml',
    text: (s) => `c: &c\n  token: ${s}\nd:\n  <<: *c\n  e: 1\n`,
    path: 'd.token',
  },
  {
    why: 'data of a Secret',
    file: 'a.yaml',
    text: (s) => `kind: Secret\nmetadata: {name: w}\ndata:\n  tls.crt: ${s}\n`,
    path: 'data["tls.crt"]',
  },
  {
    why: 'stringData of a Secret',
    file: 'a.yaml',
    text: (s) => `kind: Secret\nstringData:\n  any: "${s}"\n`,
    path: 'stringData.any',
  },
  {
    why: 'a Secret in a List',
    file: 'a.yaml',
    text: (s) => `kind: List\nitems:\n  - kind: Secret\n    data:\n      any: ${s}\n`,
    path: 'items[0].data.any',
  },
  {
    why: 'a Secret whose data is an alias',
    file: 'a.yaml',
    text: (s) => `base: &b\n  any: ${s}\nobject:\n  kind: Secret\n  data: *b\n`,
    path: 'base.any',
  },
  {
    why: 'the second document',
    file: 'a.yaml',
    text: (s) => `kind: ConfigMap\ndata: {a: b}\n---\nkind: Secret\ndata:\n  any: ${s}\n`,
  },
  {
    why: 'a name and a value',
    file: 'a.yaml',
    text: (s) => `env:\n  - name: DB_PASSWORD\n    value: ${s}\n  - name: LOG\n    value: x\n`,
    path: 'env[0].value',
  },
  {
    why: 'a pair whose name is merged, far from anything that is called a secret',
    file: 'a.yaml',
    text: (s) => `base: &b\n  name: DB_PASSWORD\nother:\n  <<: *b\n  value: ${s}\n`,
    path: 'other.value',
  },
  {
    why: 'a key that is spelt with escapes, in a file without another hint',
    file: 'a.yaml',
    text: (s) => `"\\x70\\x61ssword": ${s}\nx: 1\n`,
  },
  {
    why: 'a table of TOML that stands in several places',
    file: 'a.toml',
    text: (s) => `[a.b]\nc = 1\n\n[d]\ne = 2\n\n[a]\npassword = "${s}"\n`,
    path: 'a.password',
  },
  {
    why: 'a value before its name',
    file: 'a.yaml',
    text: (s) => `env:\n  - value: ${s}\n    name: DB_PASSWORD\n`,
    path: 'env[0].value',
  },
  { why: 'a URL', file: 'a.yaml', text: (s) => `url: postgres://app:${s}@db:5432/app\n`, path: 'url' },
  {
    why: 'an assignment in a list',
    file: 'a.yaml',
    text: (s) => `environment:\n  - POSTGRES_PASSWORD=${s}\n  - X=1\n`,
    path: 'environment[0]',
  },
  {
    why: 'an argument',
    file: 'a.yaml',
    text: (s) => `command: ["redis", "--requirepass=${s}"]\n`,
    path: 'command[1]',
  },
  {
    why: 'a bearer token',
    file: 'a.yaml',
    text: (s) => `headers:\n  Authorization: Bearer ${s}\n`,
    path: 'headers.Authorization',
  },
  { why: 'a comment', file: 'a.yaml', text: (s) => `# password: ${s}\nx: 1\n` },
  { why: 'a comment behind a value', file: 'a.yaml', text: (s) => `x: 1 # DB_PASSWORD=${s}\n` },
  {
    why: 'properties in a block',
    file: 'a.yaml',
    text: (s) => `data:\n  app.properties: |\n    log=1\n    db.password=${s}\n`,
    path: 'data["app.properties"]',
  },
  {
    why: 'YAML in a block',
    file: 'a.yaml',
    text: (s) => `data:\n  app.yaml: |\n    db:\n      password: ${s}\n`,
    path: 'data["app.yaml"]',
  },
  {
    why: 'JSON in a text',
    file: 'a.yaml',
    text: (s) => `json: '{"user": "u", "password": "${s}"}'\n`,
    path: 'json',
  },
  {
    why: 'a private key',
    file: 'a.yaml',
    text: (s) => `cert: |\n  ${indented(PEM(s), 2)}\nx: 1\n`,
    path: 'cert',
  },
  {
    why: 'a private key on one line',
    file: 'a.yaml',
    text: (s) => `cert: "${PEM(s).replaceAll('\n', '\\n')}"\n`,
    path: 'cert',
  },
  {
    why: 'the last-applied annotation, whatever it holds',
    file: 'a.yaml',
    text: (s) =>
      `metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {"kind":"ConfigMap","data":{"x":"${s}"}}\n`,
  },
  {
    why: 'a Docker configuration',
    file: 'a.json',
    text: (s) => `{"auths": {"r.io": {"auth": "${s}"}}}\n`,
    path: 'auths["r.io"].auth',
  },
  {
    why: 'a GitHub token',
    file: 'a.yaml',
    text: (s) => `note: see ghp_${s}abcdefghijklmnop here\n`,
    path: 'note',
  },
  {
    why: 'a JSON key',
    file: 'a.json',
    text: (s) => `{"db": {"password": "${s}", "port": 1}}\n`,
    path: 'db.password',
  },
  { why: 'a file that cannot be parsed', file: 'broken.yaml', text: (s) => `a: [1\npassword: ${s}\nb: 2\n` },
  {
    why: 'a Secret that cannot be parsed',
    file: 'broken.yaml',
    text: (s) => `kind: Secret\ndata:\n  any: ${s}\nb: [\n`,
  },
  {
    why: 'a block in a file that cannot be parsed',
    file: 'broken.yaml',
    text: (s) => `a: [1\npassword: |\n  ${s}\nb: 2\n`,
  },
  {
    why: 'a pair in a file that cannot be parsed',
    file: 'broken.yaml',
    text: (s) => `a: [1\n- name: API_TOKEN\n  value: ${s}\n`,
  },
  {
    why: 'JSON that cannot be parsed',
    file: 'broken.json',
    text: (s) => `{"a": 1, "password": "${s}", oops}\n`,
  },
  {
    why: 'a list in a file that cannot be parsed',
    file: 'broken.yaml',
    text: (s) => `a: [1\npasswords:\n- "${s}"\n- x1y2z3\nb: 2\n`,
  },
  {
    why: 'a list in JSON that cannot be parsed',
    file: 'broken.json',
    text: (s) => `{"a": oops, "b": 1,\n  "passwords": [\n    "x1y2z3",\n    "${s}"\n  ],\n  "c": 1}\n`,
  },
  {
    why: 'what follows a flag in a file that cannot be parsed',
    file: 'broken.yaml',
    text: (s) => `a: [1\nargs:\n  - --requirepass\n  - ${s}\n`,
  },
  { why: 'plain text', file: 'app.txt', text: (s) => `[db]\npassword = ${s}\nport = 1\n` },
  {
    why: "the operator's path",
    file: 'asked.yaml',
    text: (s) => `spec:\n  license: ${s}\n  other: 1\n`,
    path: 'spec.license',
  },
  { why: "the operator's key", file: 'a.yaml', text: (s) => `door_code: ${s}\nx: 1\n`, path: 'door_code' },
  {
    why: 'YAML in double quotes',
    file: 'a.yaml',
    text: (s) => `a: "db:\\n  password: ${s}\\n  x: 1\\n"\n`,
    path: 'a',
  },
  { why: 'YAML in JSON', file: 'a.json', text: (s) => `{"a": "db:\\n  password: ${s}\\n"}\n`, path: 'a' },
  {
    why: 'a line in quotes',
    file: 'a.yaml',
    text: (s) => `headers: ["X-Api-Key: ${s}"]\n`,
    path: 'headers[0]',
  },
  {
    why: 'the rest of an assignment',
    file: 'a.yaml',
    text: (s) => `environment:\n  - POSTGRES_PASSWORD=a b;c&${s}\n`,
    path: 'environment[0]',
  },
  {
    why: 'what follows a flag',
    file: 'a.yaml',
    text: (s) => `args: [run, --requirepass, ${s}]\n`,
    path: 'args[2]',
  },
  {
    why: 'a flag in a command',
    file: 'a.yaml',
    text: (s) => `run: redis --requirepass ${s} --x\n`,
    path: 'run',
  },
  {
    why: 'a URL that is not escaped',
    file: 'a.yaml',
    text: (s) => `url: amqp://u:p@${s}@h/d\n`,
    path: 'url',
  },
  {
    why: 'a long password of a URL',
    file: 'a.yaml',
    text: (s) => `url: amqp://u:${'x'.repeat(900)}${s}@h\n`,
    path: 'url',
  },
  {
    why: 'the value of a variable',
    file: 'a.yaml',
    text: (s) => `db_password:\n  default: ${s}\n`,
    path: 'db_password.default',
  },
  {
    why: 'a Secret by an alias',
    file: 'a.yaml',
    text: (s) => `k: &k Secret\no:\n  kind: *k\n  data: {any: ${s}}\n`,
    path: 'o.data.any',
  },
  {
    why: 'a Secret by a merge',
    file: 'a.yaml',
    text: (s) => `b: &b {kind: Secret}\no:\n  <<: [*b]\n  data:\n    any: ${s}\n`,
    path: 'o.data.any',
  },
  {
    why: 'data that a merge brings to a Secret',
    file: 'a.yaml',
    text: (s) => `b: &b\n  data: {any: ${s}}\no:\n  <<: *b\n  kind: Secret\n`,
    path: 'b.data.any',
  },
  {
    why: 'a pair by an alias',
    file: 'a.yaml',
    text: (s) => `n: &n API_TOKEN\ne: [{name: *n, value: ${s}}]\n`,
    path: 'e[0].value',
  },
  {
    why: 'a name in TOML that goes on in the next line',
    file: 'a.toml',
    text: (s) => `kind = """Sec\\ \n  ret"""\ndata = {any = "${s}"}\n`,
    path: 'data.any',
  },
  {
    why: 'an alias in a file that masked cannot be read',
    file: 'a.yaml',
    text: (s) => `x: &p ${s}\npassword: *p\ncert: ["${'-----BEGIN'} PRIVATE KEY-----abc", 1]\n`,
    path: 'x',
  },
  {
    why: 'the default of a template, beside a comment that tells of another secret',
    file: 'a.yaml',
    text: (s) => `{{/* password: x9y8z7 */}}\npassword: {{ .p | default "${s}" }}\na: {{ .x }}\n`,
    path: 'password',
  },
  ...['{{/* password: x9y8z7, PASSWORD=x9y8z7*/ -}}', '{# token: x9y8z7 #}'].map((comment) => ({
    why: `the default of a template, beside ${comment}`,
    file: 'a.yaml',
    text: (s: string) => `${comment}\npassword: {{ .p | default "${s}" }}\na: {{ .x }}\n`,
    path: 'password',
  })),
  {
    why: 'a list of passwords, beside a comment of JSON',
    file: 'a.jsonc',
    text: (s) => `{"passwords": ["${s}"] /* pin: 1234 */, "x": 1}\n`,
    path: 'passwords[0]',
  },
  {
    why: 'the default of a template',
    file: 'a.yaml',
    text: (s) => `password: {{ .p | default "${s}" }}\n`,
    path: 'password',
  },
  {
    why: 'a variable of a template',
    file: 'a.yaml',
    text: (s) => `{{- $password := "${s}" }}\na: {{ .x }}\n`,
  },
  {
    why: 'what a template encodes',
    file: 'a.yaml',
    text: (s) => `kind: Secret\ndata:\n  any: {{ "${s}" | b64enc }}\n`,
    path: 'data.any',
  },
  {
    why: "the operator's key in a file that cannot be parsed",
    file: 'broken.yaml',
    text: (s) => `a: [1\nx: {door_code: ${s}}\n`,
  },
  {
    why: "the operator's key above lines",
    file: 'broken.yaml',
    text: (s) => `a: [1\ndoor_code:\n  one: ${s}\n`,
  },
  { why: "the operator's key in plain text", file: 'app.txt', text: (s) => `door_code ${'= '}${s}\n` },
  { why: "the operator's key in a comment", file: 'a.yaml', text: (s) => `# door_code: ${s}\na: 1\n` },
  {
    why: "the operator's path in a file that cannot be parsed",
    file: 'asked.yaml',
    text: (s) => `a: [1\nspec:\n  license: ${s}\n`,
  },
  ...[
    ['what a reference gives by itself', 'password: $' + '{DB_PASSWORD:-§}'],
    ['the same of Spring', 'password: $' + '{db.password:§}'],
    ['the same in a list', 'environment:\n  - DB_PASSWORD=$' + '{DB_PASSWORD-§}'],
    ['the same in a URL', 'url: postgres://u:$' + '{PW:-§}@h/d'],
    ['what a workflow falls back to', 'token: $' + "{{ secrets.TOKEN || '§' }}"],
    ['the default of Jinja', 'password: "{{ pw | default(\'§\', true) }}"'],
    ['the default of dbt', `password: "{{ env_var('PW', '§') }}"`],
    ['the default of Rails', 'password: <%= ENV.fetch("PW", "§") %>'],
    ['the default of Ruby', "password: <%= ENV['PW'] || '§' %>"],
    ['the default of Go in other quotes', 'password: {{ default `§` .pw }}'],
    ['a flag with quotes', 'run: mysql --password "§" x'],
    ['a flag on the next line', 'run: |\n  mysql --password \\\n    § x'],
    ['a pair that is commented out', 'a: 1\n# - name: DB_PASSWORD\n#   value: §'],
    ['a value below a comment', 'a: 1\n# password:\n#   §'],
    ['a block that is commented out', 'a: 1\n# password: |\n#   § x'],
    [
      'a private key that is commented out',
      `a: 1\n# ${'-----BEGIN'} PRIVATE KEY-----\n# §\n# -----END PRIVATE KEY-----`,
    ],
    ['a Secret in a block', 'patch: |-\n  kind: Secret\n  metadata:\n    name: x\n  data:\n    any: §'],
    [
      'a block of a Secret in a block',
      'patch: |-\n  kind: Secret\n  stringData:\n    any: |\n      one § two',
    ],
    [
      'a Secret in a block, behind a certificate',
      'patch: |-\n  kind: Secret\n  stringData:\n    ca: |\n      -----BEGIN CERTIFICATE-----\n    any: §',
    ],
    [
      'a Secret in a block, under a condition of a template',
      'patch: |-\n  kind: Secret # one\n  data:\n  {{- if .Values.a }}\n    any: §\n  {{- end }}',
    ],
    ['a patch', '- op: add\n  path: /data/password\n  value: §'],
    ['literals of kustomize', 'secretGenerator:\n  - name: s\n    literals:\n      - any=§'],
    ['a key of kubectl', 'users:\n  - user:\n      client-key-data: §'],
    ['a flow mapping in a block', 'c: |\n  db: {user: u, password: §}'],
    ['a directive in a block', 'redis.conf: |\n  port 1\n  requirepass §'],
    ['a hash of a password', 'users:\n  - "admin:$apr1$ab$§abcdef"'],
    ['a webhook', 'url: https://discord.com/api/webhooks/12345678/§§'],
    ['many passwords', 'passwords:\n  ann: §'],
    ['a user of a database in Go', 'dsn: root:§@tcp(db:3306)/x'],
    ['a password of a connection string, with signs', 'db: Server=h;Id=u;Password=a,b(c)d §;X=1'],
    ['blanks around the sign', 'dsn: host=h password = § dbname=x'],
  ].map(([why = '', text = '']) => ({
    why,
    file: 'a.yaml',
    text: (s: string) => `${text.replaceAll('§', s)}\n${text.startsWith('- ') ? '' : 'x: 1\n'}`,
  })),
  {
    why: 'what Terraform calls sensitive',
    file: 'a.json',
    text: (s) => `{"outputs": {"conn": {"value": "${s}", "sensitive": true}}}\n`,
    path: 'outputs.conn.value',
  },
  {
    why: 'a parameter of CloudFormation',
    file: 'a.json',
    text: (s) => `[{"ParameterKey": "DBPassword", "ParameterValue": "${s}"}]\n`,
    path: '[0].ParameterValue',
  },
];

/** Values below such a name that are no secrets, and are shown. */
export const NO_SECRETS = `existingPasswordSecretKey: username
credentialsSecret: aws-creds
token: 30s
clientKey: certs/client.pem
registry-auth-token: ^4.0.0
client_key: "{{ cert_dir }}/member-{{ host }}-key.pem"
worker_key: /bitnami/concourse/worker_key
private-key: classpath:default/server.key
token_limit_password: 30
name: csi-azuredisk-external-provisioner-role
publicKeyPem: abc1
MY_PASSWORD: $\{A:-$\{B}}
environment: ["DB_PASSWORD=\${DB_PW}", "X_TOKEN=$(cat /run/token)", "--password=$\${PW}", "A_SECRET={{ .x }}"]
run: login --token \${{ secrets.TOKEN }}
`;

export const FLAGS = ['--allow', '**', '--mask-path', 'asked.yaml:spec.license', '--mask-key', 'DOOR_*'];

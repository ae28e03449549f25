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
    why: 'the last-applied annotation',
    file: 'a.yaml',
    text: (s) =>
      `metadata:\n  annotations:\n    kubectl.kubernetes.io/last-applied-configuration: |\n      {"kind":"Secret","data":{"x":"${s}"}}\n`,
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
  { why: 'plain text', file: 'app.txt', text: (s) => `[db]\npassword = ${s}\nport = 1\n` },
  {
    why: "the operator's path",
    file: 'asked.yaml',
    text: (s) => `spec:\n  license: ${s}\n  other: 1\n`,
    path: 'spec.license',
  },
  { why: "the operator's key", file: 'a.yaml', text: (s) => `door_code: ${s}\nx: 1\n`, path: 'door_code' },
];

export const FLAGS = ['--allow', '**', '--mask-path', 'asked.yaml:spec.license', '--mask-key', 'DOOR_*'];

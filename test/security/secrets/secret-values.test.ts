// Which values are no secrets, and which parts of one are secret, to the letter.
import { describe, expect, it } from 'vitest';
import { isEncrypted, isNoSecret, isStandIn, secretParts } from '../../../src/security/index.ts';
import { marked, unmarked } from './marked.ts';

const NONE = [
  ...['', ' ', 'true', 'FALSE', 'yes', 'no', 'on', 'off', 'null', '~', 'none', 'auto', 'read'],
  ...['write', 'admin:read'],
  ...['inherit', 'required', 'optional', 'enabled', 'disabled', 'string', ' true '],
  ...['changeme', 'change-me', 'CHANGE_ME', 'change me', 'replaceme', 'replace-me', 'example', 'placeholder'],
  ...['todo', 'TBD'],
  ...['xxx', 'xxxxxx', '***', '********', '...', '......'],
  ...[
    '30s',
    '1.5h',
    '200ms',
    '7d',
    '2w',
    '1y',
    '5m',
    '50%',
    '10K',
    '10Mi',
    '1GiB',
    '2TB',
    '1',
    '42',
    '123',
    '-12',
    '1.2',
    '0x1f',
  ],
  ...['a.pem', 'certs/x.key', 'a.crt', 'a.cer', 'a.p12', 'a.pfx', 'a.jks', 'a.json', 'a.yaml', 'a.yml'],
  ...['a.toml', 'a.txt', '@a/b-c.txt'],
  ...['1.2.3', 'v1.2.3', '^1.2.3', '~1.2.3', '>=1.2.3', '<1.2.3', '1.2.3-beta', '1.2.3-rc.1'],
  ...['$DB_PASSWORD', '$_A', '$password1', '$pw', '%ENV%', '@token@', '%s', '%d', '%v', '%q', '%[1]s'],
  ...['<your token>', '<token>', '<a.b-c>', '!vault', '!vault |', 'vault:secret/data/x#y'],
  ...['ref+vault://a/b', 'op://v/i/f'],
  ...['awssm:x', 'gcpsm:x', 'azkv:x', 'secretref:x', 'env:PW', 'file:/run/x'],
  ...['classpath:a/b', 'arn:aws:secretsmanager:eu:1:x'],
  ...['arn:aws-cn:ssm:x', 'projects/a-b/secrets/c', '/run/secrets/x', '/etc/x', './x', '../x', '~/x'],
  ...['/var/x', '/vault/x'],
  ...['/bitnami/x/worker_key', 'http://localhost:80/x', 'https://127.0.0.1/x', '\\', '{}', '[]', '}', '))'],
  ...['-}', '*/}}'],
  ...['ENC[AES256_GCM,data:abc,iv:x]', '$ANSIBLE_VAULT;1.1;AES256', ' ENC[AES256_GCM,data:abc] '],
  ...['{{ .x }}', '$' + '{PW}', '$(cat x)', '$' + '{{ secrets.X }}', '<%= ENV["X"] %>'],
  ...['$$' + '{PW}', '$' + '{a.b}-$' + '{c}'],
  ...['$' + '{env:PW}', '$' + '{ssm:/a/b}', '$' + '{file:x}', '$' + '{self:x.y}'],
  ...['$' + '{vault:x}', '$' + '{APP-CLIENT-SECRET}'],
  ...[
    '$' + '{PW:-changeme}',
    '$' + '{PW:?missing}',
    '{{ .p | default "" }}',
    '{{ .p | default "changeme" }}',
    '$' + '{PW}.key.pem',
  ],
  ...['False', 'TODO', 'tbd', 'XXXXX', '*****', '.....', '5ms', '10m', '24h', '12.25s', '5%', '10Ki'],
  ...['64Mi', '2GB', '1TiB', '5MB', 'tls.pem', 'a/b.key', 'x@y.crt', 'ca-1.cer', 'k.p12', 'k.pfx', 'k.jks'],
  ...['c.json', 'c.yaml', 'c.yml', 'c.toml', 'c.txt', '~10.20.30', '>1.0.0', '1.2.3-rc.12', 'GPIO5'],
  ...['$' + '{DB_PASSWORD}', '$' + '{{ secrets.TOKEN }}', '$DB_PW', '$_x9', '$(cat file)', '$$(X)'],
  ...['%DB_PW%', '%_x%', '@db.password@', '{{ .Values.password }}', '{{}}', '<your-token>', '<a b.c>'],
  ...['$' + '{A}:$' + '{B}', '$(a b)', '{{ .a }}-{{ .b }}', '{{ .dir }}/a.key', '$' + '{A:-$' + '{B}}'],
  ...['$' + '{A:-}', '$' + '{A:?is missing}', '$' + '{env:A}', '$' + '{A-B-C}', '{{ .x | default "" }}'],
  ...['{{ lookup("env", "X") }}', '$' + "{{ secrets.X || '' }}", 'vault:secret/data/db#pw'],
  ...['ref+vault://secret/db', 'op://vault/item/field', 'awssm://x', 'gcpsm:a-b', 'env:DB_PW'],
  ...['file:///run/pw', 'file:x@y', 'arn:aws:secretsmanager:eu:1:secret:x', 'projects/p-1/secrets/s'],
  ...[
    '/run/secrets/db',
    '/mnt/x',
    '/secrets/x',
    '/app/x',
    '/home/x',
    '/opt/x',
    ['', 'tmp', 'x'].join('/'),
    '/usr/x',
  ],
  ...['/srv/x', '/path/to/a@b-c.d', './pw', '../pw', '~/pw', './', ' ENC[A_1,x] ', 'ENC[AES256_GCM,]'],
];

const REFERENCES = [
  ...['<%= ENV["DB_PASSWORD"] || "changeme" %>', '<%= ENV.fetch("DB_PASSWORD") %>'],
  ...["{{ env_var('DBT_PASSWORD') }}", "{{ lookup('env', 'DB_PASSWORD') }}", '$(cat "a" {{ .file }})'],
  ...['$' + '{TLS_KEY}.pem', '{{ vendor "a" }}', '{{ widget("a", "b") }}'],
];

const SECRET = [
  ...['«truely»', '«yes1»', '«changeme1»', '«xx»', '«**»', '«30sx»', '«1234»', '«50x»', '«a.pemx»'],
  ...['«a b.pem»', '«12.34»', '«-1234»', '«0x1F2F»'],
  ...['«1.2.3x»', '«$Db-Password»', '«%s%s»', '«$2a»', '«%EN V»', '«@to ken@»', '«<secret:0a1b2c3d>»'],
  ...['«<a>b»', '«vaults:x»'],
  ...['«vault: x»', '«arn:aws:s3:x»', '«projects/a/b»', '«/runx»', '«/a»', '«/A/b»'],
  ...['«http://example.com/x»', '«\\a»', '«{a b}»', '«}}}}}»'],
  ...['«ENC[AES256_GCM,data:abc] x»', '«ENC[aes,x]»', '«hunter2»', '«a {{ .x }} b»', '«x{{ .x }}1»'],
  ...[
    '$' + '{PW:-«hunter2»}',
    '$' + '{PW-«hunter2»}',
    '$' + '{PW:=«hunter2»}',
    '$' + '{PW:+«x1»}',
    '$' + '{db.pw:«x1»}',
    '$$' + '{PW:-«x1»}',
  ],
  ...['$' + '{A:-«x1»}$' + '{B:-«x2»}', '$' + '{A:-$' + '{B:-«x2»}}', '$' + '{A:-«B-C»}', '$' + '{A-«B1»}'],
  ...[
    '{{ .p | default "«x1»" }}',
    "{{ .p | default '«x1»' }}",
    '{{ .p | default `«x1»` }}',
    '{{ .p | default \\"«x1»\\" }}',
  ],
  ...[
    "{{ .p | default(''«x1»'') }}",
    "{{ d('«x1»', true) }}",
    '{{ "«x1»" | b64enc }}',
    '{{- "«x1»" }}',
    '$' + "{{ secrets.A || '«x1»' }}",
  ],
  ...['$' + '{PW-«hunter2X»}', '$(cat {{ .file | default "«x1»" }})'],
  ...[
    '<%= ENV["DB_PASSWORD"] || "«hunter2»" %>',
    '<%= ENV.fetch("DB_PASSWORD", "«hunter2»") %>',
    "<%= ENV.fetch('DB_PASSWORD') { '«hunter2»' } %>",
    '<%= ENV.fetch(\\"DB_PASSWORD\\", \\"«hunter2»\\") %>',
  ],
  ...[
    "{{ env_var('DBT_PASSWORD', '«hunter2»') }}",
    "{{ salt['pillar.get']('db:password', '«hunter2»') }}",
    "{{ lookup('env', 'DB_PASSWORD', default='«hunter2»') }}",
    "{{ db_password or '«hunter2»' }}",
    "{{ db_password if db_password else '«hunter2»' }}",
  ],
  ...['{{ .p | printf "x1" }}', '{{ .p | default "«x1»" }} {{ .q | default "«x2»" }}'],
];

/** Each is one that is none with something before it or behind it, or with a part of another kind. */
const NEARLY = [
  ...['atrue', 'truex', 'xchangeme', 'changemex', 'change__me', '..', 'replace__me', 'x30s', '3000', '3x'],
  ...['1.s', '.5h', '5KK', '10KiX', 'x10K', '1..5h', '10BB', 'tls.pemx', '.pem', '(x).key'],
  ...['x\ntls.pem\nx', 'tls.pem x', 'x1.2.3', '1.2.3-', '1.2.3-rc.', '^^1.2.3', 'w1.2.3', '1.2.3-1'],
  ...['1.a.3', 'a.2.3', '1.2.b', '=1.2.3', 'x$' + '{A}', '$' + '{A}x', '$' + '{A{b}}', 'x$' + '{{ a }}'],
  ...['$' + '{{ a }}x', '$' + '{{ a}b }}', 'x$DB_PW', '$DB-PW', '$9x', '$' + '{A:-hunter2}'],
  ...['$' + '{A-hunter2}', '$' + '{A:=hunter2}', '$' + '{a.b:hunter2}', '$Passw0rd'],
  ...['{{ .x | default "hunter2" }}', "{{ x | default('hunter2') }}", '{{ "hunter2" | b64enc }}'],
  ...['$' + "{{ secrets.X || 'hunter2' }}", '{{ default `hunter2` .x }}', 'a$' + '{A}'],
  ...['$' + '{A:-$' + '{B:-c1}}', 'x$(cat)', '$(cat)x', '$(c(at)', 'x%DB%', '%DB%x', '%9%', '%a-b%'],
  ...['x@a@', '@a@x', '@a b@', '@@', 'x{{ a }}', '{{ a }}x', '{{ a}b }}', 'x<your-token>', '<your-token>x'],
  ...['<your$token>', '<>', '<secret:00000000>', 'x!vault |', '!vaultx', 'xvault:a', 'vault:', 'vault:a b'],
  ...['ref+:a', 'ref:a', 'vaults:a', 'env:$x', 'op:/!', 'xarn:aws:ssm:', 'arn:aws!:ssm:'],
  ...['xprojects/p/secrets/', 'projects/p q/secrets/', 'projects//secrets/', 'x/run/a', '/run/a b', 'x./a'],
  ...['./a$', '.../a', 'x~/a', '~a', '/run/(x)', '/other/A1', 'xENC[A,b]', 'ENC[a,b]', 'ENC[,b]'],
  ...['ENC[A,b]x', 'ENC[A,b]]', 'ENC[AB]', 'x$ANSIBLE_VAULT;', '$ANSIBLE-VAULT;'],
];

describe('what stands below the name of a secret', () => {
  it.each([...NONE, ...REFERENCES])('is none: %s', (text) => {
    expect(secretParts(text)).toEqual([]);
    expect(isNoSecret(text)).toBe(true);
  });

  it.each(SECRET)('is one: %s', (text) => {
    const plain = unmarked(text);
    expect(
      marked(
        plain,
        secretParts(plain).map((part) => ({ from: part.start, ...part })),
      ),
    ).toBe(text);
  });

  it.each(NEARLY)('may be one: %s', (text) => expect(isNoSecret(text)).toBe(false));

  it('is encrypted, or a stand-in, only as a whole', () => {
    const encrypted = ['ENC[A,b]', '  ENC[A,b]\n', '$ANSIBLE_VAULT;1.1\nabc', '  $ANSIBLE_VAULT;1.1'];
    expect(encrypted.filter((text) => !isEncrypted(text))).toEqual([]);
    const clear = [
      'x ENC[A,b]',
      'ENC[A,b',
      'ENC[A]',
      'ANSIBLE_VAULT;',
      'a $ANSIBLE_VAULT;1.1',
      'ENC[A,b] x',
      '',
    ];
    expect(clear.filter(isEncrypted)).toEqual([]);
    expect(['CHANGEME', ' changeme\n', ' todo ', '...'].map(isStandIn)).not.toContain(false);
    expect(['changeme x', 'a todo', '..', 'true', 'hunter2', ''].map(isStandIn)).not.toContain(true);
  });
});

it('a value of hundreds of words in capitals takes no time beyond its length', () => {
  const words = 'ABC_'.repeat(500);
  expect([isNoSecret(`${words}ABC`), isNoSecret(`${words}!`)]).toEqual([true, false]);
});

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
  ...['30s', '1.5h', '200ms', '7d', '2w', '1y', '5m', '50%', '10K', '10Mi', '1GiB', '2TB', '1', '42', '123'],
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
];

const SECRET = [
  ...['«truely»', '«yes1»', '«changeme1»', '«xx»', '«**»', '«30sx»', '«1234»', '«50x»', '«a.pemx»'],
  ...['«a b.pem»', '«1.2»'],
  ...['«1.2.3x»', '«$Db-Password»', '«%s%s»', '«$2a»', '«%EN V»', '«@to ken@»', '«<secret:0a1b2c3d>»'],
  ...['«<a>b»', '«vaults:x»'],
  ...['«vault: x»', '«arn:aws:s3:x»', '«projects/a/b»', '«/runx»', '«/a»', '«/A/b»'],
  ...['«http://example.com/x»', '«\\a»', '«{a}»', '«}}}}}»'],
  ...['«ENC[AES256_GCM,data:abc] x»', '«ENC[aes,x]»', '«hunter2»', '«a {{ .x }} b»', '«x{{ .x }}1»'],
  ...[
    '$' + '{PW:-«hunter2»}',
    '$' + '{PW-«hunter2»}',
    '$' + '{PW:=«hunter2»}',
    '$' + '{PW:+«x1»}',
    '$' + '{db.pw:«x1»}',
    '$$' + '{PW:-«x1»}',
  ],
  ...['$' + '{A:-«x1»}$' + '{B:-«x2»}', '$' + '{A:-$' + '{B:-«x2»}}', '$' + '{A:-«B_C»}', '$' + '{A-«B1»}'],
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
  ...['{{ .p | printf "x1" }}', '{{ .p | default "«x1»" }} {{ .q | default "«x2»" }}'],
];

describe('what stands below the name of a secret', () => {
  it.each(NONE)('is none: %s', (text) => {
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

  it('is encrypted, or a stand-in, only as a whole', () => {
    expect(['ENC[A,b]', ' ENC[A,b] ', '$ANSIBLE_VAULT;1.1\nabc'].map(isEncrypted)).toEqual([
      true,
      true,
      true,
    ]);
    expect(
      ['x ENC[A,b]', 'ENC[A,b', 'ENC[A]', 'ANSIBLE_VAULT;', 'ENC[A,b] x'].map(isEncrypted),
    ).not.toContain(true);
    expect(['CHANGEME', ' todo ', '...'].map(isStandIn)).toEqual([true, true, true]);
    expect(['changeme x', 'a todo', '..', 'true'].map(isStandIn)).not.toContain(true);
  });
});

// What edits make of a text is searched around them, and all that a search of the whole would find is found.
import { expect, it } from 'vitest';
import { type Edit, splice } from '../../../src/security/edits/edit.ts';
import { isSecretName } from '../../../src/security/secrets/key-names.ts';
import { searchEdited, searchText, type TextSearch } from '../../../src/security/secrets/search-text.ts';
import { type Random, randomFrom, seededRandom } from '../../harness/random.ts';
import { runs } from '../../harness/runs.ts';
import { FILES, secretsBy } from './twin-files.ts';

/** What is found and what tells of it, whole and in parts: an edit puts it together, or takes it apart. */
const PIECES = [
  ...[
    'password',
    'api',
    ' key',
    '_',
    'KEY',
    '=',
    ': ',
    ':',
    '--token',
    '--password ',
    ' \\\n  ',
    '\\',
    '\\x',
    '\\u00e9',
  ],
  ...[
    '-----BEGIN RSA PRIVATE KEY-----',
    '-----END RSA PRIVATE KEY-----',
    'PRIVATE',
    '-----BEGIN ',
    ' KEY-----',
  ],
  ...[
    'ghp_',
    'A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8',
    'sk-',
    'live_',
    'xoxb-1234567890-abc',
    'eyJhbGciOiJIUzI1NiJ9.e30.x',
  ],
  ...[
    'https://',
    'user:',
    'hunter2',
    '@host',
    '/',
    '"',
    "'",
    '`',
    'Bearer ',
    'basic ',
    '$apr1$',
    '$$2y$$10$abcdefghijklmnopqrstuv',
  ],
  ...[
    '<secret:ab12cd34>',
    '<secret:',
    'ab12cd34>',
    '{{ .Values.x }}',
    '${DB}',
    '$password := "x"',
    '{user: u, password: x}',
    ',',
  ],
  ...[
    '"password":"x"',
    '\\"token\\":\\"y\\"',
    'sensitive',
    'last-applied',
    'securestring',
    'auths',
    'secretGenerator',
    'value',
  ],
  ...[
    '\n',
    '\n',
    '\n  ',
    '\n- ',
    '\r\n',
    '\r',
    '\n\n',
    '\t',
    ' ',
    '  ',
    '#',
    '# ',
    '|\n    ',
    'é',
    '\u2028',
    '\u0085',
    '𝒳',
    'пароль',
    '密',
  ],
  ...[
    'root:x@tcp(',
    'jdbc:oracle:thin:scott/x@db',
    'oken  abcdefghij1234567890',
    '12345678:AA',
    '?sig=',
    'Server=db;Password=a b,c;',
  ],
];

function textBy(random: Random): string {
  const file = random.pick(Object.keys(FILES));
  if (random.below(4) === 0) return FILES[file]?.(secretsBy(random, [])) ?? '';
  return Array.from({ length: random.below(60) }, () => random.pick(PIECES)).join('');
}

function editsBy(random: Random, text: string): readonly Edit[] {
  const places = Array.from({ length: 2 * (1 + random.below(3)) }, () => random.below(text.length + 1));
  const sorted = places.sort((a, b) => a - b);
  return sorted.flatMap((start, index) => {
    if (index % 2 === 1) return [];
    const next = sorted[index + 1] ?? start;
    const end = random.below(2) === 0 ? start : Math.min(next, start + random.below(60));
    const insert = Array.from({ length: random.below(4) }, () => random.pick(PIECES)).join('');
    return [{ start, end, insert }];
  });
}

/** Of equal places the first one counts. */
function told({ found, nameCandidates: named }: TextSearch) {
  const first = new Map(found.map((one) => [`${one.start} ${one.end} ${one.from}`, undefined]));
  const said = [...first.keys()].map((place) => {
    const one = found.find(({ from, start, end }) => place === `${start} ${end} ${from}`);
    return `${place} ${one?.by === 'key' ? 'key' : 'text'}`;
  });
  return { said: said.sort(), named };
}

it('finds around edits what a search of the whole finds', () => {
  const seeds = seededRandom(32);
  let edited = 0;
  for (let run = 0; run < runs(10_000); run++) {
    const random = randomFrom(seeds.below(2 ** 32));
    let text = textBy(random);
    let search = searchText(text, isSecretName);
    for (let step = 0; step < 20; step++) {
      const edits = editsBy(random, text);
      const after = splice(text, edits);
      const next = searchEdited({ text, search }, after, isSecretName);
      const whole = searchText(after, isSecretName);
      expect(told(next), `seed ${random.seed}, step ${step}`).toEqual(told(whole));
      expect(whole.mayHoldPrivateKey && !next.mayHoldPrivateKey).toBe(false);
      edited += next.mayHoldPrivateKey ? 0 : 1;
      [text, search] = [after, next];
    }
  }
  expect(edited).toBeGreaterThan(200);
});

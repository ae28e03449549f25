// Patterns of the operator about what is masked: one that can match nothing, or that is not what it looks like, stops the start, and says
// what works. What works is tried on a file.
import { describe, expect, it } from 'vitest';
import type { AirlockOptions } from '../../../src/server.ts';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

type Rule = 'mask-key' | 'show-key' | 'mask-path' | 'show-path';

const FILES = {
  'app.yaml': `db:
  licence: 1Qz7wKp2
  "my.licence": 2Qz7wKp2
  app.io/licence: 3Qz7wKp2
  password: 4Qz7wKp2
list:
  - {name: a, licence: 5Qz7wKp2}
.job:
  nick: 6Qz7wKp2
`,
};

function opened(rule: Rule, pattern: string, text = FILES['app.yaml']) {
  const [files = '', ...path] = pattern.split(':');
  const rules = rule.endsWith('key')
    ? { keys: [pattern], paths: [] }
    : { keys: [], paths: [{ files, path: path.join(':') }] };
  const none = { keys: [], paths: [] };
  const masking: AirlockOptions['masking'] = rule.startsWith('mask')
    ? { isOff: false, ...rules, shown: none }
    : { isOff: false, ...none, shown: rules };
  return inlineAirlock({ 'app.yaml': text }, { masking });
}

async function shown(rule: Rule, pattern: string, text?: string): Promise<string> {
  const airlock = await opened(rule, pattern, text);
  const outcome = await airlock.call('config_get', { file: 'app.yaml', view: 'raw' });
  airlock.close();
  return JSON.stringify(outcome);
}

describe('stops the start, and says what works [DIS-5]', () => {
  it.each<{ rule: Rule; pattern: string; says: string; why: string }>([
    { rule: 'mask-key', pattern: '', says: 'it is empty', why: 'nothing' },
    { rule: 'mask-key', pattern: ' \t', says: 'it is empty', why: 'blanks' },
    { rule: 'mask-key', pattern: 'licence ', says: 'write "licence"', why: 'a blank behind it' },
    { rule: 'mask-key', pattern: 'licence,pin', says: 'give --mask-key once for each', why: 'a comma' },
    { rule: 'mask-key', pattern: '{licence,pin}', says: 'give --mask-key once for each', why: 'braces' },
    { rule: 'mask-key', pattern: '&licence', says: 'an anchor is no key', why: 'an anchor' },
    { rule: 'mask-key', pattern: '^licence$', says: 'write "licence"', why: 'a regular expression' },
    { rule: 'mask-key', pattern: 'a|b', says: "only '*' and '?' are special", why: 'a choice' },
    { rule: 'mask-key', pattern: '!licence', says: "only '*' and '?' are special", why: 'a negation' },
    { rule: 'mask-key', pattern: '"licence"', says: 'leave them out', why: 'quotes' },
    { rule: 'mask-key', pattern: 'lic\u200bence', says: 'nobody can see', why: 'a letter without width' },
    { rule: 'mask-key', pattern: 'a'.repeat(257), says: 'longer than 256', why: 'a long one' },
    { rule: 'mask-key', pattern: 'db.licence', says: '"**:**.db.licence" for a path', why: 'a dotted key' },
    { rule: 'mask-key', pattern: 'db.licence', says: '"db?licence" for a key', why: 'a key with a dot' },
    { rule: 'mask-key', pattern: '/db/licence', says: '"**:/db/licence"', why: 'a leading slash' },
    { rule: 'mask-key', pattern: './licence', says: 'the key alone: "licence"', why: 'a leading ./' },
    { rule: 'mask-key', pattern: 'app.yaml:db', says: '--mask-path "app.yaml:db"', why: 'a node of files' },
    { rule: 'show-key', pattern: 'password,token', says: 'give --show-key once', why: 'a comma' },
    { rule: 'show-key', pattern: '', says: 'bad --show-key pattern ""', why: 'nothing' },
    {
      rule: 'mask-path',
      pattern: '/app.yaml:db',
      says: 'relative to the root, as in "app.yaml"',
      why: 'a leading slash',
    },
    { rule: 'mask-path', pattern: './app.yaml:db', says: 'write "app.yaml"', why: 'a leading ./' },
    { rule: 'mask-path', pattern: ' app.yaml:db', says: 'write "app.yaml"', why: 'a blank before it' },
    { rule: 'mask-path', pattern: 'app.yaml :db', says: 'write "app.yaml"', why: 'a blank before the colon' },
    {
      rule: 'mask-path',
      pattern: 'app.yaml: db',
      says: 'write "app.yaml:db"',
      why: 'a blank after the colon',
    },
    { rule: 'mask-path', pattern: 'app.yaml:db ', says: 'write "app.yaml:db"', why: 'a blank behind it' },
    { rule: 'mask-path', pattern: 'a.yaml,b.yaml:db', says: 'give --mask-path once', why: 'a comma' },
    { rule: 'mask-path', pattern: '!app.yaml:db', says: "('!') is not supported", why: 'a negation' },
    { rule: 'mask-path', pattern: '../app.yaml:db', says: "it contains '..'", why: 'a folder above' },
    { rule: 'mask-path', pattern: 'deploy:db', says: '"deploy/**" for a folder', why: 'a folder' },
    { rule: 'mask-path', pattern: 'app.yaml:db.{a,b}', says: 'is a key as it stands here', why: 'braces' },
    { rule: 'mask-path', pattern: 'app.yaml:db,list', says: 'is a key as it stands here', why: 'a comma' },
    {
      rule: 'mask-path',
      pattern: 'app.yaml:db.*_pin',
      says: 'is a key as it stands here',
      why: 'a star in a key',
    },
    { rule: 'mask-path', pattern: 'app.yaml:&db', says: 'is a key as it stands here', why: 'an anchor' },
    {
      rule: 'mask-path',
      pattern: 'app.yaml:./db',
      says: 'write spec.license',
      why: 'a path that begins as a file',
    },
    {
      rule: 'mask-path',
      pattern: 'app.yaml:db.app.io/licence',
      says: '["app.kubernetes.io/name"]',
      why: 'dots and slashes',
    },
    {
      rule: 'mask-path',
      pattern: 'app.yaml:/db/*',
      says: 'a JSON pointer has no patterns',
      why: 'a pointer with a star',
    },
    { rule: 'mask-path', pattern: 'app.yaml:db..a', says: 'a segment is missing', why: 'no path at all' },
    { rule: 'show-path', pattern: 'app.yaml: db', says: 'bad --show-path', why: 'a blank after the colon' },
    { rule: 'show-path', pattern: './app.yaml:db', says: 'bad --show-path', why: 'a leading ./' },
  ])('--$rule "$pattern": $why', async ({ rule, pattern, says }) => {
    await expect(opened(rule, pattern)).rejects.toThrow(
      expect.objectContaining({ name: 'StartError', message: expect.stringContaining(says) }),
    );
  });
});

describe('masks what it looks like [DIS-9]', () => {
  it.each<{ rule: Rule; pattern: string; hidden: string }>([
    { rule: 'mask-key', pattern: 'licence', hidden: '15' },
    { rule: 'mask-key', pattern: '*LICENCE', hidden: '1235' },
    { rule: 'mask-key', pattern: 'my?licence', hidden: '2' },
    { rule: 'mask-key', pattern: 'app.io/licence', hidden: '3' },
    { rule: 'mask-path', pattern: '**:**.db.licence', hidden: '1' },
    { rule: 'mask-path', pattern: '**:/db/licence', hidden: '1' },
    { rule: 'mask-path', pattern: 'app.yaml:db["app.io/licence"]', hidden: '3' },
    { rule: 'mask-path', pattern: 'APP.{yaml,yml}:db["my.licence"]', hidden: '2' },
    { rule: 'mask-path', pattern: '*.yaml:**.licence', hidden: '15' },
    { rule: 'mask-path', pattern: 'app.yaml:list[name=a].licence', hidden: '5' },
    { rule: 'mask-path', pattern: '**:db', hidden: '1234' },
    { rule: 'mask-path', pattern: '**:.db.licence', hidden: '1' },
    { rule: 'mask-path', pattern: '**:.job.nick', hidden: '6' },
    { rule: 'mask-path', pattern: '**:[".job"].nick', hidden: '6' },
    { rule: 'mask-path', pattern: '**:job.nick', hidden: '' },
  ])('--$rule "$pattern"', async ({ rule, pattern, hidden }) => {
    const text = await shown(rule, pattern);
    const masked = [...'12356'].filter((number) => !text.includes(`${number}Qz7wKp2`)).join('');
    expect(masked).toBe(hidden.replace('4', ''));
    expect(text).not.toContain('4Qz7wKp2');
  });

  it.each([
    ['a field that is an alias', 'env[name=X_A].value', 'n: &n X_A\nenv:\n- name: *n\n  value: shown1\n'],
    ['a field that stands twice', 'env[name=X_A].value', 'env:\n- name: X_A\n  name: y\n  value: shown1\n'],
    ['a field that a merge brings', 'env[name=X].v', 'd: &d {name: X}\nenv:\n- <<: *d\n  v: shown1\n'],
    ['an item that is an alias', 'env[name=X].v', 'e: &e {name: X, v: shown1}\nenv:\n- *e\n'],
    [
      'one item named as the pattern',
      'env[name=X_*].v',
      'env:\n- {name: X_A, v: shown1}\n- {name: "X_*", v: q}\n',
    ],
    ['a path through an alias', 'q.pinx', 'base: &b {pinx: shown1}\nq: *b\n'],
    ['a path through a merge', 'q.pinx', 'base: &b {pinx: shown1}\nq:\n  <<: [*b]\n'],
    ['a key with a dot', 'db.my.nick', 'db:\n  my.nick: shown1\n'],
    ['a key in another letter case', 'db.nick', 'db:\n  Nick: shown1\n'],
    ['merges that come back', '**.pinx', 'a: &a\n  <<: *a\n  pinx: shown1\nb: &b [*b, *a]\n'],
  ])('--mask-path masks for every reader: %s', async (_, path, text) => {
    expect(await shown('mask-path', `**:${path}`, text)).not.toContain('shown1');
  });

  it.each<{ rule: Rule; pattern: string; isShown: boolean }>([
    { rule: 'show-key', pattern: 'Password', isShown: true },
    { rule: 'show-path', pattern: 'app.yaml:db.password', isShown: true },
    { rule: 'show-path', pattern: '**:db', isShown: true },
    { rule: 'show-path', pattern: 'App.yaml:db.password', isShown: false },
  ])('--$rule "$pattern" shows a password: $isShown', async ({ rule, pattern, isShown }) => {
    expect((await shown(rule, pattern)).includes('4Qz7wKp2')).toBe(isShown);
  });
});

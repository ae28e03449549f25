// --show-key and --show-path: what is masked wrongly is shown, but never what the operator masks, and no token of a known shape.
import { describe, expect, it } from 'vitest';
import type { MaskingPolicy } from '../../../src/security/index.ts';
import { maskedWith } from '../../harness/masked.ts';

const TOKEN = `ghp_${'aB3'.repeat(12)}`;

interface Row {
  readonly why: string;
  readonly text: string;
  readonly shown: string;
  readonly file?: string;
  readonly masking: Partial<MaskingPolicy>;
}

const keys = (...names: string[]): Partial<MaskingPolicy> => ({ shown: { keys: names, paths: [] } });
const paths = (...all: string[]): Partial<MaskingPolicy> => ({
  shown: { keys: [], paths: all.map((path) => ({ files: '*.yaml', path })) },
});

const ROWS: readonly Row[] = [
  { why: 'a key', text: 'password: hunter2\n', shown: 'password: hunter2\n', masking: keys('password') },
  { why: 'a key in another case', text: 'Token: a1\n', shown: 'Token: a1\n', masking: keys('TOKEN') },
  {
    why: 'a pattern of keys, and no other',
    text: 'a_token: a1\nb_token: b1\npassword: c1\n',
    shown: 'a_token: a1\nb_token: b1\npassword: ***\n',
    masking: keys('*_token'),
  },
  {
    why: 'a key in an assignment',
    text: 'x: A_TOKEN=a1\n',
    shown: 'x: A_TOKEN=a1\n',
    masking: keys('A_TOKEN'),
  },
  {
    why: 'the name of a pair',
    text: 'env:\n  - name: A_TOKEN\n    value: a1\n  - name: B_TOKEN\n    value: b1\n',
    shown: 'env:\n  - name: A_TOKEN\n    value: a1\n  - name: B_TOKEN\n    value: ***\n',
    masking: keys('A_TOKEN'),
  },
  {
    why: 'a key of a Secret',
    text: 'kind: Secret\nstringData:\n  license: a1\n  other: b1\n',
    shown: 'kind: Secret\nstringData:\n  license: a1\n  other: ***\n',
    masking: keys('license'),
  },
  {
    why: 'a key in a file that cannot be parsed',
    text: 'a: [1\npassword: hunter2\n',
    shown: 'a: [1\npassword: hunter2\n',
    masking: keys('password'),
  },
  {
    why: 'no token of a known shape',
    text: `password: ${TOKEN}\n`,
    shown: 'password: ***\n',
    masking: keys('password'),
  },
  {
    why: 'no password of a URL',
    text: 'token: x://u:hunter2@h\n',
    shown: 'token: x://u:***@h\n',
    masking: keys('token'),
  },
  {
    why: 'no key that the operator masks',
    text: 'password: hunter2\n',
    shown: 'password: ***\n',
    masking: { ...keys('pass*'), keys: ['password'] },
  },
  {
    why: 'a node',
    text: 'a:\n  token: a1\nb:\n  token: b1\n',
    shown: 'a:\n  token: a1\nb:\n  token: ***\n',
    masking: paths('a.token'),
  },
  {
    why: 'what stands below a node',
    text: 'a:\n  passwords: [a1, b1]\npassword: c1\n',
    shown: 'a:\n  passwords: [a1, b1]\npassword: ***\n',
    masking: paths('a'),
  },
  {
    why: 'the nodes of a pattern',
    text: 'a: {token: a1}\nb: {token: b1, pin: 4711}\n',
    shown: 'a: {token: a1}\nb: {token: b1, pin: ***}\n',
    masking: paths('*.token'),
  },
  {
    why: 'the data of a Secret',
    text: 'kind: Secret\ndata:\n  a: aGk=\n  b: aGk=\n',
    shown: 'kind: Secret\ndata:\n  a: aGk=\n  b: ***\n',
    masking: paths('data.a'),
  },
  {
    why: 'lines of a text',
    text: 'c: |\n  password: a1\nd: |\n  password: b1\n',
    shown: 'c: |\n  password: a1\nd: |\n  password: ***\n',
    masking: paths('c'),
  },
  {
    why: 'no node of another file',
    file: 'b.json',
    text: '{"token": "a1"}\n',
    shown: '{"token": "***"}\n',
    masking: paths('token'),
  },
  {
    why: 'no token of a known shape at a node',
    text: `a: ${TOKEN}\n`,
    shown: 'a: ***\n',
    masking: paths('a'),
  },
  {
    why: 'no node whose key the operator masks',
    text: 'token: a1\n',
    shown: 'token: ***\n',
    masking: { ...paths('token'), keys: ['tok*'] },
  },
  {
    why: 'no node that the operator masks, also in a Secret',
    text: 'kind: Secret\ndata:\n  a: aGk=\n',
    shown: 'kind: Secret\ndata:\n  a: ***\n',
    masking: { ...paths('data.a'), paths: [{ files: '*.yaml', path: 'data.a' }] },
  },
];

describe('what the operator shows', () => {
  it.each(ROWS)('$why', ({ text, shown, file = 'a.yaml', masking }) => {
    expect(maskedWith(file, text)).not.toBe(text);
    expect(maskedWith(file, text, masking)).toBe(shown);
  });
});

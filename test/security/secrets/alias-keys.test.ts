// A key that is an alias, and a merge that only some readers take for one, hide nothing from the names, the structure and the operator's
// options that mask.
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_MASKING, type MaskingPolicy } from '../../../src/security/index.ts';
import { inlineAirlock } from '../../harness/inline-airlock.ts';

const KEY: Partial<MaskingPolicy> = { keys: ['lic'] };
const path = (one: string): Partial<MaskingPolicy> => ({ paths: [{ files: 'a.yaml', path: one }] });
const BASE = 'base: &b {lic: canary, x: 1}\na:\n';

it.each<{ why: string; text: string; masking?: Partial<MaskingPolicy> }>([
  { why: 'a name of a secret', text: 'k: &k password\n*k : canary\n' },
  { why: 'a name of a secret in quotes', text: 'k: &k "password"\na: {*k : canary}\n' },
  { why: 'a name of a pair', text: 'n: &n name\nv: &v value\ne:\n- *n : DB_PASSWORD\n  *v : canary\n' },
  { why: 'the kind of a Secret', text: 'k: &k kind\na:\n  *k : Secret\n  data: {x: canary}\n' },
  { why: 'the data of a Secret', text: 'k: &k data\na:\n  kind: Secret\n  *k : {x: canary}\n' },
  { why: 'a flag of a secret', text: 'f: &f --password\nargs:\n- *f\n- canary\n' },
  {
    why: 'the merge of a kind',
    text: 'm: &m <<\nb: &b {kind: Secret}\na:\n  *m : *b\n  data: {x: canary}\n',
  },
  { why: 'the merge of a name', text: 'm: &m <<\nb: &b {name: A_TOKEN}\na:\n  *m : *b\n  value: canary\n' },
  { why: '--mask-key', text: 'k: &k lic\n*k : canary\n', masking: KEY },
  { why: '--mask-path', text: 'k: &k lic\na:\n  *k : canary\n', masking: path('a.lic') },
  { why: '--mask-path through it', text: 'k: &k lic\na:\n  *k : {z: canary}\n', masking: path('a.lic.z') },
  {
    why: 'a selector of --mask-path',
    text: 'f: &f name\nl:\n- *f : a\n  lic: canary\n',
    masking: path('l[name=a].lic'),
  },
  { why: 'a merge', text: `m: &m <<\n${BASE}  *m : *b\n`, masking: path('a.lic') },
  { why: 'a merge by !!merge', text: `${BASE}  !!merge foo: *b\n`, masking: path('a.lic') },
  {
    why: 'a merge by the whole tag',
    text: `${BASE}  !<tag:yaml.org,2002:merge> foo: *b\n`,
    masking: path('a.lic'),
  },
])('a value is masked where an alias or a tag stands for $why [DIS-9]', async ({ text, masking = {} }) => {
  const airlock = await inlineAirlock({ 'a.yaml': text }, { masking: { ...DEFAULT_MASKING, ...masking } });
  onTestFinished(() => airlock.close());
  const shown = JSON.stringify(await airlock.call('config_get', { file: 'a.yaml', view: 'raw' }));
  expect(shown).toContain('<secret:');
  expect(shown).not.toContain('canary');
});

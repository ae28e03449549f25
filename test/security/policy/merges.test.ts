// Attacks by merges (`<<`) that one reader applies and another does not. To kubectl and Psych a merge below a key overrides it;
// to PyYAML, ruamel, SnakeYAML and Psych an alias that means `<<` merges, and so does `!!merge`.
import { expect, it, onTestFinished } from 'vitest';
import { tempRoot } from '../../harness/temp-root.ts';
import { startToolServer } from '../../harness/tool-server.ts';
import { type AttackRow, describeAttacks } from './attack-rows.ts';

const LOCKED = 'paths: spec.replicas, then: deny';
const MANIFEST = 'kind: Deployment\nspec:\n  replicas: 1\n  paused: false\n';
const BELOW: AttackRow['edit'] = ['  paused: false\n', '  paused: false\n  <<: {replicas: 100}\n'];

describeAttacks('a merge that readers take differently', {
  denied: [
    { why: 'a merge below the key', rule: LOCKED, before: MANIFEST, edit: BELOW },
    {
      why: 'a merge below the key, by an alias',
      rule: LOCKED,
      before: `a: &a { replicas: 100 }\n${MANIFEST}`,
      edit: ['  paused: false\n', '  paused: false\n  <<: *a\n'],
    },
    {
      why: 'a merge of several below the key',
      rule: LOCKED,
      before: `a: &a { x: 1 }\n${MANIFEST}`,
      edit: ['  paused: false\n', '  paused: false\n  <<: [*a, { replicas: 100 }]\n'],
    },
    {
      why: 'a merge below the key, in flow',
      rule: LOCKED,
      before: 'spec: { replicas: 1 }\n',
      edit: ['1 }', '1, <<: { replicas: 100 } }'],
    },
    {
      why: 'another value in a merge below the key',
      rule: LOCKED,
      before: MANIFEST.replace(...BELOW),
      edit: ['100', '200'],
    },
    {
      why: 'a merge below the key goes',
      rule: LOCKED,
      before: MANIFEST.replace(...BELOW),
      edit: ['  <<: {replicas: 100}\n', ''],
    },
    {
      why: 'a merge comes below the key by its order',
      rule: LOCKED,
      before: 'spec:\n  <<: {replicas: 100}\n  replicas: 1\n',
      edit: ['  <<: {replicas: 100}\n  replicas: 1\n', '  replicas: 1\n  <<: {replicas: 100}\n'],
    },
    {
      why: 'a merge below the key of what is merged',
      rule: LOCKED,
      before: 'a: &a\n  replicas: 1\nspec:\n  <<: *a\n',
      edit: ['  replicas: 1\n', '  replicas: 1\n  <<: {replicas: 100}\n'],
    },
    {
      why: 'another value of what is merged below the key',
      rule: LOCKED,
      before: `a: &a { replicas: 100 }\n${MANIFEST}  <<: *a\n`,
      edit: ['100', '200'],
    },
    {
      why: 'an explicit merge below the key',
      rule: LOCKED,
      before: MANIFEST,
      edit: ['  paused: false\n', '  ? <<\n  : { replicas: 100 }\n'],
    },
    {
      why: 'a second merge',
      rule: LOCKED,
      before: 'a: &a { replicas: 1 }\nspec:\n  <<: *a\n  paused: false\n',
      edit: ['  paused: false\n', '  <<: { replicas: 100 }\n'],
      code: 'VERIFICATION_FAILED',
    },
    {
      why: 'a kind below the kind',
      rule: 'doc: { kind: Role }, then: deny',
      before: 'kind: ConfigMap\ndata: { a: b }\n',
      edit: ['b }\n', 'b }\n<<: { kind: Role }\n'],
    },
    {
      why: 'data of a document with a kind below the kind',
      rule: 'doc: { kind: Role }, then: deny',
      before: 'kind: ConfigMap\ndata: { a: b }\n<<: { kind: Role }\n',
      edit: ['a: b', 'a: c'],
    },
    {
      why: 'a value that is too large',
      rule: 'paths: spec.replicas, value: { maximum: 5 }, then: preview',
      before: MANIFEST,
      edit: BELOW,
    },
    {
      why: 'a value that is too large, in the node above',
      rule: 'paths: spec, value: { properties: { replicas: { maximum: 5 } } }, then: preview',
      before: MANIFEST,
      edit: BELOW,
    },
    {
      why: 'an alias that means a merge',
      rule: LOCKED,
      before: `m: &m <<\n${MANIFEST}`,
      edit: ['  paused: false\n', '  *m : { replicas: 100 }\n'],
    },
    {
      why: 'an alias that means a merge in quotes',
      rule: LOCKED,
      before: `m: &m "<<"\n${MANIFEST}`,
      edit: ['  paused: false\n', '  *m : { replicas: 100 }\n'],
    },
    {
      why: 'what an alias is becomes a merge',
      rule: LOCKED,
      before: `m: &m q\n${MANIFEST}  *m : { replicas: 100 }\n`,
      edit: ['&m q', '&m <<'],
    },
    {
      why: 'what an alias is loses the quotes of a merge',
      rule: LOCKED,
      before: `m: &m "<<"\n${MANIFEST}  *m : { replicas: 100 }\n`,
      edit: ['"<<"', '<<'],
    },
    {
      why: 'another value in what an alias merges',
      rule: LOCKED,
      before: `m: &m <<\n${MANIFEST}  *m : { replicas: 100 }\n`,
      edit: ['100', '200'],
    },
    {
      why: 'a kind by an alias that means a merge',
      rule: 'doc: { kind: Role }, then: deny',
      before: 'm: &m <<\ndata: { a: b }\n',
      edit: ['b }\n', 'b }\n*m : { kind: Role }\n'],
    },
    {
      why: 'data of a document whose kind an alias merges',
      rule: 'doc: { kind: Role }, then: deny',
      before: 'm: &m <<\ndata: { a: b }\n*m : { kind: Role }\n',
      edit: ['a: b', 'a: c'],
    },
    ...['!!merge x', '!!merge <<', '!<tag:yaml.org,2002:merge> x', '!!merge "<<"'].map(
      (key): AttackRow => ({
        why: `a merge as ${key}`,
        rule: LOCKED,
        before: MANIFEST,
        edit: ['  paused: false\n', `  ${key}: { replicas: 100 }\n`],
      }),
    ),
  ],
  passed: [
    {
      why: 'a merge above the key',
      rule: LOCKED,
      before: MANIFEST,
      edit: ['  replicas: 1\n', '  <<: {replicas: 100}\n  replicas: 1\n'],
    },
    {
      why: 'a merge of other keys below the key',
      rule: LOCKED,
      before: MANIFEST,
      edit: ['  paused: false\n', '  paused: false\n  <<: {paused: true}\n'],
    },
    {
      why: 'a merge that is hidden by another one above',
      rule: LOCKED,
      before: 'a: &a { replicas: 1 }\nb: &b { x: 1 }\nspec:\n  <<: [*a, *b]\n',
      edit: ['x: 1', 'x: 1, replicas: 2'],
    },
    {
      why: 'a document with a merge in which all readers see the same kind',
      rule: 'doc: { kind: Role }, then: deny',
      before: 'a: &a { kind: Role }\nb: { <<: *a, kind: Service }\nkind: Service\nx: 1\n',
      edit: ['x: 1', 'x: 2'],
    },
  ],
});

it('is named as what changes too, and breaks a schema that cannot be checked [POL-2]', async () => {
  const operator = tempRoot({
    's.json': '{"properties":{"spec":{"properties":{"replicas":{"maximum":5}}}}}',
  });
  onTestFinished(() => operator.remove());
  const files = { 'a.yaml': MANIFEST, 'b.yaml': `m: &m <<\n${MANIFEST}`, 'free.yaml': MANIFEST };
  const server = await startToolServer({ files, flags: ['--schema', `{a,b}.yaml=${operator.dir}/s.json`] });
  onTestFinished(() => server.close());
  const [old_text, new_text] = BELOW;
  const edit = { op: 'replace_text', old_text, new_text };
  const { data } = await server.ok('config_edit', { edits: [{ ...edit, file: 'free.yaml' }] });
  expect(data).toMatchObject({ also_affects: ['spec.replicas'] });
  for (const [file, text] of [
    ['a.yaml', new_text],
    ['b.yaml', `${old_text}  *m : { replicas: 100 }\n`],
  ])
    expect(await server.refused('config_edit', { edits: [{ ...edit, file, new_text: text }] })).toMatchObject(
      {
        code: 'SCHEMA_VIOLATION',
      },
    );
});

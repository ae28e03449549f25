// config_search never says an unqualified "nothing": what was not compared, what stands elsewhere, what is no wildcard and what
// is closed are said.
import { describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const FILES = {
  'versions.yaml': [
    'a: {version: 1.8.7}\nb: {version: v0.93.1}\nc: {version: "1.10"}\nd: {version: 1.9.0-rc.1}\n',
    'e: {version: latest}\nf: {version: 10.0.0.1}\ng: {version: 1.21.4}\nh: {version: v1beta1}\n',
  ].join(''),
  'sizes.yaml':
    'a: {cpu: 500m}\nb: {cpu: "2"}\nc: {cpu: "0.5"}\nd: {memory: 128Mi}\ne: {memory: 1Gi}\nf: {port: "80"}\ng: {port: 8080}\n',
  '.github/workflows/ci.yaml': 'steps:\n  - uses: actions/checkout@v2\n  - uses: actions/checkout@v4\n',
  'images.yaml': [
    'a: {image: "nginx:1.8.7"}\nb: {image: localhost:5000/a/b:v0.93.1@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08}\n',
    'c: {image: c:1.9.0-rc.1}\nd: {image: postgres:16-alpine}\ne: {image: e:1.9.0-alpine}\nf: {image: redis:latest}\ng: {image: redis:6379}\n',
  ].join(''),
  'case.yaml': 'OCIS_INSECURE: "true"\nallowInsecureImages: True\ninsecure: true\nVERIFY_SSL: False\n',
  'ranges.yaml':
    'a: {node: ^16.13.1}\nb: {node: ">=16"}\nc: {node: 16.x}\nd: {node: v16}\ne: {node: ~> 18.2}\nf: {node: lts/*}\ng: {node: ">=18 <19 || ^20"}\nh: {node: "<20"}\n',
  'digests.yaml': `a: {tag: v2.4.2@sha256:${'5f'.repeat(32)}}\nb: {tag: 18.1@sha256:${'4d'.repeat(32)}}\nc: {tag: ${'x'.repeat(99)}}\nd: {tag: y}\n`,
  'cron.yaml': 'a: {cron: "0 0 * * *"}\nb: {cron: "0 0 * * 0"}\n',
  'env.yaml': 'vars:\n  - name: LOG_LEVEL\n    value: info\n  - name: LOG_FORMAT\n    value: json\n',
  'charts/web/templates/deployment.yaml':
    'spec:\n  a:\n    image: x\n    {{- toYaml .Values.resources | nindent 4 }}\n  b:\n    image: y\n  c: &base\n    limits: 1\n  d:\n    <<: *base\n    image: z\n  {{- with .Values.e }}\n  e:\n    {{- toYaml . | nindent 4 }}\n  {{- end }}\n  f:\n    {{- if .Values.f }}\n    {{- toYaml .Values.f | nindent 4 }}\n    {{- end }}\n',
};

const server = toolServer({ files: FILES });

async function search(args: Readonly<Record<string, unknown>>) {
  const { data, text } = await server.ok('config_search', args);
  return { matches: z.array(z.string()).parse(data['matches']), text };
}

/** The values alone. */
async function valuesOf(args: Readonly<Record<string, unknown>>): Promise<string[]> {
  return (await search(args)).matches.map((line) => line.replace(/^.* = /u, ''));
}

describe('compares', () => {
  test.each([
    {
      key: 'version',
      where: '<1.9',
      found: ['1.8.7', 'v0.93.1', '"1.10"', '1.9.0-rc.1'],
      why: 'versions with a number',
    },
    {
      key: 'version',
      where: '<v1.9',
      found: ['1.8.7', 'v0.93.1', '1.9.0-rc.1'],
      why: 'all as versions, where the operand is one',
    },
    {
      key: 'version',
      where: '>=1.9.0',
      found: ['"1.10"', '1.21.4'],
      why: 'a release as later than its candidates',
    },
    { key: 'version', where: '<=1.9.0-rc.1', found: ['1.8.7', 'v0.93.1', '1.9.0-rc.1'], why: 'candidates' },
    {
      key: 'image',
      where: '<1.9',
      found: [
        '"nginx:1.8.7"',
        'localhost:5000/a/b:v0.93.1@sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
        'c:1.9.0-rc.1',
      ],
      why: 'the tags of images, where a suffix is a build',
    },
    {
      key: 'image',
      where: '>=1.9.0',
      found: ['postgres:16-alpine', 'e:1.9.0-alpine'],
      why: 'tags of one number',
    },
    { key: 'port', where: '<1024', found: ['"80"'], why: 'numbers, in quotes as well' },
    { key: 'cpu', where: '<1', found: ['"0.5"'], why: 'decimals as numbers' },
    { key: 'cpu', where: '<=500m', found: ['500m', '"0.5"'], why: 'quantities, where one is asked for' },
    {
      key: 'node',
      where: '<17',
      found: ['^16.13.1', '">=16"', '16.x', 'v16'],
      why: 'the lowest version of a range',
    },
    { key: 'tag', where: '<3', found: [expect.stringMatching(/^v2\.4\.2@/)], why: 'a tag with a digest' },
    { key: 'tag', where: '>=v3', found: [expect.stringMatching(/^18\.1@/)], why: 'the same by a version' },
    {
      key: 'node',
      where: '>=v17',
      found: ['~> 18.2', '">=18 <19 || ^20"'],
      why: 'ranges with a version',
    },
    { key: 'memory', where: '>=512Mi', found: ['1Gi'], why: 'quantities of memory' },
  ])('$why: $key $where', async ({ key, where, found }) => {
    expect(await valuesOf({ key, where })).toEqual(found);
  });

  it('and counts what it could not compare, with an example', async () => {
    const { text } = await search({ key: 'version', where: '<1.9' });
    expect(text).toContain(
      'Not compared: 3 values that are no number and no version, such as latest, 10.0.0.1, v1beta1.',
    );
    expect(text).toContain(
      'Compared as numbers: 1 value that is a text ("1.10"). As versions they are ordered otherwise',
    );
    expect((await search({ key: 'memory', where: '>1' })).text).toContain(
      'Not compared: 2 values that are no number and no version, such as 128Mi, 1Gi.',
    );
    const ranges = (await search({ key: 'node', where: '<17' })).text;
    expect(ranges).toContain(
      'Not compared: 2 values that are no number and no version, such as lts/*, "<20".',
    );
    expect((await search({ key: 'tag', where: '<3' })).text).toMatch(/such as x{40,60}….*, y\.$/mu);
    expect(ranges).toContain(
      'Compared by the lowest version: 5 values that are a range, such as ^16.13.1, ">=16"',
    );
  });
});

describe('where nothing is found, says', () => {
  test.each([
    {
      args: { key: 'LOG_LEVEL' },
      says: 'No key is "LOG_LEVEL", but 1 value is: config_search {"value":"LOG_LEVEL"}',
      why: 'that the key stands as a value',
    },
    {
      args: { value: 'checkout' },
      says: 'No value is "checkout", but 2 values hold it: config_search {"value":"*checkout*"}',
      why: 'that it is a part of values',
    },
    {
      args: { value: 'checkout*' },
      says: 'No value is "checkout*", but 2 values hold it: config_search {"value":"*checkout*"}',
      why: 'the same of a pattern, without another wildcard at its end',
    },
    {
      args: { key: 'use' },
      says: 'No key is "use", but 2 keys hold it: config_search {"key":"*use*"}',
      why: 'that it is a part of keys',
    },
    {
      args: { value: 'steps' },
      says: 'No value is "steps", but 1 key is: config_search {"key":"steps"}',
      why: 'that the value stands as a key',
    },
    {
      args: { value: 'actions/checkout@v[123]*' },
      says: '"[123]" in "value" is matched literally: only * and ? are wildcards. config_search {"value":"actions/checkout@v*"} may be meant.',
      why: 'that brackets are no wildcard',
    },
    {
      args: { text: 'LOG_.*' },
      says: '".*" in "text" is matched literally: only * and ? are wildcards. config_search {"text":"LOG_*"} may be meant.',
      why: 'that a full stop is none',
    },
    {
      args: { text: 'chekout|info' },
      says: '"|" in "text" is matched literally',
      why: 'that a bar is none',
    },
    {
      args: { text: 'image', pattern: '**/*.log' },
      says: 'Files such as "x/x.log" are not open here: list_capabilities names those that are; the operator can open others with --allow.',
      why: 'that such files are closed',
    },
    {
      args: { key: '*verify*', value: 'false' },
      says: '1 in other letter case: config_search {"key":"(?i)*verify*","value":"(?i)false"}',
      why: 'that there is one in another case of letters',
    },
    {
      args: { text: 'log_level', pattern: '*.yaml' },
      says: '1 in other letter case: config_search {"pattern":"*.yaml","text":"(?i)log_level"}',
      why: 'the same of a text, in the files that were asked for',
    },
    { args: { text: 'nowhere' }, says: 'Nothing found in 10 files.', why: 'in how many files' },
  ])('$why: $args', async ({ args, says }) => {
    const { matches, text } = await search(args);
    expect(matches).toEqual([]);
    expect(text).toContain(says);
  });

  it.each([{ pattern: '**/*.log' }, { pattern: '.git/x.yaml' }, { pattern: 'none/*.log' }])(
    'the same of closed files whether or not there are any: $pattern',
    async ({ pattern }) => {
      const other = await ownToolServer({
        files: { 'a.yaml': 'a: 1\n', 'b/x.log': 'image\n', '.git/x.yaml': 'image: 1\n' },
      });
      const bare = await ownToolServer({ files: { 'a.yaml': 'a: 1\n' } });
      const [one, two] = [
        await other.ok('config_search', { text: 'image', pattern }),
        await bare.ok('config_search', { text: 'image', pattern }),
      ];
      expect(one.text).toBe(two.text);
    },
  );
});

describe('beside what is found, counts', () => {
  test.each([
    {
      args: { text: 'insecure' },
      found: 1,
      says: '2 more in other letter case: config_search {"text":"(?i)insecure"}',
    },
    { args: { text: '(?i)insecure' }, found: 3, says: undefined },
    { args: { key: '(?i)*Insecure*', value: '(?i)TRUE' }, found: 3, says: undefined },
    {
      args: { value: '0 0 * * *' },
      found: 2,
      says: '1 of these is exactly "0 0 * * *"; in the others its * or ? is other text. Those alone: config_search {"value":"0 0 \\\\* \\\\* \\\\*"}',
    },
    { args: { value: '0 0 \\* \\* \\*' }, found: 1, says: undefined },
    { args: { text: '0 0 \\* \\* \\*"' }, found: 1, says: undefined },
  ])('$args: $says', async ({ args, found, says }) => {
    const { matches, text } = await search(args);
    expect(matches).toHaveLength(found);
    if (says === undefined) expect(text).not.toMatch(/letter case|exactly|itself/u);
    else expect(text).toContain(says);
  });
});

it('marks what a template or a merge may bring where a key is missing', async () => {
  const { matches } = await search({ key: 'spec.*.limits', where: 'missing' });
  expect(matches).toEqual([
    'charts/web/templates/deployment.yaml:3  spec.a lacks spec.*.limits (the template may write it there: {{- toYaml .Values.resources | nindent 4 }})',
    'charts/web/templates/deployment.yaml:6  spec.b lacks spec.*.limits',
    'charts/web/templates/deployment.yaml:10  spec.d lacks spec.*.limits (a merge (<<) may bring it)',
    'charts/web/templates/deployment.yaml:14  spec.e lacks spec.*.limits (the template may write it there: {{- toYaml . | nindent 4 }})',
    'charts/web/templates/deployment.yaml:17  spec.f lacks spec.*.limits (the template may write it there: {{- toYaml .Values.f | nindent 4 }})',
  ]);
});

it.each([
  {
    args: { key: 'a' },
    says: '1 match in what was searched',
    why: 'a file that is not valid may hold more matches',
  },
  {
    args: { key: 'a', where: '>5' },
    says: 'Nothing found in the 1 of 2 files that could be searched.',
    why: 'or one',
  },
  { args: { text: 'a: ' }, says: '2 matches in all', why: 'a text is searched in any file' },
  { args: { key: 'a', pattern: 'good.yaml' }, says: '1 match in all', why: 'a broken file is not asked for' },
])('does not speak of all where a file was skipped: $why', async ({ args, says }) => {
  const other = await ownToolServer({ files: { 'good.yaml': 'a: 1\n', 'bad.yaml': 'a: [1\n' } });
  expect((await other.ok('config_search', args)).text).toContain(says);
});

it('takes a path with a wildcard for no regular expression', async () => {
  expect((await search({ key: 'services.*.environment.TZ' })).text).not.toContain('is matched literally');
  expect((await search({ key: 'LOG_.*' })).text).toContain('is matched literally');
});

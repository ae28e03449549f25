// list_capabilities through a client: whatever flags, environment and defaults came to, it says so.
import { expect, it, test } from 'vitest';
import { z } from 'zod';
import { tempRoot } from '../harness/temp-root.ts';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const Capabilities = z.looseObject({
  roots: z.array(z.string()),
  formats: z.array(z.strictObject({ name: z.string(), files: z.array(z.string()) })),
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  limits: z.record(z.string(), z.number()),
  containment: z.enum(['fd-walk', 'cwd-walk', 'checked']),
  containment_strength: z.string(),
});

interface Row {
  readonly why: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly says: Readonly<Record<string, unknown>>;
  readonly limits?: Readonly<Record<string, number>>;
  readonly denies?: readonly string[];
}

const ROWS: readonly Row[] = [
  {
    why: 'the defaults',
    says: {
      ...{ roots: ['(the root)'], read_only: false, verify: 'fast', approval: 'direct' },
      masking: { on: true, placeholder: '<secret:xxxxxxxx>' },
    },
  },
  { why: 'the whole proof', flags: ['--verify', 'full'], says: { verify: 'full' } },
  { why: 'read-only', flags: ['--read-only'], says: { read_only: true, previews: 'not kept' } },
  {
    why: 'a level of approval',
    flags: ['--approval', 'client'],
    says: { approval: 'client', previews: 'kept' },
  },
  {
    why: 'every limit',
    flags: [
      ...['--max-file-size', '5000', '--max-parsed-size', '4000', '--max-depth', '7', '--max-aliases', '8'],
      ...['--max-tokens', '9000', '--max-documents', '10', '--max-parse-ms', '1100'],
      ...['--max-step-ms', '14000', '--max-call-ms', '15000'],
      ...['--max-reply-chars', '12000', '--max-list-entries', '13'],
    ],
    says: {},
    limits: {
      ...{ file_size_bytes: 5000, parsed_size_bytes: 4000, depth: 7, aliases: 8, tokens: 9000 },
      ...{
        documents: 10,
        parse_ms: 1100,
        step_ms: 14_000,
        call_ms: 15_000,
        reply_chars: 12000,
        list_entries: 13,
      },
    },
  },
  {
    why: 'the environment, and a flag above it',
    env: { AIRLOCK_MAX_FILE_SIZE: '111', AIRLOCK_MAX_DEPTH: '12', AIRLOCK_ALLOW: '**/*.yml' },
    flags: ['--max-depth', '13'],
    says: { allow: ['**/*.yml'] },
    limits: { file_size_bytes: 111, depth: 13 },
  },
  { why: 'no masking', flags: ['--no-mask'], says: { masking: { on: false } } },
  {
    why: 'what is masked besides, and what is shown',
    flags: [
      ...['--mask-key', '*_pin', '--mask-path', 'a.yaml:spec.license'],
      ...['--show-key', 'tokenRef', '--show-path', '**:spec.token'],
    ],
    says: {
      masking: {
        ...{ on: true, mask_key: ['*_pin'], mask_path: ['a.yaml:spec.license'] },
        ...{ show_key: ['tokenRef'], show_path: ['**:spec.token'] },
      },
    },
  },
  {
    why: 'allow and deny',
    flags: ['--allow', '**/*.yaml', '--allow', 'conf/*.json', '--deny', 'prod/**'],
    says: { allow: ['**/*.yaml', 'conf/*.json'] },
    denies: ['prod/**'],
  },
];

const server = toolServer({ files: { 'a.yaml': 'a: 1\n' } });

test.each(ROWS)('agrees with $why', async ({ flags = [], env = {}, says, limits = {}, denies = [] }) => {
  const defaults = Capabilities.parse((await server.ok('list_capabilities')).data);
  const other = await ownToolServer({ root: server.root, flags, env });
  const { data, text } = await other.ok('list_capabilities');
  const capabilities = Capabilities.parse(data);
  expect(data).toMatchObject(says);
  expect(capabilities.limits).toEqual({ ...defaults.limits, ...limits });
  expect(capabilities.deny).toEqual([...defaults.deny, ...denies]);
  expect(capabilities.deny).toContain('.git');
  for (const format of capabilities.formats) expect(text).toContain(JSON.stringify(format));
  // Of the command it is 'worker': see test/packed.system.test.ts.
  expect(data['isolation']).toBe('none');
  for (const [name, value] of Object.entries(capabilities.limits))
    expect(text).toContain(`"${name}":${value}`);
  expect(text).toContain(data['read_only'] === true ? 'writing: no' : 'writing: yes');
  for (const pattern of [...capabilities.allow, ...capabilities.deny]) expect(text).toContain(pattern);
  expect(JSON.stringify([data, text])).not.toContain(server.root);
});

it('names several roots, and not where they lie', async () => {
  const other = tempRoot();
  const flags = ['--root', `one=${server.root}`, '--root', `two=${other.dir}`];
  const { data, text } = await (await ownToolServer({ flags })).ok('list_capabilities');
  other.remove();
  expect(Capabilities.parse(data).roots).toEqual(['@one', '@two']);
  expect(text).toContain('roots: @one, @two');
  for (const dir of [server.root, other.dir]) expect(JSON.stringify([data, text])).not.toContain(dir);
});

it('says how strong the containment is, where, and whether it runs as root [SRV-12]', async () => {
  const isRoot = process.geteuid?.() === 0;
  const { data, text } = await server.ok('list_capabilities');
  const { containment, containment_strength } = Capabilities.parse(data);
  expect(containment_strength.includes('not free of races')).toBe(containment === 'checked');
  expect(data).toMatchObject({ platform: process.platform, running_as_root: isRoot });
  expect(text).toContain(`containment_strength: ${containment_strength}`);
  expect(text).toContain(`running_as_root: ${isRoot}`);
});

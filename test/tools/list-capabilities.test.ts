// list_capabilities through a client: whatever flags, environment and defaults came to, it says so; and
// the list of tools is small enough to be read with every request.
import { existsSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { DEFAULT_ALLOW, FORMAT_FILES } from '../../src/adapters/index.ts';
import { BUILT_IN_DENYLIST, DEFAULT_LIMITS } from '../../src/security/index.ts';
import { type TempRoot, tempRoot } from '../harness/temp-root.ts';
import { ownToolServer, toolServer } from '../harness/tool-server.ts';

const Capabilities = z.strictObject({
  ok: z.literal(true),
  roots: z.array(z.string()),
  read_only: z.boolean(),
  verify: z.enum(['fast', 'full']),
  approval: z.enum(['direct', 'preview', 'client', 'human']),
  previews: z.enum(['kept', 'not kept']),
  previews_waiting: z.number(),
  reviewers: z.number(),
  containment: z.enum(['fd-walk', 'cwd-walk', 'checked']),
  isolation: z.enum(['worker', 'none']),
  formats: z.array(z.strictObject({ name: z.string(), files: z.array(z.string()) })),
  allow: z.array(z.string()),
  deny: z.array(z.string()),
  masking: z.strictObject({
    on: z.boolean(),
    placeholder: z.string().optional(),
    mask_key: z.array(z.string()).optional(),
    mask_path: z.array(z.string()).optional(),
    show_key: z.array(z.string()).optional(),
    show_path: z.array(z.string()).optional(),
  }),
  containment_strength: z.string(),
  platform: z.string(),
  running_as_root: z.boolean(),
  limits: z.record(z.string(), z.number()),
});

const DEFAULTS = {
  file_size_bytes: DEFAULT_LIMITS.fileSizeBytes,
  parsed_size_bytes: DEFAULT_LIMITS.parsedSizeBytes,
  depth: DEFAULT_LIMITS.depth,
  aliases: DEFAULT_LIMITS.aliases,
  tokens: DEFAULT_LIMITS.tokens,
  documents: DEFAULT_LIMITS.documents,
  parse_ms: DEFAULT_LIMITS.parseMs,
  step_ms: DEFAULT_LIMITS.stepMs,
  call_ms: DEFAULT_LIMITS.callMs,
  reply_chars: DEFAULT_LIMITS.replyChars,
  list_entries: DEFAULT_LIMITS.listEntries,
  matches: DEFAULT_LIMITS.matches,
};

let first: TempRoot;
let second: TempRoot;
beforeAll(() => {
  first = tempRoot({ 'a.yaml': 'a: 1\n' });
  second = tempRoot({ 'a.yaml': 'a: 1\n' });
});
afterAll(() => {
  first.remove();
  second.remove();
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
      ...{ roots: ['(the root)'], read_only: false, verify: 'fast', allow: [...DEFAULT_ALLOW] },
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

test.each(ROWS)('agrees with $why', async ({ flags = [], env = {}, says, limits = {}, denies = [] }) => {
  const server = await ownToolServer({ root: first.dir, flags, env });
  const { data, text } = await server.ok('list_capabilities');
  const capabilities = Capabilities.parse(data);
  expect(capabilities).toMatchObject(says);
  expect(capabilities.limits).toEqual({ ...DEFAULTS, ...limits });
  expect(capabilities.deny).toEqual([...BUILT_IN_DENYLIST, ...denies]);
  const formats = FORMAT_FILES.map(({ name, files }) => ({
    name,
    files: files.map((one) => (one === '*.json5' ? '*.json5 if it is valid JSONC' : one)),
  }));
  expect(capabilities.formats).toEqual(formats);
  for (const { name, files } of formats) expect(text).toContain(`${name} (${files.join(', ')})`);
  if (process.platform === 'linux' && existsSync('/proc/self/fd'))
    expect(capabilities.containment).toBe('fd-walk');
  // Of the command it is 'worker': see test/packed.system.test.ts.
  expect(capabilities.isolation).toBe('none');
  for (const [name, value] of Object.entries(capabilities.limits))
    expect(text).toContain(`${name}: ${value}`);
  expect(text).toContain(capabilities.read_only ? 'Writing: no (read-only mode)' : 'Writing: yes');
  for (const pattern of [...capabilities.allow, ...capabilities.deny]) expect(text).toContain(pattern);
  expect(JSON.stringify([data, text])).not.toContain(first.dir);
});

it('names several roots, and not where they lie', async () => {
  const flags = ['--root', `one=${first.dir}`, '--root', `two=${second.dir}`];
  const server = await ownToolServer({ flags });
  const { data, text } = await server.ok('list_capabilities');
  expect(Capabilities.parse(data).roots).toEqual(['@one', '@two']);
  expect(text).toContain('Roots: @one, @two');
  for (const { dir } of [first, second]) expect(JSON.stringify([data, text])).not.toContain(dir);
});

describe('started without a flag, it', () => {
  const server = toolServer({ root: first.dir });

  it('says how strong the containment is, where, and whether it runs as root [SRV-12]', async () => {
    const isRoot = process.geteuid?.() === 0;
    const { data, text } = await server.ok('list_capabilities');
    const { containment, containment_strength, platform, running_as_root } = Capabilities.parse(data);
    expect(containment_strength.includes('not free of races')).toBe(containment === 'checked');
    expect(platform).toBe(process.platform);
    expect(running_as_root).toBe(isRoot);
    expect(text).toContain(`Containment strength: ${containment_strength} (${platform}, `);
    expect(text).toContain(isRoot ? ', running as root' : ', not running as root');
  });
});

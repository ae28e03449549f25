// What becomes of a change that died, told by what somebody did to its files in between; what the audit trail says of it;
// and what keeps it open.
import fs, { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createLog } from '../../../src/security/audit/log.ts';
import { verifyTrail } from '../../../src/security/audit/verify.ts';
import { fileWriteOf } from '../../../src/security/edits/verified-edit.ts';
import type { Policy } from '../../../src/security/policy/policy.ts';
import { openSandbox } from '../../../src/security/sandbox/open-sandbox.ts';
import { backendOf } from '../../../src/security/state/backend.ts';
import { openState } from '../../../src/security/state/state.ts';
import { recoverRoots } from '../../../src/security/writer/commit.ts';
import { directWrite } from '../../harness/change-draft.mjs';
import { trailOf } from '../../harness/state.ts';
import { codeOfLater, fingerprint, type Place, rewritten } from '../fixture.ts';
import { changesIn, died, type Ground, own, ownNamed } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const FILES = ['d/a.yaml', 'd/b.yaml'];

const write = (here: Ground, file: string, text: string) => writeFileSync(join(here.root, file), text);
const textsOf = (here: Ground) =>
  here.files.map((file) => readFileSync(join(here.root, file), 'utf8').trim());
const recordedOf = (here: Place) =>
  trailOf(join(here.base, 'state')).flatMap(({ type, settled }) => (settled === true ? [type] : []));
const noticesOf = (here: Place) =>
  here
    .logged()
    .flatMap(({ event, ...is }) =>
      event === 'recovered' || event === 'recovery_waiting'
        ? [[is['level'], event, is['state'] ?? is['code'] ?? is['reason'], is['file']].join(' ')]
        : [],
    );

/** As a server that starts with another policy. */
async function startedWith(here: Ground, changes: Partial<Policy>): Promise<void> {
  const sandbox = openSandbox(here.policy(changes), (await here.state()).log);
  await recoverRoots(sandbox, await here.state());
  sandbox.close();
}

const FINISHED = { log: ['warn recovered finished d/a.yaml'], records: ['applied'] };
const UNDONE = { log: ['warn recovered undone d/a.yaml'], records: ['rolled_back'] };
const CONFLICT = { log: ['error recovered conflict d/a.yaml'], records: ['unknown'] };
const NEW = ['new: d/a.yaml', 'new: d/b.yaml'];

interface Story {
  readonly why: string;
  readonly when: Parameters<typeof died>[0];
  readonly act?: (here: Ground) => void;
  readonly log: readonly string[];
  readonly records: readonly string[];
  readonly texts: readonly string[];
}

const STORIES: readonly Story[] = [
  { why: 'its record was made', when: 'before its record', log: [], records: [], texts: ['old', 'old'] },
  { why: 'its first file was replaced', when: 'before its first file', ...UNDONE, texts: ['old', 'old'] },
  { why: 'its second file was replaced', when: 'between its files', ...UNDONE, texts: ['old', 'old'] },
  { why: 'it could say how it ended', when: 'after its last file', ...FINISHED, texts: NEW },
  {
    why: 'its first file was replaced, and somebody edited that',
    when: 'before its first file',
    act: (here) => write(here, 'd/a.yaml', 'mine\n'),
    ...{ ...CONFLICT, texts: ['mine', 'old'] },
  },
  {
    why: 'its second file was replaced, and somebody edited that',
    when: 'between its files',
    act: (here) => write(here, 'd/b.yaml', 'mine\n'),
    ...{ ...CONFLICT, texts: ['new: d/a.yaml', 'mine'] },
  },
  {
    why: 'its second file was replaced, and somebody edited the first on top of it',
    when: 'between its files',
    act: (here) => write(here, 'd/a.yaml', 'mine\n'),
    ...{ ...CONFLICT, texts: ['mine', 'old'] },
  },
  {
    why: 'its second file was replaced, and somebody put that in its place',
    when: 'between its files',
    act: (here) => write(here, 'd/b.yaml', 'new: d/b.yaml\n'),
    ...{ ...FINISHED, texts: NEW },
  },
  {
    why: 'its second file was replaced, and somebody deleted the lock',
    when: 'between its files',
    act: (here) => {
      rmSync(ownNamed(here, '.lock'));
    },
    ...{ ...UNDONE, texts: ['old', 'old'] },
  },
];

// AUDI-008: the trail has the beginning of each, and is told the end by what stands in the files.
describe('a batch that died', () => {
  it.each(STORIES)('before $why is what it can be, and the trail says so [WRT-6]', async (story) => {
    const here = await died(story.when, FILES);
    story.act?.(here);
    await here.start();
    const found = [noticesOf(here), recordedOf(here), textsOf(here)];
    expect(found).toEqual([story.log, story.records, story.texts]);
    expect(own(here)).toEqual([]);
    const ends = { applied: ['applied'], unknown: ['unknown'], rolled_back: [], '': [] } as const;
    expect(await changesIn(here)).toEqual(Reflect.get(ends, story.records[0] ?? ''));
    const after = fingerprint(here.root);
    await here.start();
    expect([fingerprint(here.root), recordedOf(here)]).toEqual([after, story.records]);
    expect((await verifyTrail((await here.state()).store)).isWhole).toBe(true);
  });

  it.each(FILES)('is settled by its own server that wants to write %s', async (file) => {
    const here = await died('between its files', FILES);
    const sandbox = here.open();
    // Read before it was settled: the first file is new then.
    const stale = rewritten(sandbox, file, 'mine\n');
    const first = await codeOfLater(() => here.commit(sandbox, [stale]));
    expect(first).toBe(file === 'd/a.yaml' ? 'FILE_CHANGED' : 'no error');
    if (first !== 'no error') await here.commit(sandbox, [rewritten(sandbox, file, 'mine\n')]);
    expect(textsOf(here)).toEqual(FILES.map((one) => (one === file ? 'mine' : 'old')));
    expect(own(here)).toEqual([]);
  });

  it('is nothing to a server with another state, which then owns what it writes', async () => {
    const here = await died('between its files', FILES);
    const log = createLog({ level: 'info', format: 'json', file: join(here.base, 'other.jsonl') });
    const other = await openState({ location: { directory: join(here.base, 'other') } }, here.policy(), log);
    const sandbox = here.open();
    await recoverRoots(sandbox, other);
    const edits = [rewritten(sandbox, 'd/b.yaml', 'mine\n')];
    await backendOf(other, sandbox).write(directWrite(edits, fileWriteOf));
    await here.start();
    // Its own server finds what it did not write, and leaves all of it as it is.
    expect([textsOf(here), recordedOf(here)]).toEqual([['new: d/a.yaml', 'mine'], ['unknown']]);
    other.dir?.close();
  });
});

function refusing(
  call: 'renameSync' | 'readSync',
  code: string,
  isMeant: (...args: readonly unknown[]) => boolean,
): void {
  const real = fs[call];
  vi.spyOn(fs, call).mockImplementation((...args: unknown[]) => {
    if (isMeant(...args)) throw Object.assign(new Error(code), { code, errno: -1 });
    return Reflect.apply(real, fs, args);
  });
}

const KEEPERS: readonly {
  why: string;
  with?: Partial<Policy>;
  during?: () => void;
  says: readonly string[];
}[] = [
  {
    why: 'the policy no longer lets one of its files through',
    with: { deny: ['d/b.yaml'] },
    says: ['error recovery_waiting PATH_DENIED d/a.yaml'],
  },
  {
    why: 'the system does not let it be renamed',
    during: () => refusing('renameSync', 'EACCES', (_from, to) => String(to).endsWith('/a.yaml')),
    says: ['error recovery_waiting PERMISSION_DENIED d/a.yaml'],
  },
  {
    why: 'one of its files cannot be read',
    during: () =>
      refusing('readSync', 'EIO', (fd) => fs.readlinkSync(`/proc/self/fd/${fd}`).endsWith('/d/b.yaml')),
    says: ['error recovery_waiting IO_ERROR d/a.yaml'],
  },
];

it.each(KEEPERS)('a change stays open where $why, until that is over', async (row) => {
  const here = await died('between its files', FILES);
  row.during?.();
  await startedWith(here, row.with ?? {});
  vi.restoreAllMocks();
  expect([noticesOf(here), recordedOf(here), await changesIn(here)]).toEqual([row.says, [], ['open']]);
  await here.start();
  expect([recordedOf(here), textsOf(here)]).toEqual([['rolled_back'], ['old', 'old']]);
});

it('loses its temporary files, and no file that only looks like one [WRT-10]', async () => {
  const here = await died('before its first file', FILES);
  expect(own(here).filter((name) => name.endsWith('.new'))).toHaveLength(FILES.length);
  const alike = ['new', 'old'].map((use) => `d/.config-airlock-${'0'.repeat(24)}.${use}`);
  for (const file of alike) write(here, file, 'mine\n');
  await here.start();
  expect(alike.map((file) => existsSync(join(here.root, file)))).toEqual([true, true]);
  expect(own(here)).toHaveLength(alike.length);
});

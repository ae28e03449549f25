// In which order previews and changes are shown and dropped, what of them is asked of the disk, and what is refused.
import { utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { approvedByReviewer, startExpiryTimer, tidy } from '../../../src/security/index.ts';
import { codeOf, place, refusalOf } from '../fixture.ts';
import { changing, DRAFT } from './changing.ts';
import { draft, fileOf, idOf, look, opened } from './ground.ts';

afterEach(() => vi.restoreAllMocks());

const proposed = (preview: string) => [
  { action: 'propose', outcome: 'kept', file: 'a.yaml', preview } as const,
];
const AGENTS = { approval: 'preview' } as const;

describe('previews', () => {
  it('are shown oldest first, whatever their names', () => {
    const { previews, dir } = opened();
    const store = previews();
    const ids = Array.from({ length: 6 }, () => idOf(store, AGENTS));
    for (const [index, id] of ids.entries())
      utimesSync(join(dir, 'previews', `${id}.json`), 1_000 + index, 1_000 + index);
    expect(store.waiting()).toEqual(ids);
  });

  it('are not listed for each that is saved, unless another process has saved one', () => {
    const { previews, state } = opened();
    const [store, other] = [previews(), previews()];
    const save = (by = store) => by.save(draft(AGENTS), proposed);
    save();
    const listed = vi.spyOn(state.previews, 'names');
    save();
    save();
    expect(listed).not.toHaveBeenCalled();
    save(other);
    listed.mockClear();
    save();
    expect(listed).toHaveBeenCalled();
  });

  it('take the room of their texts as well', () => {
    const { previews } = opened();
    const store = previews({ previews: 9, previewBytes: 1e6, totalBytes: 120_000 });
    const long = (letter: string) =>
      draft({ files: [{ ...fileOf(`a: 1 # ${letter.repeat(50_000)}\n`), diff: '' }] });
    expect(['x', 'x', 'y', 'z'].map((letter) => codeOf(() => store.save(long(letter))))).toEqual([
      'no error',
      'no error',
      'no error',
      'APPROVAL_UNAVAILABLE',
    ]);
  });

  it('go with what has expired, though the disk keeps their texts', () => {
    const { previews, pass, state } = opened();
    const store = previews();
    idOf(store, AGENTS);
    pass(16);
    const kept = vi.spyOn(state.texts, 'remove').mockImplementation(() => {
      throw new Error('EIO');
    });
    store.tidy();
    expect([kept.mock.calls.length, state.previews.names()]).toEqual([1, []]);
  });

  it('of other roots are none, before anything in them is looked at', () => {
    const { previews, here } = opened();
    const id = idOf(previews(undefined, '1'.repeat(64)));
    const show = vi.fn(look);
    expect(codeOf(() => previews().load(id, show))).toBe('PREVIEW_NOT_FOUND');
    expect([show.mock.calls, here.logged()]).toEqual([[], []]);
  });

  it('that a reviewer approved are refused once that reviewer takes it back, with the note', () => {
    const { previews, decide, decisions } = opened();
    const store = previews();
    const preview = store.load(idOf(store), look);
    decide({ preview: preview.id, decision: 'approve' });
    const approved = approvedByReviewer(preview, decisions);
    store.requireStillApproved(approved);
    decide({ preview: preview.id, decision: 'reject', note: 'not today' });
    const refusal = refusalOf(() => store.requireStillApproved(approved));
    expect([refusal?.code, refusal?.message]).toEqual([
      'APPROVAL_DECLINED',
      'Cannot apply this preview: ann has rejected it: not today',
    ]);
  });
});

describe('changes', () => {
  it('are shown newest first, whatever their names', () => {
    const { changes, put, aged, begun } = changing();
    const open = begun();
    const ids = Array.from({ length: 6 }, () => put());
    for (const [index, id] of ids.entries()) aged(`${id}.json`, 1_000 - index);
    aged(`${open}.open`, 2_000);
    expect(changes.ids()).toEqual([open, ...ids]);
  });

  it('are kept as long as they can be read back', () => {
    const { changes, names } = changing();
    const size = vi.spyOn(Buffer, 'byteLength');
    const keep = (bytes: number) => {
      const record = changes.draft(DRAFT);
      size.mockReturnValueOnce(bytes);
      return refusalOf(() => changes.keep(record));
    };
    expect(keep(256_000_000)).toBeUndefined();
    const refusal = keep(256_000_001);
    expect([refusal?.code, refusal?.clues.limit]).toEqual([
      'FILE_TOO_LARGE',
      { name: 'change_size', allowed: 256_000_000, actual: 256_000_001, unit: 'bytes' },
    ]);
    expect(names()).toHaveLength(1);
  });

  it.each([
    { why: 'has no record at all', more: {}, first: [], code: 'IO_ERROR' },
    { why: 'lacks one without a preview', more: {}, first: ['x'], code: 'no error' },
    { why: 'lacks one of a preview', more: { preview: 'A'.repeat(43) }, first: ['x'], code: 'IO_ERROR' },
  ])('are not begun where the trail $why', ({ more, first, code }) => {
    const { changes, put, record } = changing();
    for (const id of first) record(id);
    put(undefined, undefined, more);
    expect(codeOf(() => changes.requireAccounted())).toBe(code);
  });
});

it('a server drops what has expired every five minutes, whatever the disk says', () => {
  const here = place();
  const state = here.state();
  const timer = vi.spyOn(globalThis, 'setInterval');
  startExpiryTimer(state);
  const [act, ms] = timer.mock.calls[0] ?? [];
  clearInterval(timer.mock.results[0]?.value);
  expect(ms).toBe(300_000);
  const [previews, changes] = [vi.spyOn(state.previews, 'tidy'), vi.spyOn(state.changes, 'tidy')];
  act?.();
  tidy(state);
  expect([previews.mock.calls.length, changes.mock.calls.length]).toEqual([2, 2]);
  previews.mockImplementation(() => {
    throw new Error('EIO');
  });
  act?.();
});

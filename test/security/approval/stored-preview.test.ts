// A preview that was loaded, and one that was claimed: genuine, true to itself, and good for exactly its own edits.
import { describe, expect, it } from 'vitest';
import { describesEdits } from '../../../src/security/approval/describes-edits.ts';
import { repeatedCallOf } from '../../../src/security/approval/stored-preview.ts';
import { type PreviewDraft, StoredPreview, sha256Hex, VerifiedEdit } from '../../../src/security/index.ts';
import { codeOfLater } from '../fixture.ts';
import { AT, BASE, draft, idOf, look, opened } from './ground.ts';

const AGENTS = { approval: 'preview' } as const;
const [FILE] = draft().files;
const NO_PREVIEWS: readonly unknown[] = [undefined, null, 'preview', 7, {}];

async function loaded(changes: Partial<PreviewDraft> = {}) {
  const at = opened();
  const store = at.previews();
  const preview = await store.load(await idOf(store, { ...AGENTS, ...changes }));
  return { ...at, store, preview };
}

describe('a loaded preview', () => {
  it('is genuine, and nothing else is', async () => {
    const { preview } = await loaded();
    expect(StoredPreview.isGenuine(preview)).toBe(true);
    for (const other of [...NO_PREVIEWS, Object.create(StoredPreview.prototype), () => preview])
      expect(StoredPreview.isGenuine(other)).toBe(false);
    expect(Object.isFrozen(preview)).toBe(true);
    expect(() =>
      Reflect.construct(StoredPreview, [Symbol('StoredPreview'), preview.id, preview.record, preview.status]),
    ).toThrow('a StoredPreview is made by loading a preview only');
  });

  it('is good until the very moment at which it expires, and not before it was made', async () => {
    const { preview } = await loaded();
    const isExpired = (time: string) => preview.isExpired(new Date(time));
    expect(isExpired(AT)).toBe(false);
    expect(isExpired('2026-11-21T11:59:59.999Z')).toBe(true);
    expect(isExpired('2026-11-21T12:14:59.999Z')).toBe(false);
    expect(isExpired('2026-11-21T12:15:00.000Z')).toBe(true);
  });

  it('names the call that previews it anew, which asks for a preview whatever was asked before', async () => {
    const { preview } = await loaded();
    const again = { tool: 'config_set', arguments: { file: 'a.yaml', path: 'a', json: 2, dry_run: true } };
    expect(preview.repeatedCall).toEqual(again);
    expect(repeatedCallOf({ tool: 'x', request: { dry_run: false } }).arguments).toEqual({ dry_run: true });
  });
});

describe('a stored preview that is not true to itself is none', () => {
  const file = (changes: object) => ({ files: [{ ...draft().files[0], ...changes }] });
  const whole = FILE ?? draft().files[0];
  const cases: readonly { why: string; files: readonly unknown[] }[] = [
    { why: 'another hash of the base', ...file({ base_sha256: sha256Hex('other') }) },
    { why: 'another hash of the result', ...file({ result_sha256: sha256Hex('other') }) },
    {
      why: 'edits that overlap',
      ...file({
        edits: [
          { start: 0, end: 3, insert: '' },
          { start: 2, end: 4, insert: '' },
        ],
      }),
    },
    { why: 'edits behind the end', ...file({ edits: [{ start: 3, end: 400, insert: '2' }] }) },
    { why: 'a second file that is not', files: [whole, { ...whole, result_sha256: sha256Hex('other') }] },
    { why: 'a first file that is not', files: [{ ...whole, result_sha256: sha256Hex('other') }, whole] },
  ];
  it.each(cases)('$why', async ({ files }) => {
    const { previews } = opened();
    const id = await Reflect.apply(idOf, undefined, [previews(), { ...AGENTS, files }]);
    expect(await codeOfLater(() => previews().load(id))).toBe('PREVIEW_NOT_FOUND');
  });
});

describe('what was shown', () => {
  it('is about its own edits: the same file, base, span and result, in the same order', async () => {
    const { here, previews } = opened();
    here.write('root/a.yaml', BASE);
    here.write('root/b.yaml', BASE);
    here.write('root/c.yaml', 'a: 1\n# c\n');
    const sandbox = here.open();
    const edit = (name: string, start = 3, end = 4, insert = '2') =>
      VerifiedEdit.prove(sandbox.open(sandbox.parse(name)).read(), [{ start, end, insert }], () => []);
    const files = ['a.yaml', 'b.yaml'].flatMap((name) =>
      draft().files.map((kept) => ({ ...kept, file: name, ...look(name, BASE, 'a: 2\n') })),
    );
    const preview = await previews().load(await idOf(previews(), { ...AGENTS, files }));
    const covers = (edits: readonly VerifiedEdit[]) => describesEdits(preview.record.files, edits);
    const [a, b] = [edit('a.yaml'), edit('b.yaml')];
    expect(covers([a, b])).toBe(true);
    const others = {
      'another order': [b, a],
      'one of them': [a],
      'one more': [a, b, b],
      'another file': [a, edit('c.yaml')],
      'the same file twice': [a, a],
      'another result': [a, edit('b.yaml', 3, 4, '3')],
      'another span with the same result': [a, edit('b.yaml', 2, 4, ' 2')],
    };
    for (const [why, edits] of Object.entries(others)) expect([why, covers(edits)]).toEqual([why, false]);
    here.write('root/b.yaml', 'a: 7\n');
    expect(covers([a, edit('b.yaml')])).toBe(false);
  });
});

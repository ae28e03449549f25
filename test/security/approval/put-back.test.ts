// What was rejected or used stays so, also where the preview itself is taken away: the trail alone says what became of it.
import { describe, expect, it } from 'vitest';
import { codeOfLater } from '../fixture.ts';
import { CHANGE_ID, draft, idOf } from './ground.ts';
import { reviewing } from './reviewing.ts';

describe('a preview that is taken away [APR-5]', () => {
  it.each([
    { why: 'used with a signature', by: 'human', minutes: 6 * 24 * 60, code: 'PREVIEW_USED' },
    { why: 'used', by: 'preview', minutes: 10, code: 'PREVIEW_USED' },
    { why: 'used, and is too old', by: 'preview', minutes: 16, code: 'PREVIEW_USED' },
  ] as const)('was $why, and is so still', async ({ by, minutes, code }) => {
    const { store, previews, append, pass } = reviewing();
    const id = await idOf(previews(), { approval: by });
    const change = { action: 'commit', preview: id, change_id: CHANGE_ID, confirmed_by: by } as const;
    await append({ ...change, outcome: 'intent' });
    await append({ ...change, outcome: 'applied' });
    await store.dropPreview(id);
    expect(await codeOfLater(() => previews().load(id))).toBe(code);
    pass(minutes);
    expect(await codeOfLater(() => previews().load(id))).toBe(code);
  });

  it('was rejected, and is so still', async () => {
    const { store, decisions, previews, say, pass } = reviewing();
    const id = await idOf(previews());
    await say('reject', id);
    await store.dropPreview(id);
    expect(await codeOfLater(() => previews().load(id))).toBe('APPROVAL_DECLINED');
    pass(6 * 24 * 60);
    expect((await decisions.status(id, draft())).state).toBe('rejected');
  });
});

// Ids belong to the principal that a transport has verified: for everybody else they answer as ids that do not exist.
import { afterAll, describe, expect, it } from 'vitest';
import { inlineAirlock } from '../harness/inline-airlock.ts';

const server = await inlineAirlock({ 'a.yaml': 'a: 1\n', 'b.yaml': 'b: 1\n' });
afterAll(() => server.close());

type By = Parameters<typeof server.call>[2];
const [ann, bob] = [{ principal: 'ann' }, { principal: 'bob' }];

let value = 1;
async function preview(by: By, reason = 'by the first'): Promise<string> {
  value += 1;
  const outcome = await server.call('config_set', { file: 'a.yaml', path: 'a', json: value, reason }, by);
  return 'data' in outcome ? String(outcome.data['preview_id']) : '';
}

async function change(by: By): Promise<string> {
  const outcome = await server.call('config_apply', { preview_id: await preview(by) }, by);
  return 'data' in outcome ? String(outcome.data['change_id']) : '';
}

async function answer(tool: string, args: Readonly<Record<string, unknown>>, by: By): Promise<string> {
  const outcome = await server.call(tool, args, by);
  return 'text' in outcome ? outcome.text : '';
}

const NONE = { pv: 'pv_0000000000', ch: 'ch_0000000000' };
const before = (id: string) => ({
  a: { file: 'a.yaml', before_change: id },
  b: { file: 'a.yaml' },
});

const LOOK_UPS = [
  { tool: 'config_apply', kind: 'pv', args: (id: string) => ({ preview_id: id }) },
  { tool: 'config_history', kind: 'pv', args: (id: string) => ({ preview_id: id }) },
  { tool: 'config_history', kind: 'ch', args: (id: string) => ({ change_id: id }) },
  { tool: 'config_revert', kind: 'ch', args: (id: string) => ({ change_id: id }) },
  { tool: 'config_diff', kind: 'ch', args: before },
] as const;

const OTHERS: readonly { readonly who: string; readonly owner: By; readonly other: By }[] = [
  { who: 'another principal', owner: ann, other: bob },
  { who: 'a client without a verified principal', owner: ann, other: undefined },
  { who: 'a principal, where nobody was verified', owner: undefined, other: ann },
];

describe('an id of a preview or a change', () => {
  it.each(OTHERS.flatMap((others) => LOOK_UPS.map((one) => ({ ...one, ...others }))))(
    'does not exist for $who: $tool $kind [APR-14]',
    async ({ tool, kind, args, owner, other }) => {
      const id = await (kind === 'pv' ? preview : change)(owner);
      const said = await answer(tool, args(id), other);
      expect(said).toMatch(/^(?:PREVIEW|CHANGE)_NOT_FOUND/u);
      expect(said).toBe(await answer(tool, args(NONE[kind]), other));
      expect(await answer(tool, args(id), owner)).not.toContain('_NOT_FOUND');
    },
  );

  it('does not exist for others once its preview was applied either [APR-14]', async () => {
    const id = await preview(ann);
    await server.call('config_apply', { preview_id: id }, ann);
    const asked = { preview_id: id };
    expect(await answer('config_apply', asked, ann)).toMatch(/^PREVIEW_USED/u);
    expect(await answer('config_apply', asked, bob)).toMatch(/^PREVIEW_NOT_FOUND/u);
    expect(await answer('config_history', asked, bob)).toMatch(/^PREVIEW_NOT_FOUND/u);
  });
});

describe('the history', () => {
  it('names who changed a file, but neither ids nor reasons of others [APR-14]', async () => {
    const id = await change(ann);
    const waiting = await preview(ann, 'a reason of ann');
    const [own, others] = [
      await answer('config_history', { file: 'a.yaml' }, ann),
      await answer('config_history', { file: 'a.yaml' }, bob),
    ];
    for (const part of [id, waiting, 'a reason of ann']) {
      expect(own).toContain(part);
      expect(others).not.toContain(part);
    }
    expect(others).toContain('applied by ann');
    expect(others).not.toContain('by the first');
  });
});

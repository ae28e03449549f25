// An approval counts as it was signed, at the place of the trail that it was signed for, and as the last word of its reviewer: what
// somebody writes into the state instead applies nothing, and takes back what was approved before.
import { expect, it } from 'vitest';
import type { StatedChange } from '../../../src/security/approval/statement.ts';
import { canonicalJson } from '../../../src/state/canonical.ts';
import type { Event, TrailPoint } from '../../../src/state/event.ts';
import {
  FILES,
  humanFlags,
  stage as ownStage,
  person,
  preview,
  SET,
  SET_TEXT,
  sharedStage,
  statedIn,
} from '../../harness/previews.ts';
import { runCommand } from '../../harness/run-command.ts';
import { eventNow, record, trailOf } from '../../harness/state.ts';

const [ann, bob] = [person('ann'), person('bob')];
const stage = sharedStage((at) => humanFlags(at, [ann, bob]));

interface Forging {
  readonly id: string;
  readonly other: string;
  readonly trail: TrailPoint;
  /** What an honest reviewer signs. */
  readonly change: StatedChange;
}

interface Row {
  readonly why: string;
  readonly signed: (by: Forging) => unknown;
  /** What the event calls it. */
  readonly type?: 'approved' | 'rejected';
}

const nowhere = 'a'.repeat(64);

/** What a dishonest reviewer may say about the preview that they approve. */
const DIFFERENT: readonly { why: string; other: Partial<StatedChange> }[] = [
  { why: 'other files', other: { files: [{ file: 'b.yaml', after_sha256: nowhere }] } },
  { why: 'no files', other: { files: [] } },
  { why: 'another caller', other: { caller: { name: 'somebody else', version: '1' } } },
  { why: 'another proposer', other: { proposers: ['bob'] } },
  { why: 'another time', other: { requested_at: '2026-11-21T12:00:00.000Z' } },
];

const ROWS: readonly Row[] = [
  {
    why: 'another place',
    signed: ({ id, change }) => ann.sign({ preview: id }, { seq: 7, sha256: nowhere }, change),
  },
  {
    why: 'another record at this place',
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, { ...trail, sha256: nowhere }, change),
  },
  {
    why: 'this record at another place',
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, { ...trail, seq: trail.seq - 1 }, change),
  },
  {
    why: 'ann, with the key of bob',
    signed: ({ id, trail, change }) => bob.sign({ preview: id, reviewer: 'ann' }, trail, change),
  },
  {
    why: 'ann, with the key of nobody',
    signed: ({ id, trail, change }) => person('ann').sign({ preview: id }, trail, change),
  },
  {
    why: 'another preview',
    signed: ({ other, trail, change }) => ann.sign({ preview: other }, trail, change),
  },
  { why: 'bob', signed: ({ id, trail, change }) => bob.sign({ preview: id }, trail, change) },
  {
    why: 'no, recorded as a yes',
    signed: ({ id, trail, change }) => ann.sign({ preview: id, decision: 'reject' }, trail, change),
  },
  {
    why: 'no, of which a word was changed',
    signed: ({ id, trail, change }) => {
      const no = ann.sign({ preview: id, decision: 'reject' }, trail, change);
      const text = Buffer.from(no.payload, 'base64').toString().replace('"reject"', '"approve"');
      return { ...no, payload: Buffer.from(text).toString('base64') };
    },
  },
  { why: 'text', signed: () => 'yes' },
  { why: 'nothing', signed: () => null },
  ...DIFFERENT.map(({ why, other }) => ({
    why,
    signed: ({ id, trail, change }: Forging) => ann.sign({ preview: id }, trail, { ...change, ...other }),
  })),
];

it.each(ROWS)(
  'a decision that was signed for $why is none, and what was approved before counts no more (WORK-015) [APR-5]',
  async ({ signed, type = 'approved' }) => {
    const { at, server } = await stage();
    const [id, other] = [await preview(server), await preview(server, { ...SET, json: 8 })];
    for (const reviewer of [bob, ann]) await reviewer.decide(at, id, 'approve');
    await forge(at.state, { id, other }, signed, type);
    expect((await server.refused('config_apply', { preview_id: id })).code).toBe('APPROVAL_REQUIRED');
    expect(at.disk('a.yaml')).toBe(FILES['a.yaml']);
    expect(server.log()).toContain('"event":"decision_not_genuine"');
    await ann.decide(at, id, 'approve');
    await server.ok('config_apply', { preview_id: id });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  },
);

it('a yes of ann that somebody records again after a later one is none [APR-5]', async () => {
  const { at, server } = await stage();
  const [id, other] = [await preview(server), await preview(server, { ...SET, json: 8 })];
  await ann.decide(at, id, 'approve');
  const older = trailOf(at.state).findLast(({ type }) => type === 'approved')?.signed;
  await ann.decide(at, id, 'approve');
  await forge(at.state, { id, other }, () => older);
  expect((await server.refused('config_apply', { preview_id: id })).code).toBe('APPROVAL_REQUIRED');
});

it('a yes to the whole that somebody records again after its reviewer has kept a part is none [APR-5]', async () => {
  const { at, server } = await stage();
  const [id, part] = [await preview(server), await preview(server, { ...SET, json: 8 })];
  await ann.decide(at, id, 'approve');
  const older = trailOf(at.state).findLast(({ type }) => type === 'approved')?.signed;
  await record(at.state, () => eventNow({ type: 'split', about: id, by: part, reviewer: 'ann' }));
  await forge(at.state, { id, other: part }, () => older);
  expect((await server.refused('config_apply', { preview_id: id })).message).toContain('approved in part');
  await ann.decide(at, id, 'approve');
  await server.ok('config_apply', { preview_id: id });
});

it('the last signed no says why', async () => {
  const { at, server } = await stage();
  const id = await preview(server);
  for (const note of ['too late', 'not on a Friday']) await ann.decide(at, id, 'reject', { note });
  await forge(at.state, { id, other: id }, () => undefined, 'rejected');
  expect((await server.refused('config_apply', { preview_id: id })).message).toContain('not on a Friday');
});

it('nor is one without a signature, and a no is one whoever signed it [APR-5]', async () => {
  const { at, server } = await stage();
  const id = await preview(server);
  await forge(at.state, { id, other: id }, () => undefined);
  expect((await server.refused('config_apply', { preview_id: id })).code).toBe('APPROVAL_REQUIRED');
  await ann.decide(at, id, 'approve');
  await forge(at.state, { id, other: id }, () => undefined, 'rejected');
  expect((await server.refused('config_apply', { preview_id: id })).code).toBe('APPROVAL_DECLINED');
});

/** Records a decision in ann's name, as anybody can who can write the state directory. */
async function forge(
  state: string,
  { id, other }: Pick<Forging, 'id' | 'other'>,
  signed: Row['signed'],
  type: NonNullable<Row['type']> = 'approved',
): Promise<void> {
  const change = await statedIn(state, id);
  const files = trailOf(state).find(({ about }) => about === id)?.files ?? [];
  await record(state, (trail) => {
    const made = signed({ id, other, trail, change });
    const event = eventNow({ type, about: id, reviewer: 'ann', files });
    return Object.assign(event, made === undefined ? {} : { signed: JSON.parse(canonicalJson(made)) });
  });
}

it.each<{
  why: string;
  signed: Row['signed'];
  reviewer?: string;
  isWhole?: boolean;
  confirmed_by?: Event['confirmed_by'];
  isSplit?: boolean;
}>([
  { why: 'ann', isWhole: true, signed: ({ id, trail, change }) => ann.sign({ preview: id }, trail, change) },
  { why: 'nobody', signed: () => undefined },
  {
    why: 'ann, of another preview',
    signed: ({ other, trail, change }) => ann.sign({ preview: other }, trail, change),
  },
  {
    why: 'ann, as a no',
    signed: ({ id, trail, change }) => ann.sign({ preview: id, decision: 'reject' }, trail, change),
  },
  {
    why: 'bob, in the name of ann',
    signed: ({ id, trail, change }) => bob.sign({ preview: id }, trail, change),
  },
  {
    why: 'ann, of other files',
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, trail, { ...change, files: [] }),
  },
  {
    why: 'ann, in another trail',
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, { ...trail, sha256: nowhere }, change),
  },
  {
    why: 'ann, at a later place of the trail',
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, { ...trail, seq: 99 }, change),
  },
  {
    why: 'nobody, by a preview alone',
    confirmed_by: 'preview',
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, trail, change),
  },
  {
    why: 'ann, before she kept a part',
    isSplit: true,
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, trail, change),
  },
  {
    why: 'ann alone, of two',
    reviewer: 'ann, bob',
    signed: ({ id, trail, change }) => ann.sign({ preview: id }, trail, change),
  },
])(
  'audit verify tells of a write with the signature of $why [APR-5]',
  async ({ signed, reviewer = 'ann', isWhole = false, confirmed_by = 'human', isSplit = false }) => {
    const at = ownStage();
    const flags = humanFlags(at, [ann, bob]);
    const server = await at.start(flags);
    const [id, other] = [await preview(server), await preview(server, { ...SET, json: 8 })];
    await server.close();
    await forge(at.state, { id, other }, signed);
    if (isSplit) await record(at.state, () => eventNow({ type: 'split', about: id, by: other }));
    const files = trailOf(at.state)[0]?.files ?? [];
    await record(at.state, () => eventNow({ type: 'begun', about: id, confirmed_by, reviewer, files }));
    const { status, stdout } = await runCommand([
      'audit',
      'verify',
      '--state-dir',
      at.state,
      ...flags.slice(2),
    ]);
    expect(status, stdout).toBe(isWhole ? 0 : 1);
    expect(stdout).toContain(isWhole ? 'intact' : 'applied without approval');
  },
);

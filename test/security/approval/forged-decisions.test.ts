// An approval counts as it was signed, at the place of the trail that it was signed for, and as the last word of its reviewer: what
// somebody writes into the state instead applies nothing, and takes back what was approved before.
import { expect, it } from 'vitest';
import { canonicalJson, type TrailPoint } from '../../../src/state/index.ts';
import { FILES, humanFlags, person, preview, SET, SET_TEXT, sharedStage } from '../../harness/previews.ts';
import { eventNow, record, trailOf } from '../../harness/state.ts';

const [ann, bob] = [person('ann'), person('bob')];
const stage = sharedStage((at) => humanFlags(at, [ann, bob]));

interface Forging {
  readonly id: string;
  readonly other: string;
  readonly trail: TrailPoint;
}

interface Row {
  readonly why: string;
  readonly signed: (by: Forging) => unknown;
  /** What the event calls it. */
  readonly type?: 'approved' | 'rejected';
}

const nowhere = 'a'.repeat(64);

const ROWS: readonly Row[] = [
  { why: 'another place', signed: ({ id }) => ann.sign({ preview: id }, { seq: 7, sha256: nowhere }) },
  {
    why: 'another record at this place',
    signed: ({ id, trail }) => ann.sign({ preview: id }, { ...trail, sha256: nowhere }),
  },
  {
    why: 'this record at another place',
    signed: ({ id, trail }) => ann.sign({ preview: id }, { ...trail, seq: trail.seq - 1 }),
  },
  {
    why: 'ann, with the key of bob',
    signed: ({ id, trail }) => bob.sign({ preview: id, reviewer: 'ann' }, trail),
  },
  {
    why: 'ann, with the key of nobody',
    signed: ({ id, trail }) => person('ann').sign({ preview: id }, trail),
  },
  { why: 'another preview', signed: ({ other, trail }) => ann.sign({ preview: other }, trail) },
  { why: 'bob', signed: ({ id, trail }) => bob.sign({ preview: id }, trail) },
  {
    why: 'no, recorded as a yes',
    signed: ({ id, trail }) => ann.sign({ preview: id, decision: 'reject' }, trail),
  },
  {
    why: 'no, of which a word was changed',
    signed: ({ id, trail }) => {
      const no = ann.sign({ preview: id, decision: 'reject' }, trail);
      const text = Buffer.from(no.payload, 'base64').toString().replace('"reject"', '"approve"');
      return { ...no, payload: Buffer.from(text).toString('base64') };
    },
  },
  { why: 'text', signed: () => 'yes' },
  { why: 'nothing', signed: () => null },
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
  { id, other }: Omit<Forging, 'trail'>,
  signed: Row['signed'],
  type: NonNullable<Row['type']> = 'approved',
): Promise<void> {
  await record(state, (trail) => {
    const made = signed({ id, other, trail });
    const event = eventNow({ type, about: id, reviewer: 'ann' });
    return Object.assign(event, made === undefined ? {} : { signed: JSON.parse(canonicalJson(made)) });
  });
}

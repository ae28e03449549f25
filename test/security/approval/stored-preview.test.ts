// A plan that was loaded, and one that was claimed: genuine, true to itself, and good for exactly its own edits.
import { describe, expect, it } from 'vitest';
import { claimedPlan } from '../../../src/security/approval/claimed-preview.ts';
import { askAgain } from '../../../src/security/approval/stored-preview.ts';
import {
  approvedByPreview,
  ClaimedPlan,
  type PlanDraft,
  StoredPlan,
  VerifiedEdit,
} from '../../../src/security/index.ts';
import { sha256Hex } from '../../../src/security/text/canonical-json.ts';
import { codeOf } from '../fixture.ts';
import { AT, BASE, CHANGE_ID, draft, idOf, look, opened } from '../store/ground.ts';

const AGENTS = { approval: 'preview' } as const;
const [FILE] = draft().files;

function loaded(changes: Partial<PlanDraft> = {}) {
  const at = opened();
  const store = at.plans();
  const plan = store.load(idOf(store, { ...AGENTS, ...changes }), look);
  return { ...at, store, plan };
}

describe('a loaded plan', () => {
  it('is genuine, and nothing else is', () => {
    const { plan } = loaded();
    expect(StoredPlan.isGenuine(plan)).toBe(true);
    for (const other of [undefined, null, 'plan', 7, {}, Object.create(StoredPlan.prototype), () => plan])
      expect(StoredPlan.isGenuine(other)).toBe(false);
    expect(Object.isFrozen(plan)).toBe(true);
    expect(() => Reflect.construct(StoredPlan, [Symbol('StoredPlan'), plan.id, plan.plan])).toThrow(
      'a StoredPlan is made by loading a preview only',
    );
  });

  it('is good until the very moment at which it expires, and not before it was made', () => {
    const { plan } = loaded();
    const isExpired = (time: string) => plan.isExpired(new Date(time));
    expect(isExpired(AT)).toBe(false);
    expect(isExpired('2026-11-21T11:59:59.999Z')).toBe(true);
    expect(isExpired('2026-11-21T12:14:59.999Z')).toBe(false);
    expect(isExpired('2026-11-21T12:15:00.000Z')).toBe(true);
  });

  it('names the call that previews it anew, which asks for a preview whatever was asked before', () => {
    const { plan } = loaded();
    const again = { tool: 'config_set', arguments: { file: 'a.yaml', path: 'a', json: 2, dry_run: true } };
    expect(plan.askAgain).toEqual(again);
    expect(askAgain({ tool: 'x', request: { dry_run: false } }).arguments).toEqual({ dry_run: true });
  });
});

describe('a stored plan that is not true to itself is none', () => {
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
    { why: 'other comments', ...file({ removed_comments: ['# gone'] }) },
    { why: 'other places that it affects', ...file({ also_affects: ['b'] }) },
    { why: 'a second file that is not', files: [whole, { ...whole, diff: 'harmless' }] },
    { why: 'a first file that is not', files: [{ ...whole, diff: 'harmless' }, whole] },
  ];
  it.each(cases)('$why', ({ files }) => {
    const { plans } = opened();
    const id = Reflect.apply(idOf, undefined, [plans(), { ...AGENTS, files }]);
    expect(codeOf(() => plans().load(id, look))).toBe('PREVIEW_NOT_FOUND');
  });

  it('what can no longer be read', () => {
    const { plans } = opened();
    const id = idOf(plans(), AGENTS);
    const unreadable = () => {
      throw new Error('no YAML');
    };
    expect(codeOf(() => plans().load(id, unreadable))).toBe('PREVIEW_NOT_FOUND');
  });

  it('but a change of comments, which no second look can find, is not held against it', () => {
    const { plans } = opened();
    const comment = { op: 'comment', doc: 0, path: 'a', line: 1 } as const;
    const files = draft().files.map((kept) => ({ ...kept, changes: [...kept.changes, comment] }));
    const id = idOf(plans(), { ...AGENTS, files });
    expect(plans().load(id, look).plan.files).toEqual(files);
  });
});

describe('a claimed plan', () => {
  function claimed() {
    const at = loaded();
    const approved = approvedByPreview(at.plan, 'preview');
    return { ...at, approved, claim: at.store.claim(approved, CHANGE_ID) };
  }

  it('is genuine, and nothing else is', () => {
    const { claim, approved } = claimed();
    expect(ClaimedPlan.isGenuine(claim)).toBe(true);
    for (const other of [undefined, null, 'plan', {}, Object.create(ClaimedPlan.prototype), () => claim])
      expect(ClaimedPlan.isGenuine(other)).toBe(false);
    expect([claim.approved, claim.changeId, Object.isFrozen(claim)]).toEqual([approved, CHANGE_ID, true]);
    expect(() =>
      Reflect.construct(ClaimedPlan, [Symbol('ClaimedPlan'), approved, CHANGE_ID, () => undefined]),
    ).toThrow('a ClaimedPlan is made by claiming a preview only');
    expect(() => Reflect.apply(claimedPlan, undefined, [{}, CHANGE_ID, () => undefined])).toThrow(
      'only a plan that was approved can be claimed',
    );
  });

  it('asks whether it still stands', () => {
    const { approved } = claimed();
    const asked: string[] = [];
    claimedPlan(approved, CHANGE_ID, () => asked.push('yes')).requireStanding();
    expect(asked).toEqual(['yes']);
  });

  it('covers its own edits: the same file, base, span and result, in the same order', () => {
    const { here, plans } = opened();
    here.write('root/a.yaml', BASE);
    here.write('root/b.yaml', BASE);
    here.write('root/c.yaml', 'a: 1\n# c\n');
    const sandbox = here.open();
    const edit = (name: string, start = 3, end = 4, insert = '2') =>
      VerifiedEdit.prove(sandbox.open(sandbox.parse(name)).read(), [{ start, end, insert }], () => []);
    const files = ['a.yaml', 'b.yaml'].flatMap((name) =>
      draft().files.map((kept) => ({ ...kept, file: name, ...look(name, BASE, 'a: 2\n', []) })),
    );
    const plan = plans().load(idOf(plans(), { ...AGENTS, files }), look);
    const claim = plans().claim(approvedByPreview(plan, 'preview'), CHANGE_ID);
    const [a, b] = [edit('a.yaml'), edit('b.yaml')];
    expect(claim.covers([a, b])).toBe(true);
    const others = {
      'another order': [b, a],
      'one of them': [a],
      'one more': [a, b, b],
      'another file': [a, edit('c.yaml')],
      'the same file twice': [a, a],
      'another result': [a, edit('b.yaml', 3, 4, '3')],
      'another span with the same result': [a, edit('b.yaml', 2, 4, ' 2')],
    };
    for (const [why, edits] of Object.entries(others))
      expect([why, claim.covers(edits)]).toEqual([why, false]);
    here.write('root/b.yaml', 'a: 7\n');
    expect(claim.covers([a, edit('b.yaml')])).toBe(false);
  });
});

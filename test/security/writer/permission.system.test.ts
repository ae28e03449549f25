// Whose word is enough for a write, at each level; and that an approval has to be genuine, about these edits, and enough.
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  Approved,
  type Level,
  Refusal,
  StoredPreview,
  Verdict,
  type VerifiedEdit,
} from '../../../src/security/index.ts';
import { verdictOn } from '../../../src/security/policy/verdict.ts';
import { previewRequired, requireApproved } from '../../../src/security/writer/permission.ts';
import { draftOf } from '../../harness/change-draft.mjs';
import { codeOf, place, refusalOf, rewritten } from '../fixture.ts';
import { committing, ground, logIn, states, told, verdictAt } from './mortal.ts';

afterEach(() => vi.restoreAllMocks());

const LEVELS = ['direct', 'preview', 'client', 'human'] as const;
const WORDS = ['direct', 'preview', 'client', 'human', 'terminal'] as const;
const ACCEPTED_BY_LEVEL: Readonly<Record<(typeof LEVELS)[number], readonly string[]>> = {
  direct: WORDS,
  preview: ['preview', 'client', 'human', 'terminal'],
  client: ['client', 'human', 'terminal'],
  human: ['human'],
};

/** A stand-in: a real one takes a state directory, and is tried in test/security/records. */
function approvedBy(word: (typeof WORDS)[number], edits: readonly VerifiedEdit[] = []): Approved {
  vi.spyOn(Approved, 'isGenuine').mockReturnValue(true);
  const record = { files: draftOf(edits).files };
  const preview = standIn(StoredPreview.prototype, { id: 'preview', record });
  return standIn(Approved.prototype, { confirmedBy: word, reviewer: 'ann', preview });
}

function standIn<Kind extends object>(prototype: Kind, fields: Readonly<Record<string, unknown>>): Kind {
  return Object.assign(Object.create(prototype), fields);
}

describe('a write', () => {
  const edits = () => ground(['d/a.yaml']).edits;
  const verdictOf = (level: Level) => verdictAt(level, edits());

  it.each(
    LEVELS.flatMap((level) =>
      WORDS.map((word) => ({ level, word, is: ACCEPTED_BY_LEVEL[level].includes(word) })),
    ),
  )('is allowed at $level by the word of $word: $is', ({ level, word, is }) => {
    const act = () => requireApproved(verdictOf(level), [], approvedBy(word));
    if (is) act();
    else expect(act).toThrow(new TypeError('the preview was not approved as the policy asks'));
  });

  it('is not allowed by a preview that names other reviewers than the judge [POL-6]', () => {
    const own = edits();
    const need = { rule: 'two', count: 2 };
    const finding = {
      level: 'human',
      rule: undefined,
      at: [],
      holds: 'yes',
      broken: undefined,
      needs: [need],
    } as const;
    const change = { op: 'replace', doc: 0, path: [] } as const;
    const [edit] = own;
    const verdict = Verdict.all([
      verdictOn(
        {
          file: edit?.snapshot.path.toString() ?? '',
          base_sha256: edit?.snapshot.sha256 ?? '',
          result_sha256: edit?.resultSha256 ?? '',
        },
        { level: 'human', findings: [{ ...finding, change }] },
      ),
    ]);
    const approvedFor = (needs: readonly object[] | undefined) => {
      const preview = standIn(StoredPreview.prototype, {
        id: 'p',
        record: { files: draftOf([]).files, needs },
      });
      approvedBy('human');
      return standIn(Approved.prototype, { confirmedBy: 'human', reviewer: 'ann', preview });
    };
    const other = new TypeError('the approved preview names other reviewers than the judge');
    requireApproved(verdict, [], approvedFor([need]));
    for (const needs of [undefined, [], [{ ...need, count: 1 }], [{ ...need, approvers: ['ann'] }]])
      expect(() => requireApproved(verdict, [], approvedFor(needs))).toThrow(other);
    expect(() => requireApproved(verdictOf('human'), [], approvedFor([need]))).toThrow(other);
  });

  it.each(LEVELS)('without a preview is allowed only where none is asked for: %s', (level) => {
    const act = () => requireApproved(verdictOf(level), [], undefined);
    if (level === 'direct') act();
    else expect(act).toThrow(previewRequired());
  });

  it('is asked for once more before it counts, and its record says by whose word it was', () => {
    const here = ground(['d/a.yaml']);
    const requireStillApproved = vi.fn(() => {});
    requireStillApproved.mockImplementationOnce(() => {
      throw new Refusal('APPROVAL_DECLINED', 'taken back');
    });
    const approved = approvedBy('human', here.edits);
    const write = (log: string) =>
      codeOf(() => committing(here, () => {}, { approved, requireStillApproved, log: logIn(here, log) }));
    const about = { preview: 'preview', change_id: here.record.id, confirmed_by: 'human', reviewer: 'ann' };
    expect(write('declined')).toBe('APPROVAL_DECLINED');
    expect(states(here)).toBe('old');
    expect(told(here, 'declined')).toMatchObject([
      { ...about, outcome: 'refused', code: 'APPROVAL_DECLINED' },
    ]);
    expect([write('applied'), states(here)]).toEqual(['no error', 'new']);
    expect(told(here, 'applied')).toMatchObject([
      { ...about, outcome: 'intent' },
      { ...about, outcome: 'applied' },
    ]);
  });

  it('is not allowed by anybody where a rule denies it [POL-5]', () => {
    for (const word of WORDS)
      expect(codeOf(() => requireApproved(verdictOf('deny'), [], approvedBy(word)))).toBe('POLICY_DENIED');
    expect(codeOf(() => requireApproved(verdictOf('deny'), [], undefined))).toBe('POLICY_DENIED');
  });

  it('needs the verdict of the judge about these very edits [POL-5]', () => {
    const [own, other] = [edits(), ground(['d/b.yaml']).edits];
    const verdict = verdictAt('direct', own);
    requireApproved(verdict, own, undefined);
    for (const edited of [other, [...own, ...other]])
      expect(() => requireApproved(verdict, edited, undefined)).toThrow(
        new TypeError('the judge was asked about other edits'),
      );
    for (const forged of [Object.create(verdict), { ...verdict, isAbout: () => true }, undefined])
      expect(() => Reflect.apply(requireApproved, undefined, [forged, own, undefined])).toThrow(
        new TypeError('only a Verdict of the judge allows a write'),
      );
    expect(() => Reflect.construct(Verdict, [Symbol('Verdict'), [], 'direct', []])).toThrow(TypeError);
  });

  it('is told how a preview is made', () => {
    const refusal = refusalOf(() => requireApproved(verdictOf('human'), [], undefined));
    expect([refusal?.code, refusal?.message]).toEqual([
      'PREVIEW_REQUIRED',
      'Cannot write: this server writes only what was previewed. Send the same call with dry_run true.',
    ]);
  });

  it('is not allowed by what only looks like an approval, nor by one about other edits', () => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n');
    const edits = [rewritten(here.open(), 'a.yaml', 'a: 2\n')];
    const approved = approvedBy('human', edits);
    const verdict = verdictAt('human', edits);
    requireApproved(verdict, edits, approved);
    const OTHER = new TypeError('the approved preview is about other edits');
    expect(() => requireApproved(verdict, [], approved)).toThrow(OTHER);
    vi.restoreAllMocks();
    const FORGED = new TypeError('only an Approved that an approval made allows a write');
    expect(() => requireApproved(verdict, edits, approved)).toThrow(FORGED);
  });
});

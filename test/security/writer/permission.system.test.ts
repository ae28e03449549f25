// Whose word is enough for a write, at each level; and that an approval has to be genuine, about these edits, and enough.
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  Approved,
  type Level,
  StoredPreview,
  Verdict,
  type VerifiedEdit,
} from '../../../src/security/index.ts';
import { verdictOn } from '../../../src/security/policy/verdict.ts';
import { previewRequired, requireApproved } from '../../../src/security/writer/permission.ts';
import { draftOf } from '../../harness/change-draft.mjs';
import { ground, verdictAt } from './mortal.ts';

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

  it('is not allowed by an approval for less than the judge asks for [POL-6]', () => {
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
    const approvedFor = (needs: readonly object[]) => {
      const preview = standIn(StoredPreview.prototype, {
        id: 'p',
        record: { files: draftOf([]).files, needs },
      });
      approvedBy('human');
      return standIn(Approved.prototype, { confirmedBy: 'human', reviewer: 'ann', preview, needs });
    };
    const other = new TypeError('the preview was approved for less than the judge asks for');
    requireApproved(verdict, [], approvedFor([need]));
    for (const needs of [[], [{ ...need, count: 1 }]])
      expect(() => requireApproved(verdict, [], approvedFor(needs))).toThrow(other);
  });

  it.each(LEVELS)('without a preview is allowed only where none is asked for: %s', (level) => {
    const act = () => requireApproved(verdictOf(level), [], undefined);
    if (level === 'direct') act();
    else expect(act).toThrow(previewRequired());
  });
});

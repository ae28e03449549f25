// Rules that ask for several reviewers, or for certain ones: every way to get by with fewer, or with others, comes to less
// than an approval.
import { describe, expect, it } from 'vitest';
import { type ApprovalNeed, makeReviewerKey, progressText } from '../../../src/security/index.ts';
import { CHANGE_ID as PREVIEW } from '../approval/ground.ts';
import { reviewing } from '../approval/reviewing.ts';

const OTHER = 'b'.repeat(52);
const TWO: ApprovalNeed = { rule: 'two', count: 2 };
const NAMED: ApprovalNeed = { rule: 'named', count: 1, approvers: ['bob'] };
const BOTH: ApprovalNeed = { rule: 'both', count: 2, approvers: ['ann', 'bob'] };

type Ground = Awaited<ReturnType<typeof reviewing>>;

async function outcome(
  { decisions }: Ground,
  needs: readonly ApprovalNeed[],
  principal?: string,
  proposers: readonly string[] = [],
) {
  const caller = { name: 'agent', version: '1', ...(principal === undefined ? {} : { principal }) };
  const status = await decisions.status(PREVIEW, { origin: { kind: 'edit' }, caller, proposers, needs });
  switch (status.state) {
    case 'approved':
      return `approved by ${status.reviewer}`;
    case 'pending':
      return status.needs === undefined ? 'pending' : progressText(status.needs);
    default:
      return status.state;
  }
}

const CASES: readonly {
  readonly why: string;
  readonly needs: readonly ApprovalNeed[];
  readonly proposer?: string;
  /** Who asked for the preview that it stands in for. */
  readonly others?: readonly string[];
  readonly act: (ground: Ground) => Promise<unknown> | undefined;
  readonly is: string;
}[] = [
  {
    why: 'nobody has decided',
    needs: [TWO],
    act: () => undefined,
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'one of two has approved',
    needs: [TWO],
    act: ({ say }) => say('approve', PREVIEW),
    is: '1 of 2 approvals (ann); needs one more of: bob, cat',
  },
  {
    why: 'two have approved',
    needs: [TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'cat' });
    },
    is: 'approved by ann, cat',
  },
  {
    why: 'one approves twice',
    needs: [TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW);
    },
    is: '1 of 2 approvals (ann); needs one more of: bob, cat',
  },
  {
    why: 'one signs a second time in the name of another',
    needs: [TWO],
    act: async ({ say, ann }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'bob', key: ann });
    },
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'one signs with a second key of their own',
    needs: [TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { key: makeReviewerKey('ann').key });
    },
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'an approval without a signature stands beside a genuine one',
    needs: [TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'bob', isSigned: false });
    },
    is: '1 of 2 approvals (ann); needs one more of: bob, cat',
  },
  {
    why: 'the approval of another preview is recorded for this one',
    needs: [TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', OTHER, { by: 'bob', recorded: { about: PREVIEW } });
    },
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'two approve, and a third rejects',
    needs: [TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'bob' });
      await say('reject', PREVIEW, { by: 'cat' });
    },
    is: 'rejected',
  },
  {
    why: 'somebody whom the rule does not name rejects',
    needs: [NAMED],
    act: async ({ say }) => {
      await say('approve', PREVIEW, { by: 'bob' });
      await say('reject', PREVIEW, { by: 'cat' });
    },
    is: 'rejected',
  },
  {
    why: 'one of the two was taken off the list since',
    needs: [TWO],
    act: async ({ say, list }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'bob' });
      list('ann', 'cat');
    },
    is: '1 of 2 approvals (ann); needs one more of: cat',
  },
  {
    why: 'too few are left on the list',
    needs: [TWO],
    act: async ({ say, list }) => {
      await say('approve', PREVIEW);
      list('ann');
    },
    is: '1 of 2 approvals (ann); there are not enough other reviewers whom the rule allows: the operator has to name more',
  },
  {
    why: 'a reviewer approves whom the rule does not name',
    needs: [NAMED],
    act: ({ say }) => say('approve', PREVIEW),
    is: '0 of 1 approval; needs one of: bob',
  },
  {
    why: 'the named one approves',
    needs: [NAMED],
    act: ({ say }) => say('approve', PREVIEW, { by: 'bob' }),
    is: 'approved by bob',
  },
  {
    why: 'two approve, and the rule names only one of them',
    needs: [BOTH],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'cat' });
    },
    is: '1 of 2 approvals (ann); needs one more of: bob',
  },
  {
    why: 'each of two rules must be met, and only one is',
    needs: [NAMED, TWO],
    act: ({ say }) => say('approve', PREVIEW, { by: 'bob' }),
    is: 'rule named: 1 of 1 approval (bob); rule two: 1 of 2 approvals (bob); needs one more of: ann, cat',
  },
  {
    why: 'one approval counts for both rules that it meets',
    needs: [NAMED, TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW, { by: 'bob' });
      await say('approve', PREVIEW, { by: 'cat' });
    },
    is: 'approved by bob, cat',
  },
  {
    why: 'the proposer approves',
    needs: [TWO],
    proposer: 'ann',
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'bob' });
    },
    is: '1 of 2 approvals (bob); needs one more of: cat',
  },
  {
    why: 'the proposer is known by the same name in capitals',
    needs: [{ rule: 'one', count: 1 }],
    proposer: 'ANN',
    act: ({ say }) => say('approve', PREVIEW),
    is: '0 of 1 approval; needs one of: bob, cat',
  },
  {
    why: 'who asked for the preview that it stands in for approves, beside who proposed it',
    needs: [TWO],
    proposer: 'ann',
    others: ['root', 'CAT'],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('approve', PREVIEW, { by: 'cat' });
    },
    is: '0 of 2 approvals; there are not enough other reviewers whom the rule allows: the operator has to name more',
  },
  {
    why: 'the proposer is the only one whom the rule names',
    needs: [NAMED],
    proposer: 'bob',
    act: ({ say }) => say('approve', PREVIEW, { by: 'bob' }),
    is: '0 of 1 approval; there are not enough other reviewers whom the rule allows: the operator has to name more',
  },
  {
    why: 'no rule asks for anybody, so that whoever asked may approve it',
    needs: [],
    proposer: 'ann',
    act: ({ say }) => say('approve', PREVIEW),
    is: 'approved by ann',
  },
  {
    why: 'no rule asks for anybody, and the reviewers file maps the principal that proposed it to who approves it',
    needs: [],
    proposer: 'bob@example.org',
    act: ({ say }) => say('approve', PREVIEW, { by: 'bob' }),
    is: 'pending',
  },
  {
    why: 'the proposer is mapped to a reviewer, and another one approves too',
    needs: [TWO],
    proposer: 'somebody else',
    others: ['bob@example.org'],
    act: async ({ say }) => {
      await say('approve', PREVIEW, { by: 'bob' });
      await say('approve', PREVIEW, { by: 'cat' });
    },
    is: '1 of 2 approvals (cat); needs one more of: ann',
  },
];

describe('four eyes', () => {
  it.each(CASES)('$why [POL-6]', async ({ needs, proposer, others, act, is }) => {
    const ground = await reviewing(needs);
    await act(ground);
    expect(await outcome(ground, needs, proposer, others)).toBe(is);
  });
});

// Rules that ask for several reviewers, or for certain ones: every way to get by with fewer, or with others, comes to less
// than an approval.
import { describe, expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import {
  type ApprovalNeed,
  compileRules,
  type Json,
  judge,
  makeReviewerKey,
  needsOf,
  progressText,
} from '../../../src/security/index.ts';
import { CHANGE_ID as PREVIEW } from '../approval/ground.ts';
import { reviewing } from '../approval/reviewing.ts';
import { factsOf } from './json-facts.ts';

const [OTHER, PART] = ['B'.repeat(43), 'C'.repeat(43)];
const TWO: ApprovalNeed = { rule: 'two', count: 2 };
const NAMED: ApprovalNeed = { rule: 'named', count: 1, approvers: ['bob'] };
const BOTH: ApprovalNeed = { rule: 'both', count: 2, approvers: ['ann', 'bob'] };

type Ground = ReturnType<typeof reviewing>;

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
      await say('approve', OTHER, { by: 'bob', recorded: { preview: PREVIEW } });
    },
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'one approves the whole, and another has approved a part',
    needs: [TWO],
    act: async ({ say }) => {
      await say('approve', PREVIEW);
      await say('part', PREVIEW, { by: 'bob', part: PART });
    },
    is: 'part',
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
];

describe('four eyes', () => {
  it.each(CASES)('$why [POL-6]', async ({ needs, proposer, others, act, is }) => {
    const ground = reviewing();
    await act(ground);
    expect(await outcome(ground, needs, proposer, others)).toBe(is);
  });
});

const RULES = (...rules: readonly string[]) => ['default: preview', 'rules:', ...rules].join('\n');
const PROD = '  - { id: prod, paths: a, then: human, approvers: [ann, bob], count: 2 }';

const ASKED: readonly {
  readonly why: string;
  readonly policy: string;
  readonly before: Json;
  readonly after: Json;
  readonly needs: readonly ApprovalNeed[];
}[] = [
  {
    why: 'a rule names approvers and their number',
    policy: RULES(PROD),
    before: { a: 1 },
    after: { a: 2 },
    needs: [{ rule: 'prod', count: 2, approvers: ['ann', 'bob'] }],
  },
  {
    why: 'one is enough where it says no number, and a repeated name is one',
    policy: RULES('  - { id: prod, paths: a, then: human, approvers: [ann, ann] }'),
    before: { a: 1 },
    after: { a: 2 },
    needs: [{ rule: 'prod', count: 1, approvers: ['ann'] }],
  },
  {
    why: 'the change is of another node',
    policy: RULES(PROD),
    before: { a: 1, b: 1 },
    after: { a: 1, b: 2 },
    needs: [],
  },
  {
    why: 'a stricter rule without approvers takes nothing away',
    policy: RULES(PROD, '  - { id: all, then: human }'),
    before: { a: { b: 1 } },
    after: { a: { b: 2 } },
    needs: [{ rule: 'prod', count: 2, approvers: ['ann', 'bob'] }],
  },
  {
    why: 'two rules name the change, and both ask',
    policy: RULES(PROD, '  - { id: all, paths: "**", then: human, count: 3 }'),
    before: { a: 1 },
    after: { a: 2 },
    needs: [
      { rule: 'prod', count: 2, approvers: ['ann', 'bob'] },
      { rule: 'all', count: 3 },
    ],
  },
  {
    why: 'only the else of the rule is a person, and the constraint holds',
    policy: RULES('  - { id: prod, paths: a, value: { maximum: 5 }, then: direct, else: human, count: 2 }'),
    before: { a: 1 },
    after: { a: 2 },
    needs: [],
  },
  {
    why: 'only the else of the rule is a person, and the constraint does not hold',
    policy: RULES('  - { id: prod, paths: a, value: { maximum: 5 }, then: direct, else: human, count: 2 }'),
    before: { a: 1 },
    after: { a: 6 },
    needs: [{ rule: 'prod', count: 2 }],
  },
  {
    why: 'the node goes with its parent',
    policy: RULES(PROD.replace('paths: a', 'paths: x.a')),
    before: { x: { a: 1 } },
    after: {},
    needs: [{ rule: 'prod', count: 2, approvers: ['ann', 'bob'] }],
  },
];

describe('a change asks for the reviewers of every rule that names it', () => {
  it.each(ASKED)('$why', async ({ policy, before, after, needs }) => {
    const read = await readPolicy(policy);
    const matches = read.rules.map(() => 'yes' as const);
    const { level, findings } = judge(factsOf(before, after), compileRules(read), matches, 'direct');
    expect(needsOf(findings)).toEqual(needs);
    if (needs.length > 0) expect(level).toBe('human');
  });

  it('a rule that is only perhaps about the file asks as well', async () => {
    const read = await readPolicy(RULES(PROD, '  - { id: all, then: human }'));
    const facts = factsOf({ a: 1 }, { a: 2 });
    const { findings } = judge(facts, compileRules(read), ['perhaps', 'yes'], 'direct');
    expect(needsOf(findings).map(({ rule }) => rule)).toEqual(['prod']);
  });
});

describe('a policy does not start', () => {
  it.each([
    {
      why: 'asks for more than it names',
      rule: 'then: human, approvers: [ann], count: 2',
      says: 'names 1',
    },
    { why: 'asks for half a person', rule: 'then: human, count: 1.5', says: 'a whole number' },
    { why: 'asks for nobody', rule: 'then: human, count: 0', says: 'above 0' },
    { why: 'names nobody', rule: 'then: human, approvers: []', says: 'an empty list' },
    {
      why: 'names approvers of a denial',
      rule: 'then: deny, approvers: [ann]',
      says: 'approvers: only a change',
    },
    {
      why: 'counts approvers of a direct write',
      rule: 'then: direct, count: 2',
      says: 'count: only a change',
    },
  ])('where a rule $why', async ({ rule, says }) => {
    await expect(readPolicy(RULES(`  - { id: r, paths: a, ${rule} }`))).rejects.toThrow(says);
  });
});

// Rules that ask for several reviewers, or for certain ones: every way to get by with fewer, or with others, comes to less
// than an approval.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Decision } from '../../../src/state/event.ts';
import {
  humanFlags,
  type Person,
  person,
  preview,
  rewritePreview,
  sharedStage,
  statedIn,
} from '../../harness/previews.ts';
import { eventNow, record } from '../../harness/state.ts';

const POLICY = `default: human
rules:
  - { id: named, paths: named, then: human, approvers: [bob] }
  - { id: two, paths: two, then: human, count: 2 }
  - { id: both, paths: both, then: human, count: 2, approvers: [ann, bob] }
  - { id: one, paths: one, then: human, count: 1 }
`;
const FILES = { 'a.yaml': 'named: 1\ntwo: 1\nboth: 1\none: 1\nfree: 1\n' };

const mapped = ({ line, ...who }: Person) => ({ ...who, line: `${line} principal=${who.name}@example.org` });
const PEOPLE = { ann: person('ann'), bob: mapped(person('bob')), cat: mapped(person('cat')) };
type Name = keyof typeof PEOPLE;

const stage = sharedStage((at) => {
  writeFileSync(join(at.place, 'policy.yaml'), POLICY, { mode: 0o600 });
  return [...humanFlags(at, Object.values(PEOPLE)), '--policy', join(at.place, 'policy.yaml')];
}, FILES);

interface Manner {
  readonly by?: Name;
  /** Whose key it is, if not their own. */
  readonly signer?: Person;
  readonly isSigned?: boolean;
  /** The preview that the signature is about, if it is another. */
  readonly preview?: string;
}

interface Ground {
  readonly say: (decision: Decision['decision'], manner?: Manner) => Promise<void>;
  /** Only those are on the list from now on. */
  readonly list: (...names: readonly Name[]) => void;
}

interface Row {
  readonly why: string;
  /** The keys that change, which are the names of their rules. */
  readonly keys: readonly string[];
  readonly proposer?: string;
  /** Who asked for the preview that it stands in for. */
  readonly others?: readonly string[];
  readonly act: (ground: Ground) => Promise<unknown> | undefined;
  readonly is: string;
}

const CASES: readonly Row[] = [
  {
    why: 'nobody has decided',
    keys: ['two'],
    act: () => undefined,
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'one of two has approved',
    keys: ['two'],
    act: ({ say }) => say('approve'),
    is: '1 of 2 approvals (ann); needs one more of: bob, cat',
  },
  {
    why: 'two have approved',
    keys: ['two'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'cat' });
    },
    is: 'approved by ann, cat',
  },
  {
    why: 'one approves twice',
    keys: ['two'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve');
    },
    is: '1 of 2 approvals (ann); needs one more of: bob, cat',
  },
  {
    why: 'one signs a second time in the name of another',
    keys: ['two'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'bob', signer: PEOPLE.ann });
    },
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'one signs with a second key of their own',
    keys: ['two'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { signer: person('ann') });
    },
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'an approval without a signature stands beside a genuine one',
    keys: ['two'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'bob', isSigned: false });
    },
    is: '1 of 2 approvals (ann); needs one more of: bob, cat',
  },
  {
    why: 'the approval of another preview is recorded for this one',
    keys: ['two'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'bob', preview: 'b'.repeat(52) });
    },
    is: '0 of 2 approvals; needs 2 of: ann, bob, cat',
  },
  {
    why: 'two approve, and a third rejects',
    keys: ['two'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'bob' });
      await say('reject', { by: 'cat' });
    },
    is: 'cat has rejected it',
  },
  {
    why: 'somebody whom the rule does not name rejects',
    keys: ['named'],
    act: async ({ say }) => {
      await say('approve', { by: 'bob' });
      await say('reject', { by: 'cat' });
    },
    is: 'cat has rejected it',
  },
  {
    why: 'one of the two was taken off the list since',
    keys: ['two'],
    act: async ({ say, list }) => {
      await say('approve');
      await say('approve', { by: 'bob' });
      list('ann', 'cat');
    },
    is: '1 of 2 approvals (ann); needs one more of: cat',
  },
  {
    why: 'too few are left on the list',
    keys: ['two'],
    act: async ({ say, list }) => {
      await say('approve');
      list('ann');
    },
    is: '1 of 2 approvals (ann); there are not enough other reviewers whom the rule allows: the operator has to name more',
  },
  {
    why: 'a reviewer approves whom the rule does not name',
    keys: ['named'],
    act: ({ say }) => say('approve'),
    is: '0 of 1 approval; needs one of: bob',
  },
  {
    why: 'the named one approves',
    keys: ['named'],
    act: ({ say }) => say('approve', { by: 'bob' }),
    is: 'approved by bob',
  },
  {
    why: 'two approve, and the rule names only one of them',
    keys: ['both'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'cat' });
    },
    is: '1 of 2 approvals (ann); needs one more of: bob',
  },
  {
    why: 'each of two rules must be met, and only one is',
    keys: ['named', 'two'],
    act: ({ say }) => say('approve', { by: 'bob' }),
    is: 'rule named: 1 of 1 approval (bob); rule two: 1 of 2 approvals (bob); needs one more of: ann, cat',
  },
  {
    why: 'one approval counts for both rules that it meets',
    keys: ['named', 'two'],
    act: async ({ say }) => {
      await say('approve', { by: 'bob' });
      await say('approve', { by: 'cat' });
    },
    is: 'approved by bob, cat',
  },
  {
    why: 'the proposer approves',
    keys: ['two'],
    proposer: 'ann',
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'bob' });
    },
    is: '1 of 2 approvals (bob); needs one more of: cat',
  },
  {
    why: 'the proposer is known by the same name in capitals',
    keys: ['one'],
    proposer: 'ANN',
    act: ({ say }) => say('approve'),
    is: '0 of 1 approval; needs one of: bob, cat',
  },
  {
    why: 'who asked for the preview that it stands in for approves, beside who proposed it',
    keys: ['two'],
    proposer: 'ann',
    others: ['root', 'CAT'],
    act: async ({ say }) => {
      await say('approve');
      await say('approve', { by: 'cat' });
    },
    is: '0 of 2 approvals; there are not enough other reviewers whom the rule allows: the operator has to name more',
  },
  {
    why: 'the proposer is the only one whom the rule names',
    keys: ['named'],
    proposer: 'bob',
    act: ({ say }) => say('approve', { by: 'bob' }),
    is: '0 of 1 approval; there are not enough other reviewers whom the rule allows: the operator has to name more',
  },
  {
    why: 'no rule asks for anybody, so that whoever asked may approve it',
    keys: ['free'],
    proposer: 'ann',
    act: ({ say }) => say('approve'),
    is: 'approved by ann',
  },
  {
    why: 'no rule asks for anybody, and the reviewers file maps the principal that proposed it to who approves it',
    keys: ['free'],
    proposer: 'bob@example.org',
    act: ({ say }) => say('approve', { by: 'bob' }),
    is: 'it is pending.',
  },
  {
    why: 'the proposer is mapped to a reviewer, and another one approves too',
    keys: ['two'],
    proposer: 'somebody else',
    others: ['bob@example.org'],
    act: async ({ say }) => {
      await say('approve', { by: 'bob' });
      await say('approve', { by: 'cat' });
    },
    is: '1 of 2 approvals (cat); needs one more of: ann',
  },
];

describe('four eyes', () => {
  it.each(CASES)('$why [POL-6]', async ({ keys, proposer, others, act, is }) => {
    const { at, server } = await stage();
    humanFlags(at, Object.values(PEOPLE));
    const edits = keys.map((path) => ({ op: 'set', file: 'a.yaml', path, json: 2 }));
    const made = await preview(server, { edits }, 'config_edit');
    const caller = {
      name: 'agent',
      version: '1',
      ...(proposer === undefined ? {} : { principal: proposer }),
    };
    const id = await rewritePreview(at, made, {
      caller,
      ...(others === undefined ? {} : { proposers: others }),
    });
    const change = await statedIn(at.state, id);
    await act({
      list: (...names) =>
        humanFlags(
          at,
          names.map((name) => PEOPLE[name]),
        ),
      say: async (
        decision,
        { by = 'ann', signer = PEOPLE[by], isSigned = true, preview: about = id } = {},
      ) => {
        const type = decision === 'approve' ? 'approved' : 'rejected';
        await record(at.state, (trail) => {
          const signed = signer.sign({ preview: about, decision, reviewer: by }, trail, change);
          return eventNow({ type, about: id, reviewer: by, ...(isSigned ? { signed } : {}) });
        });
      },
    });
    const { data, text } = await server.callTool('config_apply', { preview_id: id });
    expect(data['applied'] === true ? `approved by ${data['reviewer']}` : text).toContain(is);
  });
});

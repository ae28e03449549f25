// Why a change has its level: which rule names it, at which node, whether its constraint holds, what stands there, and who has
// to agree; one finding for each change, whatever else changes.
import { expect, it } from 'vitest';
import { readPolicy } from '../../../src/adapters/index.ts';
import {
  compileRules,
  type DataPath,
  type FileFacts,
  type FileMatch,
  type Found,
  type Json,
  judge,
  type LeafChange,
  loadEngines,
} from '../../../src/security/index.ts';
import { needsOf } from '../../../src/security/policy/needs.ts';
import { dataOf } from './json-facts.ts';

/** A value that readers take differently. */
const UNCLEAR = 'unclear!';

function versionOf(value: Json | undefined) {
  const data = dataOf(value);
  const at = (path: DataPath): Found => {
    const found = data?.at(path) ?? 'none';
    return typeof found === 'object' && found.value === UNCLEAR ? 'unclear' : found;
  };
  return data === undefined ? undefined : { ...data, at };
}

interface Row {
  readonly why: string;
  /** Without what it says of each, the default is client. */
  readonly rules: readonly string[];
  /** Each document before and after. */
  readonly documents?: readonly (readonly [before: Json | undefined, after: Json | undefined])[];
  readonly change?: Partial<LeafChange>;
  readonly isUnreadable?: true;
  readonly matches?: readonly FileMatch[];
  /** Level, rule, node, whether the constraint holds, the values where it does not. */
  readonly is: string;
}

const ONE = [[{ a: 1 }, { a: 2 }]] as const;
const DENY = 'deny r / yes';
const USUAL = (at = 'a') => `client - /${at} yes`;

const changed = (change: Partial<LeafChange>, rows: readonly Row[]): readonly Row[] =>
  rows.map((row) => ({ ...row, change }));

const ROWS: readonly Row[] = [
  { why: 'no rule', rules: [], is: USUAL() },
  {
    why: 'a rule of which nobody says whether it holds the file',
    rules: ['then: deny'],
    matches: [],
    is: USUAL(),
  },
  { why: 'a rule', rules: ['paths: a, then: deny'], is: 'deny r /a yes' },
  { why: 'a rule without paths', rules: ['then: deny'], is: DENY },
  { why: 'a rule about another node', rules: ['paths: b, then: deny'], is: USUAL() },
  { why: 'the first of two alike', rules: ['paths: a, then: deny', 'then: deny'], is: 'deny r /a yes' },
  {
    why: 'the first of two alike, the other way round',
    rules: ['then: deny', 'paths: a, then: deny'],
    is: DENY,
  },
  { why: 'the stricter of two', rules: ['paths: a, then: direct', 'then: human'], is: 'human r2 / yes' },
  { why: 'the first of two paths', rules: ['paths: ["*", a], then: deny'], is: 'deny r /a yes' },
  { why: 'a kind of change', rules: ['paths: a, ops: replace, then: direct'], is: 'direct r /a yes' },
  { why: 'another kind of change', rules: ['paths: a, ops: add, then: direct'], is: USUAL() },
  {
    why: 'another kind of change, strictly',
    rules: ['paths: a, ops: [add, remove], then: deny'],
    is: USUAL(),
  },
  ...changed({ isVague: true }, [
    {
      why: 'a vague change of data',
      rules: ['paths: a, ops: [comment, add], then: deny'],
      is: 'deny r /a yes',
    },
    {
      why: 'a vague change, where things are removed',
      rules: ['paths: a, ops: remove, then: deny'],
      is: 'deny r /a yes',
    },
    {
      why: 'a vague change, and a rule about layout',
      rules: ['paths: a, ops: layout, then: deny'],
      is: USUAL(),
    },
    { why: 'a vague change, leniently', rules: ['ops: add, then: direct'], is: USUAL() },
    { why: 'a vague change of what a rule names', rules: ['then: direct'], is: 'direct r / yes' },
    {
      why: 'a vague change and a constraint',
      rules: ['paths: a, value: { maximum: 9 }, then: direct, else: human'],
      is: 'human r /a unclear unclear unclear',
    },
  ]),
  {
    why: 'a vague change, where things are replaced',
    rules: ['paths: a, ops: replace, then: deny'],
    change: { isVague: true, op: 'add' },
    is: 'deny r /a yes',
  },
  {
    why: 'a constraint that holds',
    rules: ['paths: a, value: { maximum: 9 }, then: direct'],
    is: 'direct r /a yes',
  },
  {
    why: 'a constraint that does not',
    rules: ['paths: a, value: { maximum: 1 }, then: direct'],
    is: 'deny r /a no 1 2',
  },
  {
    why: 'a constraint of the node above',
    rules: ['paths: a, value: { maximum: 1 }, then: direct, else: preview'],
    documents: [[{ a: { b: 1 } }, { a: { b: 2 } }]],
    change: { path: ['a', 'b'] },
    is: 'preview r /a no {"b":1} {"b":2}',
  },
  {
    why: 'a constraint of what goes',
    rules: ['paths: a, value: { maximum: 1 }, then: direct'],
    documents: [[{ a: 1 }, {}]],
    is: 'deny r /a no 1 none',
  },
  {
    why: 'a constraint of what is in no document',
    rules: ['paths: a, value: { maximum: 1 }, then: direct'],
    documents: [[{ a: 1 }, undefined]],
    is: 'deny r /a no 1 none',
  },
  {
    why: 'a constraint of what comes with its document',
    rules: ['paths: a, value: { maximum: 1 }, then: direct'],
    documents: [[undefined, { a: 2 }]],
    is: 'deny r /a no none 2',
  },
  {
    why: 'a constraint of what cannot be told',
    rules: ['paths: a, value: { maximum: 1 }, then: deny, else: direct'],
    documents: [[{ a: 1 }, { a: UNCLEAR }]],
    is: 'deny r /a unclear 1 unclear',
  },
  {
    why: 'a constraint of what could not be told',
    rules: ['paths: a, value: { maximum: 9 }, then: direct, else: human'],
    documents: [[{ a: UNCLEAR }, { a: 2 }]],
    is: 'direct r /a yes',
  },
  {
    why: 'a constraint of what is masked',
    rules: ['paths: a, value: { maximum: 9 }, then: direct, else: human'],
    documents: [[{ a: 1 }, { a: '<secret:00000000>' }]],
    is: 'human r /a unclear 1 "<secret:00000000>"',
  },
  {
    why: 'a constraint of what is dangerous, and that is masked',
    rules: ['paths: a, value: { const: x }, then: deny, else: direct'],
    documents: [[{ a: 1 }, { a: '<secret:00000000>' }]],
    is: 'deny r /a unclear 1 "<secret:00000000>"',
  },
  {
    why: 'a comparison with what could not be told',
    rules: ['paths: a, change: { max_step: 9 }, then: direct, else: human'],
    documents: [[{ a: UNCLEAR }, { a: 2 }]],
    is: 'human r /a unclear unclear 2',
  },
  {
    why: 'a comparison that holds',
    rules: ['paths: a, change: { max_step: 1 }, then: direct'],
    is: 'direct r /a yes',
  },
  {
    why: 'a comparison that does not',
    rules: ['paths: a, change: { max_step: 1 }, then: direct'],
    documents: [[{ a: 1 }, { a: 5 }]],
    is: 'deny r /a no 1 5',
  },
  ...changed({ op: 'comment' }, [
    {
      why: 'a constraint, and a comment beside its value',
      rules: ['paths: a, value: { maximum: 1 }, then: direct'],
      is: 'direct r /a yes',
    },
    {
      why: 'a constraint of what is dangerous, and a comment beside it',
      rules: ['paths: a, value: { minimum: 1 }, then: deny, else: human'],
      is: 'human r /a no',
    },
    {
      why: 'a comment that is perhaps beside it',
      rules: ['paths: A, value: { minimum: 1 }, then: deny, else: human'],
      is: 'human r /a no',
    },
    {
      why: 'a comment that is perhaps beside it, leniently',
      rules: ['paths: A, value: { minimum: 1 }, then: deny, else: direct'],
      is: USUAL(),
    },
    {
      why: 'a comment, and a rule without a constraint',
      rules: ['paths: a, then: deny'],
      is: 'deny r /a yes',
    },
  ]),
  {
    why: 'a constraint, and the layout',
    rules: ['paths: a, value: { maximum: 1 }, then: direct'],
    change: { op: 'layout' },
    is: 'direct r /a yes',
  },
  {
    why: 'a comment of which nobody can say where it is',
    rules: ['paths: a, value: { maximum: 9 }, then: direct, else: human'],
    change: { op: 'comment', isVague: true },
    is: 'human r /a unclear unclear unclear',
  },
  {
    why: 'both, of which the value does not hold',
    rules: ['paths: a, value: { maximum: 1 }, change: { max_step: 1 }, then: direct'],
    is: 'deny r /a no 1 2',
  },
  {
    why: 'both, of which the comparison does not hold',
    rules: ['paths: a, value: { maximum: 9 }, change: { max_step: 1 }, then: direct'],
    documents: [[{ a: 1 }, { a: 5 }]],
    is: 'deny r /a no 1 5',
  },
  {
    why: 'both, which hold',
    rules: ['paths: a, value: { maximum: 9 }, change: { max_step: 1 }, then: direct'],
    is: 'direct r /a yes',
  },
  { why: 'a rule that is perhaps about it, strictly', rules: ['paths: A, then: deny'], is: 'deny r /a yes' },
  { why: 'a rule that is perhaps about it, leniently', rules: ['paths: A, then: direct'], is: USUAL() },
  {
    why: 'a rule that is perhaps about it, as strict as the default',
    rules: ['paths: A, then: client'],
    is: USUAL(),
  },
  {
    why: 'a rule about another spelling of the file',
    rules: ['paths: a, then: deny'],
    matches: ['perhaps'],
    is: 'deny r /a yes',
  },
  {
    why: 'a lenient rule about another spelling of the file',
    rules: ['paths: a, then: direct'],
    matches: ['perhaps'],
    is: USUAL(),
  },
  { why: 'a rule about another file', rules: ['paths: a, then: deny'], matches: ['no'], is: USUAL() },
  {
    why: 'the document of the change',
    rules: ['doc: { k: y }, paths: a, then: deny'],
    documents: [
      [
        { k: 'x', a: 1 },
        { k: 'x', a: 2 },
      ],
      [
        { k: 'y', a: 1 },
        { k: 'y', a: 2 },
      ],
    ],
    change: { doc: 1 },
    is: 'deny r /a yes',
  },
  {
    why: 'another document',
    rules: ['doc: { k: y }, paths: a, then: deny'],
    documents: [
      [
        { k: 'x', a: 1 },
        { k: 'x', a: 2 },
      ],
      [
        { k: 'y', a: 1 },
        { k: 'y', a: 2 },
      ],
    ],
    is: USUAL(),
  },
  {
    why: 'a document behind that of the change',
    rules: ['doc: { k: y }, paths: a, then: deny'],
    documents: [
      [{ k: 'x' }, { k: 'x' }],
      [{ k: 'x' }, { k: 'x' }],
      [{ k: 'y' }, { k: 'y' }],
    ],
    change: { doc: 1 },
    is: USUAL(),
  },
  {
    why: 'any document of what is about the file',
    rules: ['doc: { k: y }, then: deny'],
    documents: [
      [{ k: 'x' }, { k: 'x' }],
      [{ k: 'y' }, { k: 'y' }],
    ],
    change: { doc: undefined, op: 'delete', path: [] },
    is: DENY,
  },
  {
    why: 'a document that may be meant',
    rules: ['doc: { k: y }, paths: a, then: deny'],
    documents: [
      [
        { k: UNCLEAR, a: 1 },
        { k: UNCLEAR, a: 2 },
      ],
    ],
    is: 'deny r /a yes',
  },
  {
    why: 'a document that may be meant, leniently',
    rules: ['doc: { k: y }, paths: a, then: direct'],
    documents: [
      [
        { k: UNCLEAR, a: 1 },
        { k: UNCLEAR, a: 2 },
      ],
    ],
    is: USUAL(),
  },
  ...changed({ path: ['k'] }, [
    {
      why: 'a document that leaves the rule',
      rules: ['doc: { k: y }, paths: a, then: deny'],
      documents: [
        [
          { k: 'y', a: 1 },
          { k: 'x', a: 1 },
        ],
      ],
      is: 'deny r /k yes',
    },
    {
      why: 'a document that leaves a rule with a constraint',
      rules: ['doc: { k: y }, paths: a, value: { maximum: 9 }, then: direct, else: human'],
      documents: [
        [
          { k: 'y', a: 1 },
          { k: 'x', a: 1 },
        ],
      ],
      is: 'human r /k unclear unclear unclear',
    },
    {
      why: 'a document that stays under the rule by another name',
      rules: ['doc: { k: [x, y] }, paths: a, then: deny'],
      documents: [
        [
          { k: 'y', a: 1 },
          { k: 'x', a: 1 },
        ],
      ],
      is: USUAL('k'),
    },
  ]),
  {
    why: 'another change of a document that leaves the rule',
    rules: ['doc: { k: y }, paths: a, then: deny'],
    documents: [
      [
        { k: 'y', b: 1 },
        { k: 'x', b: 2 },
      ],
    ],
    change: { path: ['b'] },
    is: USUAL('b'),
  },
  ...changed({ op: 'text', doc: undefined, path: [] }, [
    {
      why: 'a text, and a rule about texts',
      rules: ['ops: text, then: direct'],
      documents: [],
      is: 'direct r / yes',
    },
    { why: 'a text, and a rule about all', rules: ['then: direct'], documents: [], is: 'direct r / yes' },
    {
      why: 'a text, and a rule about documents',
      rules: ['doc: { k: y }, then: deny'],
      documents: [],
      is: USUAL(''),
    },
    {
      why: 'a text, and a rule about comments',
      rules: ['ops: comment, then: deny'],
      documents: [],
      is: USUAL(''),
    },
    {
      why: 'lines that cannot be read, and a rule about a node',
      rules: ['paths: a, then: deny'],
      documents: [],
      isUnreadable: true,
      is: DENY,
    },
    {
      why: 'lines that cannot be read, and a rule about documents',
      rules: ['doc: { k: y }, then: deny'],
      documents: [],
      isUnreadable: true,
      is: DENY,
    },
    {
      why: 'lines that cannot be read, and a constraint',
      rules: ['paths: a, value: { maximum: 9 }, then: direct'],
      documents: [],
      isUnreadable: true,
      is: 'deny r / unclear unclear unclear',
    },
    {
      why: 'lines that cannot be read, and a kind of change of data',
      rules: ['paths: a, ops: add, then: deny'],
      documents: [],
      isUnreadable: true,
      is: DENY,
    },
    {
      why: 'lines that cannot be read, and a kind of change of files or data',
      rules: ['ops: [create, add], then: deny'],
      documents: [],
      isUnreadable: true,
      is: DENY,
    },
    {
      why: 'lines that cannot be read, and a kind of change of files',
      rules: ['ops: [create], then: deny'],
      documents: [],
      isUnreadable: true,
      is: USUAL(''),
    },
    {
      why: 'lines that cannot be read, and a rule that allows texts',
      rules: ['ops: text, then: direct'],
      documents: [],
      isUnreadable: true,
      is: 'direct r / yes',
    },
    {
      why: 'lines that cannot be read, and a rule that allows texts of some documents',
      rules: ['doc: { k: y }, ops: [text, add], then: direct'],
      documents: [],
      isUnreadable: true,
      is: USUAL(''),
    },
  ]),
  {
    why: 'a comment of a file without documents',
    rules: ['then: deny'],
    documents: [],
    change: { op: 'comment', path: [] },
    is: DENY,
  },
  {
    why: 'a comment of a file without documents, and a rule about a node',
    rules: ['paths: "**", then: deny'],
    documents: [],
    change: { op: 'comment', path: [] },
    is: USUAL(''),
  },
  ...changed({ op: 'delete', doc: undefined, path: [] }, [
    {
      why: 'a file that is deleted, and a rule about a node',
      rules: ['paths: a, then: deny'],
      is: USUAL(''),
    },
    { why: 'a file that is deleted', rules: ['ops: delete, then: deny'], is: DENY },
    {
      why: 'a file that is deleted, and a rule about all of its data',
      rules: ['paths: "**", then: deny'],
      is: USUAL(''),
    },
  ]),
  {
    why: 'a file that is created',
    rules: ['ops: [create], then: deny'],
    change: { op: 'create', doc: undefined, path: [] },
    is: DENY,
  },
];

async function findingsOf({
  rules,
  documents = ONE,
  change = {},
  isUnreadable,
  matches,
}: Omit<Row, 'why' | 'is'>) {
  const text = rules.map((rule, index) => `  - { id: r${index === 0 ? '' : index + 1}, ${rule} }\n`).join('');
  const policy = await readPolicy(`default: client\n${text === '' ? '' : `rules:\n${text}`}`);
  await loadEngines(policy);
  const facts: FileFacts = {
    documents: documents.map(([before, after]) => ({ before: versionOf(before), after: versionOf(after) })),
    changes: [{ op: 'replace', doc: 0, path: ['a'], ...change }],
    ...(isUnreadable === undefined ? {} : { isUnreadable }),
  };
  return judge(facts, compileRules(policy), matches ?? rules.map(() => 'yes'), 'direct');
}

const shown = (found: Found) => (typeof found === 'object' ? JSON.stringify(found.value) : found);

it.each(ROWS)('a change is $is because of $rules: $why [POL-1] [POL-3]', async ({ why: _, is, ...asked }) => {
  const { level, findings } = await findingsOf(asked);
  const [finding] = findings;
  if (finding === undefined) throw new Error('each change has a finding');
  const { rule, at, holds, broken } = finding;
  const values = broken === undefined ? '' : ` ${shown(broken.before)} ${shown(broken.after)}`;
  expect(`${finding.level} ${rule?.id ?? '-'} /${at.join('/')} ${holds}${values}`).toBe(is);
  expect([level, findings.length]).toEqual([finding.level, 1]);
});

it('of each rule that asks people it is told once who has to agree, also of one that is only perhaps about it', async () => {
  const rules = [
    'paths: a, count: 2, then: human',
    'paths: a, then: human',
    'paths: A, approvers: [ann, bob], then: human',
    'paths: b, count: 3, then: human',
    'paths: a, value: { maximum: 9 }, count: 4, then: client, else: human',
  ];
  const { findings } = await findingsOf({ rules });
  const needs = [
    { rule: 'r', count: 2 },
    { rule: 'r3', count: 1, approvers: ['ann', 'bob'] },
  ];
  expect(findings[0]?.needs).toStrictEqual(needs);
  expect(needsOf([...findings, { needs: [{ rule: 'x', count: 1 }] }, ...findings])).toStrictEqual([
    ...needs,
    { rule: 'x', count: 1 },
  ]);
});

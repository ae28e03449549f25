// JSON Schemas of what an operator writes: the config file from the list of options, the policy and its cases from the levels
// and kinds of changes. They say what an editor can say; policy lint says the rest.
import type { Option } from '../../src/cli/settings/option.ts';
import { CHANGE_OPS, LEVELS, NODE_TYPES } from '../../src/security/index.ts';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

export function configSchema(options: readonly Option<unknown>[]) {
  const keys = options.map(({ name, help, schema, isRepeatable }) => {
    const many = { type: 'array', items: schema, minItems: 1 };
    return [name, { description: sentence(help), ...(isRepeatable ? { anyOf: [schema, many] } : schema) }];
  });
  return {
    $schema: DIALECT,
    title: 'config-airlock: config file',
    type: 'object',
    properties: Object.fromEntries(keys),
    additionalProperties: false,
  };
}

const text = { type: 'string', minLength: 1 };
const texts = { anyOf: [text, { type: 'array', items: text, minItems: 1 }] };
const level = { enum: LEVELS };
const op = { enum: CHANGE_OPS };
const plain = { type: ['string', 'number', 'boolean'] };
const change = {
  semver: { enum: ['not_lower', 'patch', 'minor'] },
  quantity: { description: 'A quantity of Kubernetes that may only grow.', const: 'not_lower' },
  max_step: {
    anyOf: [
      { type: 'number', exclusiveMinimum: 0 },
      { type: 'string', pattern: '^\\d+(\\.\\d+)?%$' },
    ],
  },
  absent: { description: 'What max_step takes for the old value where there is none.', type: 'number' },
  unchanged: { const: true },
};
const rule = {
  id: {
    description: 'Its name, in replies and in the audit trail.',
    type: 'string',
    pattern: '^[A-Za-z0-9][\\w.-]{0,63}$',
  },
  files: { description: 'Patterns of the files that it is about.', ...texts },
  roots: { description: 'Names of the roots that it is about, in which * is any text.', ...texts },
  callers: {
    description:
      'Verified principals that it is about, in which * is any text. For others it counts only where the answer gets stricter.',
    ...texts,
  },
  doc: {
    description: 'The documents: Kind/name, a kind, or fields with their values.',
    anyOf: [
      text,
      {
        type: 'object',
        minProperties: 1,
        additionalProperties: { anyOf: [plain, { type: 'array', items: plain, minItems: 1 }] },
      },
    ],
  },
  paths: { description: 'Node paths, in which * and ** stand for any.', ...texts },
  type: { description: 'Only nodes of this type, before or after.', enum: NODE_TYPES },
  ops: { description: 'Kinds of changes.', anyOf: [op, { type: 'array', items: op, minItems: 1 }] },
  value: {
    description: 'What the new value has to meet: keywords of JSON Schema.',
    type: 'object',
    minProperties: 1,
  },
  change: {
    description: 'How far the new value may be from the old one.',
    ...closed(change, []),
    minProperties: 1,
  },
  required: { description: 'The node must be there after the change.', const: true },
  // As a literal it would look like a promise.
  ...Object.fromEntries([['then', { description: 'The level of such a change.', ...level }]]),
  else: { description: 'Its level where value, change or required does not hold.', ...level },
  approvers: { description: 'The reviewers of whom somebody has to approve.', ...texts },
  count: { description: 'How many of them.', type: 'integer', minimum: 1 },
  risk: { description: 'high: reviewers see the change first, and as dangerous.', const: 'high' },
  say: { description: 'What the agent is told.', type: 'string', minLength: 1, maxLength: 300 },
};

export function policySchema() {
  return {
    $schema: DIALECT,
    title: 'config-airlock: policy',
    ...closed(
      {
        default: { description: 'The level of what no rule names.', ...level, default: 'human' },
        approval_message: {
          description:
            'What an agent is told while a change waits for a reviewer; {id} stands for the preview.',
          type: 'string',
          minLength: 1,
          maxLength: 300,
        },
        undo: {
          description:
            'With this, whoever made a change alone may undo it once with a preview, where exactly what stood there comes back.',
          const: 'preview',
        },
        undo_hours: {
          description: 'How long after the change that holds; 24 hours where it is left out.',
          type: 'number',
          exclusiveMinimum: 0,
        },
        rules: { type: 'array', maxItems: 1_000, items: closed(rule, ['id', 'then']) },
      },
      [],
    ),
  };
}

const named = { type: 'object', additionalProperties: { type: 'string' } };
const policyCase = {
  name: text,
  file: { description: 'What the edits are about, where they do not say so themselves.', ...text },
  before: { description: 'The text of that file; there is no such file without it.', type: 'string' },
  others: { description: 'The texts of other files.', ...named },
  edits: { description: 'As config_edit takes them.', type: 'array', minItems: 1, items: { type: 'object' } },
  caller: {
    description: 'The verified principal who makes the edits; nobody is verified without it.',
    ...text,
  },
  root: { description: 'The name of the root in which the files are; it has none without it.', ...text },
  expect: { description: 'The level.', ...level },
  rule: { description: 'One of the rules that it is due to; default where none names it.', ...text },
};

export function casesSchema() {
  return {
    $schema: DIALECT,
    title: 'config-airlock: cases of a policy',
    ...closed(
      {
        texts: { description: 'For anchors: texts that several cases use.', ...named },
        cases: { type: 'array', minItems: 1, items: closed(policyCase, ['name', 'file', 'edits', 'expect']) },
      },
      ['cases'],
    ),
  };
}

function closed(properties: object, required: readonly string[]) {
  return {
    type: 'object',
    properties,
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

function sentence(help: string): string {
  return `${help.slice(0, 1).toUpperCase()}${help.slice(1)}.`;
}

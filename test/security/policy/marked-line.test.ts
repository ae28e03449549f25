// A line that begins with a byte order mark in the middle of a file: readers part ways about it, so it may be any data to a rule.
import { type AttackRow, describeAttacks } from './attack-rows.ts';

const before = 'spec:\n  a: 1\n\uFEFFother: 1\nz: 1\n';

const denied: readonly AttackRow[] = [
  {
    why: 'the key that it may be of',
    rule: 'paths: [spec.other], then: deny',
    before,
    edit: ['other: 1', 'other: 2'],
  },
];

const passed: readonly AttackRow[] = [
  { why: 'a line without a mark', rule: 'paths: [spec.other], then: deny', before, edit: ['z: 1', 'z: 2'] },
];

describeAttacks('a line that begins with a mark [POL-2]', { denied, passed });

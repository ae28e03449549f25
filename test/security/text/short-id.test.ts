// Short ids of previews and changes: one for each full id, told from everything else, and taken for the full one that it names.
import { expect, it } from 'vitest';
import { contentId } from '../../../src/security/index.ts';
import { fullId, isShortId, shortId } from '../../../src/security/text/short-id.ts';

const IDS = Array.from({ length: 300 }, (_, index) => contentId(`${index}`));

it('a full id has one short id of each kind, of ten letters that nobody takes for another', () => {
  const all = IDS.map((id) => shortId('pv', id));
  expect(all.map((id) => id.slice(3))).toEqual(IDS.map((id) => shortId('ch', id).slice(3)));
  expect(new Set(all).size).toBe(IDS.length);
  for (const id of all) expect(id).toMatch(/^pv_[0-9a-hj-km-np-tv-z]{10}$/u);
  // Each letter stands in some of them.
  expect([...new Set(all.flatMap((id) => [...id.slice(3)]))].sort().join('')).toBe(
    '0123456789abcdefghjkmnpqrstvwxyz',
  );
  expect(shortId('pv', 'a')).toBe('pv_aq1javxat2');
});

it.each([
  ['pv_0a1b2c3d4e', true],
  ['pv_zzzzzzzzzz', true],
  ['pv_0a1b2c3d4', false],
  ['pv_0a1b2c3d4e5', false],
  ['ch_0a1b2c3d4e', false],
  ['pv-0a1b2c3d4e', false],
  ['0a1b2c3d4epv_', false],
  ['pv_0a1b2c3d4i', false],
  ['pv_i0a1b2c3d4', false],
  ['pv_0A1b2c3d4e', false],
  ['pv_0a1b2 3d4e', false],
  ['pv___________', false],
  ['', false],
])('%s is a short id of a preview: %s', (text, is) => expect(isShortId('pv', text)).toBe(is));

it('a name stands for the full id that it is the short one of, among those that exist', () => {
  const [one = '', other = ''] = IDS;
  const known = () => [other, one, one];
  expect(fullId('pv', shortId('pv', one), known)).toBe(one);
  expect(fullId('pv', shortId('pv', other), known)).toBe(other);
  expect(fullId('pv', shortId('ch', one), known)).toBeUndefined();
  expect(fullId('pv', shortId('pv', contentId('gone')), known)).toBeUndefined();
  expect(fullId('pv', 'pv_x', known)).toBeUndefined();
  expect(fullId('pv', contentId('gone'), known)).toBe(contentId('gone'));
});

it('where nothing can be meant nobody looks for what there is', () => {
  const none = () => {
    throw new Error('was looked for');
  };
  expect(fullId('pv', 'a.yaml', none)).toBeUndefined();
  expect(fullId('pv', contentId('x'), none)).toBe(contentId('x'));
});

// FILE-030: what a killed server left is removed at the next start, and nothing else ever is.
import { linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTAINMENTS, leftovers, place } from '../fixture.ts';

const TEMP = `.config-airlock-${'0123456789ab'.repeat(2)}.0.new`;
const DRAFT = `.config-airlock-${'ab'.repeat(12)}.draft`;

describe.each(CONTAINMENTS)('the sweep (%s)', (containment) => {
  it('FILE-030 removes leftovers at any depth and says how many [WRT-10]', () => {
    const here = place();
    for (const file of [TEMP, DRAFT, `a/${TEMP}`, `a/b/c/${TEMP}`]) here.write(`root/${file}`, 'half');
    here.start(containment);
    expect(here.logged().find(({ event }) => event === 'leftovers_swept')).toMatchObject({
      level: 'warn',
      count: 4,
    });
    expect(['', 'a', 'a/b/c'].flatMap((folder) => leftovers(join(here.root, folder)))).toEqual([]);
  });

  it('leaves alone what only looks similar [WRT-10]', () => {
    const here = place();
    const kept = [
      '.config-airlock-short.0.new',
      `x${TEMP}`,
      `${TEMP}.yaml`,
      '.config-airlock.yaml',
      'a.tmp',
      TEMP.toUpperCase(),
    ];
    for (const name of kept) here.write(`root/${name}`, 'mine');
    here.start(containment);
    expect(readdirSync(here.root).sort()).toEqual([...kept].sort());
  });

  it('leaves links, folders and files with a second name alone', () => {
    const here = place();
    symlinkSync('../outside/s.yaml', join(here.root, TEMP));
    mkdirSync(join(here.root, DRAFT));
    mkdirSync(join(here.root, 'd'));
    linkSync(join(here.outside, 's.yaml'), join(here.root, 'd', TEMP));
    here.start(containment);
    expect(readdirSync(here.root).sort()).toEqual([TEMP, DRAFT, 'd'].sort());
    expect(readFileSync(join(here.root, 'd', TEMP), 'utf8')).toBe('secret: sentinel\n');
  });

  it('does nothing in read-only mode, and does not enter denied folders', () => {
    const here = place();
    here.write(`root/${TEMP}`, 'half');
    here.write(`root/.git/${TEMP}`, 'half');
    here.start(containment, { readOnly: true });
    expect(leftovers(here.root)).toEqual([TEMP]);
    here.start(containment);
    expect([leftovers(here.root), leftovers(join(here.root, '.git'))]).toEqual([[], [TEMP]]);
  });
});

// What a reviewer sees on the page before and after a decision, in a real browser.
import { describe, expect, it } from 'vitest';
import { BASE, swap } from '../fixture.ts';
import { browserForAll, CHROMIUM } from './browser.ts';
import { contentWidth, cutNumbers } from './in-page.mjs';
import { openPage } from './open-page.ts';

const SCALE = [swap('2', '3')];
const need = { rule: 'images', count: 1 };
const dangerous = 'privileged: false\n';

describe.skipIf(CHROMIUM === undefined)('in Chromium, a decision', async () => {
  const newPage = browserForAll();

  it.each([
    { more: { needs: [{ ...need, count: 2 }], proposers: ['ann'] }, reason: 'you proposed it' },
    { more: { needs: [{ ...need, approvers: ['bob'] }] }, reason: 'the rule asks for: bob' },
  ])('that would not count is not offered: $reason', async ({ more, reason }) => {
    const { page: served, propose } = await openPage();
    const id = await propose([swap('shop', 'bakery'), ...SCALE], more);
    const page = await newPage();
    await page.goto(served.url);
    await page.goto(`${page.url()}change/${id}`);
    expect(await page.locator('#decide').innerText()).toContain(`Cannot approve: ${reason}.`);
    expect(await page.getByRole('button', { name: /approve|parts/iu }).count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Reject' }).count()).toBe(1);
  });

  it('leads on: the agent applies it, and the next change is a link away', async () => {
    const { page: served, propose } = await openPage();
    const [first, second] = [await propose(SCALE), await propose([swap('web:1', 'web:2')])];
    const page = await newPage();
    await page.goto(served.url);
    await page.goto(`${page.url()}change/${first}`);
    await page.getByRole('button', { name: 'Approve this change' }).click();
    const decided = page.locator('#decide');
    expect(await decided.innerText()).toContain('Waiting for the agent to apply it.');
    expect(await decided.getByRole('button', { name: /approve/iu }).count()).toBe(0);
    await decided.getByRole('link', { name: 'The next change to decide' }).click();
    await page.waitForURL(`**/change/${second}`);
    await page.getByRole('button', { name: 'Approve this change' }).click();
    expect(await page.getByRole('link', { name: 'The next change to decide' }).count()).toBe(0);
  });

  it('is about what is dangerous first, and the list says so', async () => {
    const { page: served, here, draft, file, previews } = await openPage();
    here.write('root/b.yaml', dangerous);
    await previews.save(draft([file('a.yaml', BASE, SCALE)]));
    await previews.save(draft([file('b.yaml', dangerous, [swap('false', 'true', dangerous)])]));
    const page = await newPage();
    await page.goto(served.url);
    const entries = page.locator('.list > li');
    expect(await entries.first().innerText()).toMatch(/b\.yaml.*High risk.*privileged container/isu);
    expect(await entries.last().innerText()).not.toContain('High risk');
  });

  it('about a line above 9,999 shows the whole number, also on a window of 375 pixels', async () => {
    const { page: served, here, draft, file, previews } = await openPage();
    const long = `${'# a comment\n'.repeat(12_344)}replicas: 2\n`;
    here.write('root/long.yaml', long);
    const saved = await previews.save(draft([file('long.yaml', long, [swap('2', '3', long)])]));
    const page = await newPage();
    await page.goto(served.url);
    await page.goto(`${page.url()}change/${saved?.id}`);
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await page.locator('.number', { hasText: '12345' }).count()).toBe(2);
      expect(await page.evaluate(cutNumbers)).toEqual([]);
      expect(await page.evaluate(contentWidth)).toBeLessThanOrEqual(width);
    }
  });
});

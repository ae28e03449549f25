// The page in a real browser: what a person does there, and what other pages in the same browser try.
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../../harness/wait.ts';
import { swap } from '../fixture.ts';
import { browserForAll, CHROMIUM, otherSite, REBOUND } from './browser.ts';
import { canary, contentWidth, faintTexts, flaws, focused, hidesText, openDetails } from './in-page.mjs';
import { openPage } from './open-page.ts';

const SCALE = [swap('2', '3')];
const HOSTILE = [
  '<script>globalThis.canary = 1; document.title = "owned"</script>',
  '<img src=x onerror="globalThis.canary = 2">',
  '</td></table><svg onload="globalThis.canary = 3">',
  'javascript:globalThis.canary=4 \u202egnp.exe\u200b\u2066 [31m \u2028',
].join('');

describe.skipIf(CHROMIUM === undefined)('in Chromium, the page', async () => {
  const newPage = browserForAll();

  it('lists, shows and takes an approval, without any script', async () => {
    const { page: served, propose, service } = await openPage();
    const id = await propose(SCALE);
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(served.url);
    expect(page.url()).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\/$/u);
    expect(await page.title()).toContain('1 change to decide');
    await page.getByRole('link', { name: 'a.yaml' }).click();
    const diff = await page.locator('.diff').innerText();
    expect(diff).toContain('replicas: 2');
    expect(diff).toContain('replicas: 3');
    expect(await page.locator('.changes').innerText()).toMatch(/replicas.*2.*3/su);
    await page.getByRole('button', { name: 'Approve this change' }).click();
    expect(await page.locator('main').innerText()).toContain('ann approved it');
    expect((await service.open(id)).decisions).toMatchObject([
      { decision: 'approve', reviewer: 'ann', preview: id },
    ]);
    await page.reload();
    expect(await page.getByText('approved', { exact: true }).count()).toBe(1);
  });

  it('shows what a part would make before it takes the approval of it [WEB-6]', async () => {
    const { page: served, propose, service } = await openPage();
    const id = await propose([swap('shop', 'bakery'), swap('2', '3'), swap('web:1', 'web:2')]);
    const page = await newPage({ javaScriptEnabled: false });
    await page.goto(served.url);
    await page.getByRole('link', { name: 'a.yaml' }).click();
    await page.getByText('Approve only a part of it').click();
    const look = page.getByRole('button', { name: 'Show the selected parts' });
    await look.click();
    expect(await page.getByRole('alert').count()).toBe(1);
    expect((await service.open(id)).state).toBe('pending');
    await page.getByText('Approve only a part of it').click();
    await page.getByLabel('Part 1').check();
    await page.getByLabel('Part 3').check();
    await look.click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('2 of 3 parts');
    const diff = await page.locator('.diff').innerText();
    expect(diff).toContain('name: bakery');
    expect(diff).not.toContain('replicas: 3');
    expect((await service.open(id)).state).toBe('pending');
    await page.getByRole('button', { name: 'Approve this part' }).click();
    const partId = page.url().split('/').at(-1) ?? '';
    expect(partId).not.toBe(id);
    expect(await service.open(partId)).toMatchObject({
      state: 'approved',
      origin: { kind: 'part', of: id, kept: [0, 2] },
    });
    expect((await service.open(id)).state).toBe('part');
    expect((await service.open(partId)).decisions).toMatchObject([{ decision: 'approve' }]);
    expect(await page.locator('.diff').first().innerText()).toBe(diff);
  });

  it('shows a hostile change harmless: no script runs, and nothing hidden stays hidden [WEB-4]', async () => {
    const { page: served, propose } = await openPage();
    const id = await propose([swap('web:1', JSON.stringify(HOSTILE))], {
      caller: { name: HOSTILE.slice(0, 90), version: '' },
    });
    const page = await newPage();
    const told = watch(page);
    await page.goto(served.url);
    const list = page.url();
    for (const address of [list, `${list}change/${id}`]) {
      await page.goto(address);
      await expectHarmless(page);
    }
    const shown = await page.locator('.diff').innerText();
    for (const text of ['<script>', 'onerror=', '<U+202E>', '<U+200B>', '<U+2066>', 'gnp.exe'])
      expect(shown).toContain(text);
    // Not one: nothing in the page even tried, so that the policy had nothing to stop.
    expect(told).toEqual([]);
  });

  it('is held by two walls: the escaping alone, and the policy alone [WEB-4]', async () => {
    const { page: served, propose } = await openPage();
    const id = await propose([swap('web:1', JSON.stringify(HOSTILE))]);
    const page = await newPage();
    const told = watch(page);
    await page.goto(served.url);
    const address = `${page.url()}change/${id}`;
    let mode: 'no policy' | 'no escaping' = 'no policy';
    await page.route('**/change/*', async (route) => {
      const response = await route.fetch();
      const { 'content-security-policy': policy = '', ...headers } = response.headers();
      const body = await response.text();
      if (mode === 'no policy') await route.fulfill({ response, headers, body });
      else
        await route.fulfill({
          response,
          headers: { ...headers, 'content-security-policy': policy },
          body: body.replace('</h1>', `</h1>${HOSTILE}<style>h1{color:red}</style>`),
        });
    });
    await page.goto(address);
    await expectHarmless(page);
    mode = 'no escaping';
    await page.goto(address);
    expect(await page.evaluate(canary)).toBeUndefined();
    expect(await page.title()).not.toBe('owned');
    expect(told.join('\n')).toMatch(/content security policy|sandboxed/iu);
    // And the same without either: the canary is one that sings.
    await page.unroute('**/change/*');
    await page.route('**/change/*', (route) =>
      route.fulfill({ contentType: 'text/html', body: `<p>${HOSTILE}` }),
    );
    await page.goto(address);
    expect(await page.evaluate(canary)).toBeDefined();
  });

  it('takes no form from another port of this machine, whatever that knows [WEB-3]', async () => {
    const { page: served, propose, service } = await openPage();
    const id = await propose(SCALE);
    const page = await newPage();
    await page.goto(served.url);
    const token = await page.locator('input[name=token]').first().getAttribute('value');
    const target = `${page.url()}change/${id}/approve`;
    const form = `<form method="post" action="${target}"><input name="token" value="${token}"></form>`;
    const site = await otherSite(`${form}<script>document.forms[0].submit()</script>`);
    const answered = page.waitForResponse((response) => response.url() === target);
    await page.goto(site.origin);
    expect((await answered).status()).toBe(403);
    const script = `fetch(${JSON.stringify(target)}, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'token=${token}' }).finally(() => { document.title = 'done' })`;
    const second = await otherSite(`<script>${script}</script>`);
    await page.goto(second.origin);
    await page.waitForFunction("document.title === 'done'");
    expect((await service.open(id)).state).toBe('pending');
  });

  it('shows its cookie to no other port of this machine [WEB-2]', async () => {
    const { page: served } = await openPage();
    const page = await newPage();
    await page.goto(served.url);
    const site = await otherSite('<p>hello');
    await page.goto(`${site.origin}/`);
    await page.goto(`${site.origin}/history`);
    expect(site.cookies.length).toBeGreaterThanOrEqual(2);
    expect(site.cookies.every((cookie) => cookie === undefined)).toBe(true);
    expect(await page.evaluate('document.cookie')).toBe('');
  });

  it('stays blank in a frame [WEB-3]', async () => {
    const { page: served, propose } = await openPage();
    await propose(SCALE);
    const page = await newPage();
    await page.goto(served.url);
    const site = await otherSite(
      `<iframe src="${page.url()}"></iframe><object data="${page.url()}"></object>`,
    );
    await page.goto(site.origin);
    await page.waitForLoadState('networkidle');
    const texts = await Promise.all(
      page
        .frames()
        .slice(1)
        .map((frame) => frame.content().catch(() => '')),
    );
    expect(texts.join('')).not.toMatch(/change to decide|a\.yaml|Approve/u);
  });

  it('is not reached by another name that leads here (DNS rebinding) [WEB-3]', async () => {
    const { page: served, port, secretPath } = await openPage();
    const page = await newPage();
    for (const name of [REBOUND, 'localhost']) {
      const answer = await page.goto(`http://${name}:${port}${secretPath}`);
      expect(answer?.status(), name).toBe(421);
    }
    expect((await page.goto(served.url))?.status()).toBe(200);
  });

  it('can be walked with the keyboard alone, and shows where one is', async () => {
    const { page: served, propose, service } = await openPage();
    const id = await propose(SCALE);
    const page = await newPage();
    await page.goto(served.url);
    expect(await tabTo(page, 'Skip to the content')).toBe(1);
    await tabTo(page, 'Set replicas in a.yaml');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/change/${id}`);
    await tabTo(page, 'Skip to the content');
    await page.keyboard.press('Enter');
    // The header is behind; what is left are the links, the details and the decision, in the order of reading.
    const steps = await tabTo(page, 'Approve this change');
    expect(steps).toBeLessThanOrEqual(5);
    await page.keyboard.press('Enter');
    await eventually(async () => expect((await service.open(id)).state).toBe('approved'));
  });

  it.each(['light', 'dark'] as const)(
    'is legible where it is %s, on a wide window and on one of 375 pixels',
    async (colorScheme) => {
      const { page: served, propose, service, keys } = await openPage();
      const wide = `${'long-'.repeat(60)}end`;
      const ids = [
        await propose([swap('shop', wide), swap('2', '3')]),
        await propose(SCALE),
        await propose([swap('1', JSON.stringify(HOSTILE))]),
      ];
      await service.reject(ids[1] ?? '', 'y'.repeat(400), keys.bob);
      const page = await newPage({ colorScheme });
      await page.goto(served.url);
      const list = page.url();
      for (const address of [list, `${list}history`, ...ids.map((id) => `${list}change/${id}`)]) {
        await page.goto(address);
        for (const width of [1200, 375]) {
          await page.setViewportSize({ width, height: 800 });
          await page.evaluate(openDetails);
          expect(await page.evaluate(contentWidth), address).toBeLessThanOrEqual(width);
          expect(await page.evaluate(faintTexts), `${address} ${width}`).toEqual([]);
        }
        expect(await page.evaluate(flaws), address).toEqual([]);
      }
    },
  );

  it('is closed to whoever has no session, and says how to open it', async () => {
    const { page: served, secretPath, host } = await openPage();
    const page = await newPage();
    await page.goto(served.url);
    const other = await newPage();
    const answer = await other.goto(`http://${host}${secretPath}`);
    expect(answer?.status()).toBe(403);
    expect(await other.locator('main').innerText()).toContain('config-airlock review --web');
    await page.getByRole('button', { name: 'End session' }).click();
    expect(await page.locator('main').innerText()).toContain('The session has ended');
    expect(await served.ended).toBe('asked');
  });
});

it('needs Chromium for its tests where they must not be left out', () => {
  expect(process.env['NEED_CHROMIUM'] === '1' && CHROMIUM === undefined).toBe(false);
});

/** What the browser complains about, and every dialog. */
/** Chromium says this of the sandbox of the list, which loads itself again. Its policy allows no script from anywhere. */
const OF_THE_LIST =
  'An iframe which has both allow-scripts and allow-same-origin for its sandbox attribute can escape its sandboxing.';

function watch(page: Page): string[] {
  const told: string[] = [];
  page.on('console', (message) => {
    if (message.text() !== OF_THE_LIST) told.push(message.text());
  });
  page.on('pageerror', (error) => told.push(error.message));
  page.on('dialog', (dialog) => {
    told.push('a dialog');
    void dialog.dismiss();
  });
  return told;
}

async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate(canary)).toBeUndefined();
  expect(await page.title()).not.toBe('owned');
  expect(
    await page.locator('script, img, svg, iframe, object, embed, link, base, [onerror], [onload]').count(),
  ).toBe(0);
  expect(await page.evaluate(hidesText)).toBe(false);
}

/** Presses Tab until the element of this name has the focus, with an outline that can be seen; how often. */
async function tabTo(page: Page, name: string): Promise<number> {
  for (let presses = 1; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const { text, outline } = await page.evaluate(focused);
    if (text !== '') expect(outline, text).toMatch(/^(?:solid|auto) [1-9]/u);
    if (text === name) return presses;
  }
  throw new Error(`no Tab leads to ${name}`);
}

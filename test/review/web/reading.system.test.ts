// The page in Chromium started as a person starts it: it opens spare connections, which a server may close, and may never answer
// unasked.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { end } from '../../harness/end.ts';
import { PATIENCE_MS } from '../../harness/wait.ts';
import { swap } from '../fixture.ts';
import { CHROMIUM } from './browser.ts';
import { openPage } from './open-page.ts';

/** The time that a person reads; the listener waits five seconds for the head of a request. */
const READING_MS = 9_000;

describe.skipIf(CHROMIUM === undefined)('whoever reads for long', () => {
  it('still gets to the next page, and decides', async () => {
    const { page: served, propose, service } = await openPage();
    const id = await propose([swap('2', '3')]);
    const page = await plainChromium();
    await page.goto(served.url);
    await pause(READING_MS);
    await page.getByRole('link', { name: 'a.yaml' }).click();
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toContain('a.yaml');
    await pause(READING_MS);
    await page.getByRole('button', { name: 'Approve this change' }).click();
    expect(await page.locator('main').innerText()).toContain('ann approved it');
    expect((await service.open(id)).decisions).toMatchObject([{ decision: 'approve', reviewer: 'ann' }]);
  });
});

/** Starts it with the flags that driving it needs, and with a home of its own. */
async function plainChromium(): Promise<Page> {
  const home = mkdtempSync(join(tmpdir(), 'airlock-chromium-'));
  const isRoot = process.getuid?.() === 0;
  const args = ['--headless=new', '--remote-debugging-port=0', ...(isRoot ? ['--no-sandbox'] : [])];
  const env = { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home };
  const child = spawn(CHROMIUM ?? '', args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(async () => {
    await end(child);
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  for await (const line of createInterface({ input: child.stderr })) {
    const [, address] = /^DevTools listening on (\S+)/u.exec(line) ?? [];
    if (address === undefined) continue;
    const browser = await chromium.connectOverCDP(address);
    const [context] = browser.contexts();
    const page = await context?.newPage();
    page?.setDefaultTimeout(PATIENCE_MS);
    if (page !== undefined) return page;
  }
  throw new Error('Chromium has not started');
}

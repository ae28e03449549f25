// A real Chromium without a window: Debian's package. Where there is none the tests that need it are skipped and
// say so; .ci/run installs it, and fails where it could not.
import { accessSync, constants } from 'node:fs';
import { createServer } from 'node:http';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { PATIENCE_MS } from '../../harness/wait.ts';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export const CHROMIUM = PLACES.find((place) => {
  try {
    accessSync(place, constants.X_OK);
    return true;
  } catch {
    return false;
  }
});

/** Somebody's domain, pointed at this machine. */
export const REBOUND = 'rebound.example';

/** One browser for all tests of a file; each gets a profile of its own. */
export function browserForAll(): (options?: BrowserContextOptions) => Promise<Page> {
  let browser: Browser | undefined;
  beforeAll(async () => {
    const args = [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      `--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`,
    ];
    browser = await chromium.launch({ executablePath: CHROMIUM ?? '', args });
  });
  afterAll(() => browser?.close());
  return async (options = {}) => {
    if (browser === undefined) throw new Error('the browser has not started');
    const context = await browser.newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    onTestFinished(() => context.close());
    return context.newPage();
  };
}

/** Another site on this machine. Keeps the Cookie headers that it is sent. */
export async function otherSite(body: string) {
  const cookies: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    cookies.push(request.headers.cookie);
    response.setHeader('content-type', 'text/html').end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('it listens on a port');
  return { origin: `http://127.0.0.1:${address.port}`, cookies };
}

// What is no plain yes to the very question that was asked is a no, whoever sends it and in whatever frame.

import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Frame } from '../../harness/raw-server.ts';
import { answerTo, type Era, LEGACY, MODERN, send } from './eras.ts';
import { AFTER, type Asking, startAsking } from './ground.ts';

const YES = { action: 'accept', content: { apply: true } };
const FORMS: object = { elicitation: { form: {} } };
const open: Asking[] = [];

afterEach(() => {
  vi.restoreAllMocks();
  for (const server of open.splice(0)) server.remove();
});

async function start(era: Era, { capabilities = FORMS, patienceMs = 60_000 } = {}): Promise<Asking> {
  const server = await startAsking(patienceMs);
  open.push(server);
  await era.greet(server, capabilities);
  return server;
}

/** `ok`, the code of a refusal, or what else it was. */
function outcomeOf({ result, error }: Frame): unknown {
  const data = Object(result?.['structuredContent']);
  return data.ok === true ? 'ok' : (data.error?.code ?? error?.code ?? result?.['resultType']);
}

function expectNothingApplied(server: Asking): void {
  for (const file of ['a.yaml', 'b.yaml'] as const) expect(server.disk(file)).not.toBe(AFTER);
}

/** The preview was not used up by whatever came before. */
async function expectStillApplicable(server: Asking, era: Era): Promise<void> {
  expectNothingApplied(server);
  const asked = await era.ask(server, 500, server.one);
  expect(outcomeOf(await asked.answer(YES))).toBe('ok');
  expect(server.disk('a.yaml')).toBe(AFTER);
}

describe.each([...LEGACY, MODERN])('in revision $name', (era) => {
  it('a yes applies what was shown, and others are served while the person thinks', async () => {
    const server = await start(era);
    const asked = await era.ask(server, 1, server.one);
    expect(asked.message).toContain('    │ -n: 1\n    │ +n: 2');
    expect(asked.schema).toMatchObject({ type: 'object', required: ['apply'] });
    expect(outcomeOf(await era.call(server, 2, 'config_get', { file: 'a.yaml' }))).toBe('ok');
    expectNothingApplied(server);
    expect(outcomeOf(await asked.answer(YES))).toBe('ok');
    expect(server.disk('a.yaml')).toBe(AFTER);
    expect(server.disk('b.yaml')).not.toBe(AFTER);
  });

  const NO = 'APPROVAL_DECLINED';
  const NONE = 'APPROVAL_UNAVAILABLE';
  it.each([
    { code: NO, answer: { action: 'decline' }, why: 'no' },
    { code: NO, answer: { action: 'cancel' }, why: 'a question closed without an answer' },
    { code: NO, answer: { action: 'accept', content: { apply: false } }, why: 'a form sent unticked' },
    { code: NO, answer: { action: 'decline', content: { apply: true } }, why: 'no, and ticked' },
    { code: NONE, answer: { action: 'accept' }, why: 'a yes without the field' },
    { code: NONE, answer: { action: 'accept', content: {} }, why: 'an empty form' },
    { code: NONE, answer: { action: 'accept', content: { apply: 'true' } }, why: 'a text' },
    { code: NONE, answer: { action: 'accept', content: { apply: true, all: true } }, why: 'more than asked' },
    { code: NONE, answer: {}, why: 'nothing' },
  ])('$why is $code, and leaves file and preview as they were [APR-10]', async ({ answer, code }) => {
    const server = await start(era);
    const asked = await era.ask(server, 1, server.one);
    expect(outcomeOf(await asked.answer(answer))).toBe(code);
    await expectStillApplicable(server, era);
  });

  it.each([
    { capabilities: {}, why: 'nothing' },
    { capabilities: { elicitation: { url: {} } }, why: 'pages only' },
  ])('a client that declares $why is not asked (WORK-014) [APR-10]', async ({ capabilities }) => {
    const server = await start(era, { capabilities });
    const outcome = await era.call(server, 1, 'config_apply', { preview_id: server.one });
    expect(outcomeOf(outcome)).toBe('APPROVAL_UNAVAILABLE');
    expectNothingApplied(server);
  });

  it('an answer to a question that was not asked yet is none (WORK-013)', async () => {
    const server = await start(era);
    for (const id of [0, 1, '0', '1']) send(server, { id, result: YES });
    const asked = await era.ask(server, 1, server.one, { inputResponses: { approval: YES } });
    expectNothingApplied(server);
    expect(outcomeOf(await asked.answer(YES))).toBe('ok');
  });

  it('a question about another preview has to wait for the end of the first [APR-12]', async () => {
    const server = await start(era);
    const asked = await era.ask(server, 1, server.one);
    expect(outcomeOf(await era.call(server, 2, 'config_apply', { preview_id: server.two }))).toBe('BUSY');
    expect(outcomeOf(await asked.answer(YES))).toBe('ok');
    const next = await era.ask(server, 3, server.two);
    expect(outcomeOf(await next.answer(YES))).toBe('ok');
  });

  it('nothing else that a call can hold stands for a yes [APR-11]', async () => {
    const server = await start(era);
    const claims = { confirmed: 'client', apply: true, approval: YES };
    const args = { preview_id: server.one, ...claims };
    const outcome = await era.call(server, 1, 'config_apply', args);
    expect(outcomeOf(outcome)).toBe('ARGUMENT_INVALID');
    await era.ask(server, 2, server.one, claims);
    expectNothingApplied(server);
  });
});

describe.each(LEGACY)('a request of the server, in revision $name', (era) => {
  it('is taken back when its time is up, and an answer after that is none [APR-10]', async () => {
    const server = await start(era, { patienceMs: 50 });
    const asked = await era.ask(server, 1, server.one);
    expect(await server.next()).toMatchObject({ method: 'notifications/cancelled' });
    expect(outcomeOf(await answerTo(server, 1))).toBe('APPROVAL_UNAVAILABLE');
    send(server, { id: asked.key, result: YES });
    await era.call(server, 2, 'config_get', { file: 'a.yaml' });
    expectNothingApplied(server);
  });

  it('that is answered with an error is not answered', async () => {
    const server = await start(era);
    const asked = await era.ask(server, 1, server.one);
    send(server, { id: asked.key, error: { code: -32601, message: 'Method not found' } });
    expect(outcomeOf(await answerTo(server, 1))).toBe('APPROVAL_UNAVAILABLE');
    await expectStillApplicable(server, era);
  });

  it.each([[[]], ['yes'], [null], [7]])('is over at once with an answer that is none: %j', async (result) => {
    const server = await start(era);
    const asked = await era.ask(server, 1, server.one);
    expect(outcomeOf(await asked.answer(result))).toBe('APPROVAL_UNAVAILABLE');
    await expectStillApplicable(server, era);
  });

  it('ends with the call that it is about', async () => {
    const server = await start(era);
    const asked = await era.ask(server, 1, server.one);
    send(server, { method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await server.next()).toMatchObject({
      method: 'notifications/cancelled',
      params: { requestId: asked.key },
    });
    send(server, { id: asked.key, result: YES });
    await era.call(server, 2, 'config_get', { file: 'a.yaml' });
    await expectStillApplicable(server, era);
  });

  it('ends with the input', async () => {
    const server = await start(era);
    await era.ask(server, 1, server.one);
    server.end();
    expect(outcomeOf(await answerTo(server, 1))).toBe('APPROVAL_UNAVAILABLE');
    await server.closed;
    expectNothingApplied(server);
  });

  it('is no longer the one that counts once the same preview was asked about again', async () => {
    const server = await start(era);
    const first = await era.ask(server, 1, server.one);
    const second = await era.ask(server, 2, server.one);
    expect(outcomeOf(await first.answer(YES))).toBe('APPROVAL_UNAVAILABLE');
    expectNothingApplied(server);
    expect(outcomeOf(await second.answer(YES))).toBe('ok');
  });
});

describe('a result that asks', () => {
  const answer = (server: Asking, requestState: unknown, preview: string, approval: unknown = YES) => {
    const more = { requestState, inputResponses: { approval } };
    return MODERN.call(server, 700, 'config_apply', { preview_id: preview }, more).then(outcomeOf);
  };

  it('takes one answer [APR-11]', async () => {
    const server = await start(MODERN);
    const { key } = await MODERN.ask(server, 1, server.one);
    expect(await answer(server, key, server.one, { action: 'decline' })).toBe('APPROVAL_DECLINED');
    expect(await answer(server, key, server.one)).toBe('APPROVAL_UNAVAILABLE');
    expectNothingApplied(server);
    const next = await MODERN.ask(server, 2, server.one);
    expect(await answer(server, next.key, server.one)).toBe('ok');
    expect(await answer(server, next.key, server.one)).toBe('APPROVAL_UNAVAILABLE');
  });

  it('takes none for another preview (WORK-011) [APR-10]', async () => {
    const server = await start(MODERN);
    const { key } = await MODERN.ask(server, 1, server.one);
    expect(await answer(server, key, server.two)).toBe('APPROVAL_UNAVAILABLE');
    expect(await answer(server, key, server.one)).toBe('APPROVAL_UNAVAILABLE');
    await expectStillApplicable(server, MODERN);
  });

  it('takes none when its time is up', async () => {
    const server = await start(MODERN, { patienceMs: 60_000 });
    const { key } = await MODERN.ask(server, 1, server.one);
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    expect(await answer(server, key, server.one)).toBe('APPROVAL_UNAVAILABLE');
    expectNothingApplied(server);
  });

  it('is no longer the one that counts once the same preview was asked about again', async () => {
    const server = await start(MODERN);
    const earlier = await MODERN.ask(server, 1, server.one);
    const later = await MODERN.ask(server, 2, server.one);
    expect(await answer(server, earlier.key, server.one)).toBe('APPROVAL_UNAVAILABLE');
    expect(await answer(server, later.key, server.one)).toBe('ok');
  });

  it('is worth nothing after a restart, or on another connection [APR-11]', async () => {
    const first = await start(MODERN);
    const { key } = await MODERN.ask(first, 1, first.one);
    const second = await start(MODERN);
    await MODERN.ask(second, 1, second.one);
    expect(await answer(second, key, second.one)).toBe('APPROVAL_UNAVAILABLE');
    await expectStillApplicable(second, MODERN);
  });

  const FORGED: readonly { why: string; of: (state: string) => string }[] = [
    { why: 'is made up', of: () => 'v1.e30.AAAA' },
    { why: 'has no signature', of: (state) => state.slice(0, state.lastIndexOf('.') + 1) },
    { why: 'has a letter changed', of: (state) => state.replace(/Z(?=[^.]*$)|[^Z](?=[^.]*$)/, 'Z') },
    {
      why: 'has a later end',
      of: (state) => {
        const [version, body = '', signature] = state.split('.');
        const held = JSON.parse(Buffer.from(body, 'base64url').toString());
        const longer = Buffer.from(JSON.stringify({ ...held, exp: held.exp + 9 })).toString('base64url');
        return [version, longer, signature].join('.');
      },
    },
  ];

  it.each(FORGED)('takes no state that $why, and still takes the true one [APR-11]', async ({ of }) => {
    const server = await start(MODERN);
    const { key } = await MODERN.ask(server, 1, server.one);
    expect(await answer(server, of(String(key)), server.one)).toBe('APPROVAL_UNAVAILABLE');
    expectNothingApplied(server);
    expect(await answer(server, key, server.one)).toBe('ok');
  });

  it.each([
    { state: null, why: 'null' },
    { state: { preview: 'one' }, why: 'an object' },
  ])('takes no state that is $why, which the protocol forbids', async ({ state }) => {
    const server = await start(MODERN);
    expect(await answer(server, state, server.one)).toBe(-32602);
    expectNothingApplied(server);
  });

  it.each([
    { inputResponses: undefined, why: 'missing' },
    { inputResponses: { apply: YES }, why: 'under another name' },
    { inputResponses: { approval: { method: 'elicitation/create', result: YES } }, why: 'wrapped' },
    { inputResponses: 'yes', why: 'a text' },
  ])('takes no answer that is $why', async ({ inputResponses }) => {
    const server = await start(MODERN);
    const { key } = await MODERN.ask(server, 1, server.one);
    const more = { requestState: key, inputResponses };
    const outcome = await MODERN.call(server, 2, 'config_apply', { preview_id: server.one }, more);
    expect(outcomeOf(outcome)).toBe('APPROVAL_UNAVAILABLE');
    await expectStillApplicable(server, MODERN);
  });
});

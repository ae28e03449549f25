// --approval client, from a preview to the bytes on the disk, through the built command and real clients of every
// generation: the person at the client decides, and nobody else.

import { describe, expect, it } from 'vitest';
import { GENERATIONS, type Generation, type Person } from '../harness/clients.ts';
import { FILES, preview, SET, SET_TEXT, sharedStage } from '../harness/previews.ts';
import { trailOf } from '../harness/state.ts';

const YES: Person = async () => ({ action: 'accept', content: { apply: true } });
const NO: Person = async () => ({ action: 'decline' });
const FLAGS = ['--approval', 'client'];

/** What the person answers, test by test. */
let answers: Person = NO;
const asking = {
  v1: sharedStage(FLAGS, FILES, { client: 'v1', person: (message) => answers(message) }),
  'v2-legacy': sharedStage(FLAGS, FILES, { client: 'v2-legacy', person: (message) => answers(message) }),
  'v2-modern': sharedStage(FLAGS, FILES, { client: 'v2-modern', person: (message) => answers(message) }),
};

function opened(client: Generation, person: Person) {
  answers = person;
  return asking[client]();
}

describe.each(GENERATIONS)('with a client of generation %s', (client) => {
  it('a yes applies what the person read, and stands in reply and trail', async () => {
    const read: string[] = [];
    const { at, server } = await opened(client, (message) => {
      read.push(message);
      return YES(message);
    });
    const id = await preview(server);
    const { data } = await server.ok('config_apply', { preview_id: id });
    expect(data).toMatchObject({ applied: true, confirmed_by: 'client' });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
    expect(read).toHaveLength(1);
    expect(read[0]).toContain('    │ -a: 1 # one\n    │ +a: 7 # one');
    expect(trailOf(at.state)).toContainEqual(
      expect.objectContaining({ type: 'begun', confirmed_by: 'client', about: id }),
    );
  });

  it('a no leaves the file, the preview and a record [APR-10]', async () => {
    const { at, server } = await opened(client, NO);
    const before = at.disk('a.yaml');
    const id = await preview(server);
    const refused = await server.refused('config_apply', { preview_id: id });
    expect(refused).toMatchObject({ code: 'APPROVAL_DECLINED' });
    expect(at.disk('a.yaml')).toBe(before);
    expect(trailOf(at.state).slice(-2)).toMatchObject([
      { type: 'declined', about: id, files: [{ file: 'a.yaml' }] },
      { type: 'refused', tool: 'config_apply', code: 'APPROVAL_DECLINED', named: id },
    ]);
    answers = YES;
    await server.ok('config_apply', { preview_id: id });
    expect(at.disk('a.yaml')).toBe(SET_TEXT);
  });
});

it('no dry run, no argument and no preview of another server goes round the question', async () => {
  const { at, server } = await opened('v1', NO);
  const before = at.disk('a.yaml');
  expect((await server.refused('config_set', { ...SET, dry_run: false })).code).toBe('PREVIEW_REQUIRED');
  const id = await preview(server);
  const claims = { preview_id: id, confirmed: 'client' };
  expect((await server.refused('config_apply', claims)).code).toBe('ARGUMENT_INVALID');
  const lax = await at.start(['--approval', 'preview']);
  const other = await preview(lax);
  expect((await server.refused('config_apply', { preview_id: other })).code).toBe('PREVIEW_EXPIRED');
  expect(at.disk('a.yaml')).toBe(before);
});

it('a file that has moved on is told before anybody is asked', async () => {
  let questions = 0;
  const { at, server } = await opened('v1', async () => {
    questions += 1;
    return { action: 'decline' };
  });
  const id = await preview(server);
  at.write('a.yaml', 'a: 5 # one\nb: 2\n');
  expect((await server.refused('config_apply', { preview_id: id })).code).toBe('FILE_CHANGED');
  expect(questions).toBe(0);
});

it('a file that moves on while the person thinks is not written', async () => {
  const { at, server } = await opened('v2-modern', async (message) => {
    at.write('a.yaml', 'a: 5 # one\nb: 2\n');
    return YES(message);
  });
  const id = await preview(server);
  expect((await server.refused('config_apply', { preview_id: id })).code).toBe('FILE_CHANGED');
  expect(at.disk('a.yaml')).toBe('a: 5 # one\nb: 2\n');
});

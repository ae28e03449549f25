// A canary in each kind of place in which a secret is masked, every tool and every view, what is kept and logged, and what
// reviewers see: it is in none of them.
import { describe, expect, it } from 'vitest';
import { TOOLS } from '../../../src/tools/index.ts';
import { sharedStage } from '../../harness/previews.ts';
import { timesOf } from '../../harness/runs.ts';
import { withDatabase } from '../../harness/state.ts';
import type { ToolServer } from '../../harness/tool-server.ts';
import { CANARY, FLAGS, type MaskedPlace, NO_SECRETS, PLACES } from './places.ts';

const open = sharedStage([...FLAGS, '--log-level', 'debug'], { 'x.yaml': 'x: 1\n' });

const unmasked = sharedStage(['--no-mask'], {});

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>];

/** Each tool on the file, with arguments that nearly hit the secret, and those that bring about errors. */
function calls({ file, path = 'x' }: MaskedPlace): readonly Call[] {
  const edit = (...edits: readonly object[]): Call => ['config_edit', { edits }];
  return [
    ...['source', 'outline', 'value', 'raw'].map((view): Call => ['config_get', { file, view }]),
    ...['source', 'outline', 'value'].map((view): Call => ['config_get', { file, path, view }]),
    ['config_get', { file, path: `${path}.deeper` }],
    ['config_get', { file, path: `${path}[0]` }],
    ['config_get', { file, path: '**' }],
    ['config_get', { file, path: 'env[name=x].value' }],
    ['config_list', {}],
    ['config_search', { key: '*', pattern: file }],
    ['config_search', { value: '*kanari*', pattern: file }],
    ['config_search', { text: CANARY.slice(0, 8), pattern: file }],
    ['config_search', { where: '!=x', pattern: file }],
    ['config_search', { key: 'nothing', where: 'missing', pattern: file }],
    ['config_diff', { a: { file }, b: { file: 'x.yaml' } }],
    ['config_diff', { a: { file: 'x.yaml' }, b: { file, path } }],
    ['config_validate', { file }],
    ['config_validate', { file, schema: 'schema.json' }],
    ['config_validate', { pattern: '**' }],
    ['config_set', { file, path, value: 'guess-1' }],
    ['config_set', { file, path, value: '$' + '{REFERENCE}' }],
    ['config_set', { file, path: `${path}x`, value: '1' }],
    ['config_set', { file, path, value: '[' }],
    ['config_set', { file, path, json: { a: 1 } }],
    ['config_set', { file, path, json: 1, expected_sha256: '0'.repeat(64) }],
    edit({ op: 'set', file, path: '**', value: '1', from: 'guess', expect: 3 }),
    edit({ op: 'delete', file, path }),
    edit({ op: 'rename', file, path, new_key: 'note' }),
    edit({ op: 'copy', file, path, to: '', key: 'note' }),
    edit({ op: 'append', file, path, value: '1' }),
    edit({ op: 'merge', file, path: '', json: { y: 2 } }),
    edit({ op: 'comment', file, path, comment: 'c' }),
    edit({ op: 'comment', file, path: '', comment: 'c' }),
    edit({ op: 'replace_text', file, old_text: 'guess', new_text: 'x' }),
    edit({ op: 'replace_text', file, old_text: 'x', new_text: 'y' }),
    edit({ op: 'create_file', file, content: 'a: 1\n' }),
    edit({ op: 'add_document', file, json: { a: 1 } }),
    edit({ op: 'copy', file, path, to: '', to_file: 'x.yaml', key: 'password' }),
    edit({ op: 'delete_file', file }),
    ['config_history', {}],
    ['explain_error', { code: 'POLICY_DENIED' }],
    ['list_capabilities', {}],
  ];
}

/** Each way to ask whether a value is this one. */
function questions({ file, path = 'x', text }: MaskedPlace): readonly ((guess: string) => Call)[] {
  const edit = (more: object): Call => ['config_edit', { edits: [{ file, ...more }] }];
  const parent = path.replace(/[.[][^.[]*$/u, '');
  return [
    (value) => ['config_search', { pattern: file, value }],
    (guess) => ['config_search', { pattern: file, value: `${guess.slice(0, 3)}*` }],
    (text) => ['config_search', { pattern: file, text }],
    (guess) => ['config_search', { pattern: file, where: `=${guess}` }],
    (guess) => ['config_search', { pattern: file, where: `!=${guess}` }],
    (guess) => ['config_get', { file, path: `${parent}[value=${guess}]` }],
    (value) => ['config_set', { file, path, value }],
    (value) => ['config_set', { file, path, json: value }],
    (from) => edit({ op: 'set', path, value: '1', from }),
    (from) => edit({ op: 'delete', path: '**', from, expect: 1 }),
    (guess) => edit({ op: 'delete', path: `${parent}[value=${guess}]` }),
    (guess) => edit({ op: 'replace_text', old_text: guess, new_text: guess }),
    (guess) => edit({ op: 'replace_text', path, old_text: guess.slice(0, 5), new_text: 'x' }),
    (guess) => edit({ op: 'append', path: '', value: `copy: ${guess}` }),
    (guess) => edit({ op: 'merge', path: '', json: { guess, password: guess } }),
    (guess) => edit({ op: 'comment', path: '', comment: `password: ${guess}` }),
    (before) => edit({ op: 'insert', path: parent, before, value: 'x' }),
    (after) => edit({ op: 'copy', path, to: parent, after }),
    (guess) => edit({ op: 'create_file', file: `new-${file}`, content: text(guess) }),
  ];
}

const [RIGHT, WRONG] = ['Zq7mXv2Kw9bRt4Lp', 'Jw4nTd8Gy3cVk6Hs'];

/** With a letter for what was asked, and without ids, hashes and times. */
async function answered(server: ToolServer, question: (guess: string) => Call, guess: string) {
  const said = JSON.stringify(await server.callTool(...question(guess)));
  return [guess, guess.slice(0, 5), guess.slice(0, 3)]
    .reduce((text, part, index) => text.replaceAll(part, `G${index}`), said)
    .replaceAll(/\b(?:pv|ch)_[0-9a-z]{10}\b|\b[0-9a-f]{12,64}\b|\d{4}-\d\d-\d\dT[\d:.]+Z/gu, '…');
}

describe('a masked value leaves in nothing [DIS-9]', () => {
  it.each(PLACES)('$why; and a right guess is answered as a wrong one [DIS-10]', async (place) => {
    const { at, server } = await open();
    at.write(place.file, place.text(CANARY));
    at.write('schema.json', '{"additionalProperties": {"type": "boolean", "pattern": "^z"}}\n');
    const used = new Set<string>();
    const hears = (tool: string, said: unknown) =>
      expect(JSON.stringify(said), `${tool} of ${place.why}`).not.toContain(CANARY);
    let applied = 0;
    for (const [tool, args] of calls(place)) {
      used.add(tool);
      const outcome = await server.callTool(tool, args);
      hears(`${tool} ${JSON.stringify(args)}`, outcome);
      const id = outcome.data['preview_id'];
      if (typeof id !== 'string' || applied > 2) continue;
      hears('its preview', await server.callTool('config_history', { preview_id: id }));
      const change = await server.callTool('config_apply', { preview_id: id });
      used.add('config_apply');
      hears('its change', change);
      hears('its record', await server.callTool('config_history', { change_id: change.data['change_id'] }));
      const before = { file: place.file, before_change: change.data['change_id'] };
      hears('its difference', await server.callTool('config_diff', { a: before, b: { file: place.file } }));
      hears(
        'it undone',
        await server.callTool('config_revert', { change_id: change.data['change_id'], dry_run: false }),
      );
      used.add('config_revert');
      applied += 1;
      at.write(place.file, place.text(CANARY));
    }
    expect([...used].sort()).toEqual(TOOLS.map(({ name }) => name).sort());
    expect(server.log()).not.toContain(CANARY);
    expect(server.stderr()).not.toContain(CANARY);
    const kept = withDatabase(at.state, (database) =>
      ['body AS text FROM previews', 'bases AS text FROM texts', 'body AS text FROM trail'].flatMap((part) =>
        database.all(`SELECT ${part}`).map(({ text }) => String(text)),
      ),
    );
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.filter((text) => text.includes(CANARY))).toEqual([]);
    // At each change a third of the places.
    if (PLACES.indexOf(place) % timesOf(3, 1) > 0) return;
    at.write(place.file, place.text(RIGHT));
    for (const question of questions(place)) {
      const [right, wrong] = [
        await answered(server, question, RIGHT),
        await answered(server, question, WRONG),
      ];
      expect(right, JSON.stringify(question('G'))).toBe(wrong);
    }
    expect(at.disk(place.file)).toBe(place.text(RIGHT));
  });
});

it('shows references, names of Secrets, durations, versions and files of keys [DIS-9]', async () => {
  const { at, server } = await open();
  at.write('a.yaml', NO_SECRETS);
  expect((await server.ok('config_get', { file: 'a.yaml' })).text).not.toContain('<secret:');
});

it('is noticed where nothing is masked', async () => {
  const { at, server } = await unmasked();
  at.write('a.yaml', `password: ${CANARY}\n`);
  expect((await server.ok('config_get', { file: 'a.yaml' })).text).toContain(CANARY);
  await server.ok('config_set', { file: 'a.yaml', path: 'password', value: 'an agent may say it here' });
});

// `npm run demo`: one minute with the built server, over stdio, as a client would use it, and with the person who
// approves, at a terminal. Works on a copy of examples/ in a temp folder, checks what it shows, and exits 1 when
// anything is not as it should be. Without util-linux `script` there is no person, and previews are enough.
import assert from 'node:assert/strict';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { compare, photograph } from './demo/compare.mjs';
import { atTerminal, HAS_TERMINAL } from './demo/person.mjs';
import {
  caption,
  command,
  diff,
  failure,
  farewell,
  notes,
  refusal,
  reply,
  request,
  screen,
  title,
  verdict,
} from './demo/stage.mjs';

const HOME = fileURLToPath(new URL('..', import.meta.url));
const FILE = 'deploy/storefront.yaml';
const DEPLOYMENT = { kind: 'Deployment' };
const REPLICAS = { file: FILE, doc: DEPLOYMENT, path: 'spec.replicas', json: 3 };

const ERRAND = [
  { op: 'set', file: 'helm/values.yaml', path: 'image.tag', value: '1.20' },
  { op: 'set', file: 'compose.yaml', path: 'x-logging.options.max-size', json: '20m' },
  {
    op: 'comment',
    file: 'compose.yaml',
    path: 'x-logging',
    comment: 'a week of logs, not a day',
    place: 'line_end',
  },
];

const TEMP = realpathSync(tmpdir());
const folder = mkdtempSync(join(TEMP, 'config-airlock-demo-'));
const root = join(folder, 'shop');
/** Out of the agent's reach: the reviewer's key, who may approve, and what is kept of previews and changes. */
const office = mkdtempSync(join(TEMP, 'config-airlock-demo-office-'));
const PASSPHRASE = 'a made-up passphrase';
const CLI = join(HOME, 'dist', 'cli.js');
const REVIEWERS = join(office, 'reviewers');
const POLICY = join(office, 'policy.yaml');
const OPTIONS = [
  ...['--root', root, '--state-dir', join(office, 'state'), '--policy', POLICY],
  ...(HAS_TERMINAL ? ['--reviewers', REVIEWERS] : []),
];
/** Where there is no terminal, nobody could sign. */
const RULES = `default: ${HAS_TERMINAL ? 'human' : 'preview'}
rules:
  - id: copies
    paths: [replicaCount]
    ops: [add, remove, replace]
    value: { type: integer, minimum: 1, maximum: 10 }
    then: preview
    else: deny
    say: From 1 to 10. More is ordered with the platform team.
`;
const COPIES = { file: 'helm/values.yaml', path: 'replicaCount' };
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [CLI, ...OPTIONS],
  stderr: 'pipe',
});
const client = new Client({ name: 'demo', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } });
let log = { text: '' };

try {
  const hasLink = setTheScene();
  if (HAS_TERMINAL) await makeKey();
  log = listen(transport.stderr);
  await client.connect(transport);
  await tour(hasLink);
} catch (error) {
  failure(error instanceof Error ? error.message : String(error));
  process.stderr.write(`\nThe server said:\n${log.text}\n`);
  process.exitCode = 1;
} finally {
  await client.close();
  for (const place of [folder, office]) rmSync(place, { recursive: true, force: true });
}

/** @param {boolean} hasLink */
async function tour(hasLink) {
  const before = photograph(folder);
  const beforeText = readFileSync(join(root, FILE), 'utf8');

  title(
    'config-airlock, in one minute',
    'An agent has been let into the configuration of a small bookshop: a temporary copy of examples/. ' +
      'You sit beside it and read along. Everything below is a real call to a real server over stdio.',
  );

  caption('First it looks around. It sees the files that the policy lets through, and no others.');
  const list = await call('config_list', {}, 12);
  assert.match(list.text, /deploy\/storefront\.yaml/);
  assert.doesNotMatch(list.text, /\.env|shadow/);
  verdict(
    `An .env file${hasLink ? ' and a link that leads outside lie' : ' lies'} in there, too. The list does not say so.`,
  );

  caption('A map before the details: keys, kinds and lines, without a single value.');
  await call('config_get', { file: 'helm/values.yaml', view: 'outline' }, 14);

  caption('Now one node. It comes back as it stands in the file, byte for byte, spacing included.');
  const path = 'spec.template.spec.containers[0].resources';
  const slice = await call('config_get', { file: FILE, doc: DEPLOYMENT, path }, 6);
  assert.ok(beforeText.includes(slice.text), 'the slice must be a piece of the file');
  verdict('Even the hand-aligned braces.');

  caption(
    'Three copies of the shop, please. Nothing is written yet: an edit is a preview unless it says otherwise.',
  );
  const preview = await call('config_set', REPLICAS, 0);
  diff(String(preview.structured['diff']));
  assert.equal(preview.structured['applied'], undefined);
  assert.deepEqual(photograph(folder), before, 'a preview must not touch a file');
  verdict(
    'The comment keeps its column. The other "replicas: 3", inside the ConfigMap, is text of a text ' +
      'and was left alone. The file on disk is untouched.',
  );

  caption('Then the agent gets ideas. Up and out:');
  await refused({ file: '../../etc/passwd' }, ['PATH_INVALID', 'PATH_OUTSIDE_ROOT']);

  if (hasLink) {
    caption('Or along a link that somebody left in the folder, pointing outside:');
    await refused({ file: 'deploy/shadow.yaml' }, ['SYMLINK_REFUSED']);
  }

  caption('Or a look into .env, where the shop keeps its (made-up) secrets:');
  await refused({ file: '.env' }, ['PATH_DENIED']);
  assert.deepEqual(photograph(folder), before, 'a refusal must not touch a file');
  verdict('Refused each time, with a code, a reason and a way on. What stands out there stays unsaid.');

  const id = String(preview.structured['preview_id']);
  if (HAS_TERMINAL) {
    caption('And may it write? Not by itself: no rule of the policy lets this one pass without a person.');
    await refused({ preview_id: id }, ['APPROVAL_REQUIRED'], 'config_apply');

    caption(
      'So you go to another terminal, where the agent is not, read the change, and sign it with your key.',
    );
    const approved = await person(
      ['approve', id],
      [
        ['Type yes', 'yes'],
        ['Passphrase', PASSPHRASE],
      ],
    );
    assert.match(approved, /^Approved/m);
    verdict('The server knows the public half of the key only: nobody else can say yes.');
  }

  caption('Now exactly that preview can be applied: those bytes, if the file is still the same, once.');
  const applied = await call('config_apply', { preview_id: id }, 0);
  assert.equal(applied.structured['applied'], true);
  assert.equal(applied.structured['confirmed_by'], HAS_TERMINAL ? 'human' : 'preview');
  const change = String(applied.structured['change_id']);
  verdict('Applied: a new file was written beside the old one, flushed, and put in its place in one step.');

  caption('The same call once more:');
  await refused({ preview_id: id }, ['PREVIEW_USED'], 'config_apply');

  caption(
    'A bigger errand: a batch over two files, all or nothing. It says what else moves, and what to look at twice.',
  );
  const batch = await call('config_edit', { edits: ERRAND }, 0);
  diff(String(batch.structured['diff']));
  notes(batch.text);
  assert.equal(String(batch.structured['diff']).match(/^--- /gmu)?.length, 2, 'one diff for each file');
  assert.match(batch.text, /services\.web\.logging/, 'the alias must be named');
  assert.match(batch.text, /1\.20 is the number 1\.2/, 'the trap must be named');
  verdict(
    'One diff a file. Five places follow the anchor, and 1.20 without quotes is a number: good to know first.',
  );

  caption("And what has really changed? This diff is the demo's own: it read the folder before and after.");
  const after = photograph(folder);
  const seen = compare(beforeText, readFileSync(join(root, FILE), 'utf8'), FILE);
  diff(seen.text);
  assert.deepEqual([seen.removed, seen.added], [1, 1], 'one line must have changed');
  assert.match(seen.text, /^\+ {2}replicas: 3 {17}# two, so that one can fall over$/m);
  const changed = [...after.keys(), ...before.keys()].filter((name) => before.get(name) !== after.get(name));
  assert.deepEqual([...new Set(changed)], [`shop/${FILE}`], 'one file must have changed');
  const inside = [...before.keys()].filter((name) => name.startsWith('shop/')).length;
  verdict(`One line of ${seen.lines}, in one file of ${inside}. Every other byte is the byte it was.`);

  if (HAS_TERMINAL) await takeItBack(change, before);
  await underRules();

  farewell(
    'That is the airlock: look, preview, approve, then apply exactly what was previewed. ' +
      'README.md says how to point your own agent at your own folder.',
  );
}

/** What needs nobody, what nobody can allow, and what is never shown. */
async function underRules() {
  caption('People are asked rarely: the policy lets small changes pass. From 1 to 10 copies need nobody.');
  const small = await call('config_set', { ...COPIES, json: 4 }, 0);
  diff(String(small.structured['diff']));
  assert.match(small.text, /copies \(preview\)/, 'the rule must be named');
  const id = String(small.structured['preview_id']);
  const applied = await call('config_apply', { preview_id: id }, 0);
  assert.equal(applied.structured['confirmed_by'], 'preview');
  verdict('Applied, by the rule "copies", and nobody was asked.');

  caption('Forty? Nobody can allow that, and the agent is told by which rule, and what would pass.');
  const denied = await send('config_set', { ...COPIES, json: 40 });
  const { code, message } = record(denied.structured['error']);
  assert.equal(code, 'POLICY_DENIED');
  assert.match(denied.text, /platform team/, 'it must be told what the operator says');
  assert.match(denied.text, /"json":10/, 'and what would pass');
  refusal(code, message);
  reply(denied.text.split('\n').slice(2).join('\n'), 3);
  verdict('Nobody is asked in vain, and the way on is a call that works.');

  caption('And the key of the till, in a file that the agent may read?');
  const till = await call('config_get', { file: 'deploy/till.yaml' }, 8);
  assert.match(till.text, /<secret:\w+>/, 'a secret must be masked');
  assert.doesNotMatch(JSON.stringify(till), /made-up/, 'and never shown');
  verdict('It sees that there is one, and not what it is. It cannot unmask it by an edit either.');
}

/**
 * What is known of a change afterwards, and how a person undoes it.
 * @param {string} change
 * @param {ReturnType<typeof photograph>} before
 */
async function takeItBack(change, before) {
  caption('What was done stays known: who asked, who approved, and when.');
  const history = await person(['history'], []);
  assert.match(history, /confirmed by human \(ann\)/);

  caption('Second thoughts? The change is taken back by you, and that is shown, asked and signed as well.');
  const undone = await person(
    ['undo', change],
    [
      ['Type yes', 'yes'],
      ['Passphrase', PASSPHRASE],
    ],
  );
  assert.match(undone, /^Undone/m);
  assert.deepEqual(photograph(folder), before, 'every file must be as it was in the beginning');
  verdict('Every byte of the folder is the byte that it was in the beginning.');

  caption('And the books? Every proposal, approval, write and undo is a link of one chain.');
  const audit = await person(['audit', 'verify'], []);
  assert.match(audit, /^The audit trail is intact/m);
}

/** The reviewer's key, and the file that says whose it is. The operator would do this once. */
async function makeKey() {
  const { text, status } = await atTerminal(
    [process.execPath, CLI, 'keygen', 'ann'],
    [
      ['Passphrase', PASSPHRASE],
      ['again', PASSPHRASE],
    ],
    { HOME: office },
  );
  const line = /^ann ed25519:\S+$/m.exec(text)?.[0];
  assert.ok(status === 0 && line !== undefined, `there must be a key, but: ${text}`);
  writeFileSync(REVIEWERS, `${line}\n`, { mode: 0o600 });
}

/**
 * A person runs a command at a terminal, reads and answers.
 * @param {readonly string[]} words
 * @param {readonly (readonly [string, string])[]} answers
 */
async function person(words, answers) {
  command(['config-airlock', ...words]);
  const { text, status } = await atTerminal([process.execPath, CLI, ...words, ...OPTIONS], answers, {
    HOME: office,
  });
  assert.equal(status, 0, `the command must succeed, but said: ${text}`);
  screen(text);
  return text;
}

/** The copy of the examples, with a secret and a way out that the examples must not have. */
function setTheScene() {
  mkdirSync(root);
  cpSync(join(HOME, 'examples'), root, { recursive: true });
  rmSync(join(root, 'policy'), { recursive: true, force: true });
  writeFileSync(POLICY, RULES, { mode: 0o600 });
  writeFileSync(
    join(root, 'deploy', 'till.yaml'),
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: till\nstringData:\n  key: this-is-a-made-up-secret\n',
  );
  writeFileSync(join(root, '.env'), 'TILL_TOKEN=this-is-a-made-up-secret\n');
  writeFileSync(join(folder, 'outside.yaml'), 'nobody: should read this\n');
  try {
    symlinkSync(join('..', '..', 'outside.yaml'), join(root, 'deploy', 'shadow.yaml'));
    return true;
  } catch {
    return false; // Windows lets only some users make links.
  }
}

/**
 * Calls a tool that must succeed, and shows the first lines of the reply.
 * @param {string} name
 * @param {Record<string, unknown>} input
 * @param {number} lines
 */
async function call(name, input, lines) {
  const result = await send(name, input);
  assert.equal(result.structured['ok'], true, `${name} must succeed, but said: ${result.text}`);
  if (lines > 0) reply(result.text, lines);
  return result;
}

/**
 * Calls a tool that must be refused with one of the codes, and shows code and message.
 * @param {Record<string, unknown>} input
 * @param {readonly string[]} codes
 */
async function refused(input, codes, name = 'config_get') {
  const { structured, isError } = await send(name, input);
  const error = record(structured['error']);
  assert.equal(isError, true, `${name} must be refused`);
  assert.ok(codes.includes(String(error['code'])), `expected ${codes.join(' or ')}, got ${error['code']}`);
  assert.doesNotMatch(
    JSON.stringify(structured),
    /made-up|nobody/,
    'a refusal must tell nothing of the contents',
  );
  refusal(error['code'], error['message']);
}

/**
 * @param {string} name
 * @param {Record<string, unknown>} input
 */
async function send(name, input) {
  request(name, input);
  const result = await client.callTool({ name, arguments: input });
  const first = result.content[0];
  const structured = record(result.structuredContent);
  return {
    text: first?.type === 'text' ? first.text : '',
    structured,
    isError: result.isError === true,
  };
}

/**
 * @param {unknown} value
 * @returns {Record<string, unknown>}
 */
function record(value) {
  assert.ok(typeof value === 'object' && value !== null, 'an object was expected');
  return { ...value };
}

/** @param {import('node:stream').Stream | null} stream */
function listen(stream) {
  const heard = { text: '' };
  stream?.on('data', (chunk) => {
    heard.text += chunk;
  });
  return heard;
}

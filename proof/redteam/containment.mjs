// Out of the root by a name: each way in which a path can lead elsewhere, to read and to write; and names inside of the root that
// hold secrets, or that other programs run.
const KEY = '-----BEGIN OPENSSH PRIVATE KEY-----';

const waysOut = (base) => [
  ['..', '../outside/s.yaml'],
  ['.. behind a folder', 'd/../../outside/s.yaml'],
  ['an absolute path', `${base}/outside/s.yaml`],
  ['an absolute path through the root', `${base}/root/../outside/s.yaml`],
  ['a neighbour whose name begins like the root', `${base}/root-evil/s.yaml`],
  ['a link to a file', 'link.yaml'],
  ['a link to a folder', 'folder/s.yaml'],
  ['a link to / in /proc', `machine${base}/outside/s.yaml`],
  ['/proc/self/root', `/proc/self/root${base}/outside/s.yaml`],
  ['/proc/self/cwd', '/proc/self/cwd/../outside/s.yaml'],
  ['a file: URL', `file://${base}/outside/s.yaml`],
  ['a percent-encoded ..', '%2e%2e/outside/s.yaml'],
  ['a ~', `~/../../../../../../..${base}/outside/s.yaml`],
  ['a backslash', '..\\outside\\s.yaml'],
  ['a NUL', `a.yaml\0/../../outside/s.yaml`],
  ['a ligature of two dots', '\u2025/outside/s.yaml'],
  ['a hard link to a file outside', 'hard.yaml'],
];

const DENIED = [
  ['.env', 'TOKEN='],
  ['.npmrc', '//registry/:_authToken='],
  ['.git/config', '[remote]\nurl = https://x:'],
  ['.ssh/id_ed25519', `${KEY}\n`],
  ['.aws/credentials', 'aws_secret_access_key = '],
  ['tls/server.key', '-----BEGIN PRIVATE KEY-----\n'],
];

/** What another program runs or obeys as soon as it stands there. */
const ARMED = [
  '.git/hooks/pre-commit',
  '.mcp.json',
  '.vscode/tasks.json',
  '.claude/settings.json',
  '.envrc',
  '.husky/pre-push',
];

export async function containment({ ground, client, server, ask, report }) {
  const { base, canary } = ground;
  for (const [what, path] of waysOut(base)) {
    const asked = server.path(path);
    const reply = await ask(() => server.read(client, asked));
    report(
      'containment',
      `read by ${what}`,
      !reply.includes(canary),
      'the content of a file outside of the root came back',
    );
    if (server.change === undefined) continue;
    await ask(() => server.change(client, asked, 'changed'));
    report(
      'containment',
      `change by ${what}`,
      !ground.isOutsideTouched(),
      'a file outside of the root was changed',
    );
    ground.restore();
    if (ground.isOutsideTouched()) throw new Error('cannot restore what was attacked');
  }
  for (const [what, path] of [
    ['..', '../outside/new.yaml'],
    ['a link to a folder', 'folder/new.yaml'],
    ['an absolute path', `${base}/outside/new.yaml`],
  ]) {
    if (server.create === undefined) break;
    await ask(() => server.create(client, server.path(path), 'a: 1\n'));
    report(
      'containment',
      `create by ${what}`,
      ground.read('outside/new.yaml') === undefined,
      'a file was made outside of the root',
    );
    ground.removeNew();
  }
}

export async function names({ ground, client, server, ask, report }) {
  for (const [name, lead] of DENIED) {
    ground.write(`root/${name}`, `${lead}${ground.canary}\n`);
    const reply = await ask(() => server.read(client, server.path(name)));
    report('secrets', `read ${name}`, !reply.includes(ground.canary), 'its content came back');
  }
  ground.write('root/app.yaml', `db:\n  user: app\n  password: ${ground.canary}\n  port: 5432\n`);
  const reply = await ask(() => server.read(client, server.path('app.yaml')));
  report(
    'secrets',
    'read a password in a file of configuration',
    !reply.includes(ground.canary),
    'its value came back',
  );
  if (server.create === undefined) return;
  for (const name of ARMED) {
    // The folder stands there already, as it does where such a program is used.
    if (name.includes('/')) ground.write(`root/${name.slice(0, name.lastIndexOf('/'))}/other`, '');
    await ask(() => server.create(client, server.path(name), '#!/bin/sh\ntouch pwned\n'));
    report(
      'secrets',
      `create ${name}`,
      ground.read(`root/${name}`) === undefined,
      'it was made, and another program runs or obeys it',
    );
  }
}

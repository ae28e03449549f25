// What each client has to bring about, judged by the text that a model sees and by the file.
import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LISTED } from '../dist/server/listed.js';

const FILE = 'compose.yaml';
const BEFORE = `# the shop
services:
  web:
    image: "nginx:1.25" # pinned
    replicas: 2
    environment:
      - name: LOG_LEVEL
        value: info
`;
const AFTER = `# the shop
services:
  web:
    image: "nginx:1.27" # pinned
    replicas: 3
    environment:
      - name: LOG_LEVEL
        value: info
      - name: TZ
        value: "1.10"
`;
const EDITS = [
  { op: 'set', file: FILE, path: 'services.web.image', json: 'nginx:1.27' },
  { op: 'set', file: FILE, path: 'services.web.replicas', json: 3 },
  { op: 'append', file: FILE, path: 'services.web.environment', value: 'name: TZ\nvalue: "1.10"' },
];

/** A line on what was done; throws where something was not. */
export async function workOn(session, root) {
  const text = () => readFileSync(join(root, FILE), 'utf8');
  writeFileSync(join(root, FILE), BEFORE);

  const names = await session.names();
  deepEqual([...names].sort(), LISTED.map(({ name }) => name).sort());

  const got = await accepted(session, 'config_get', { file: FILE, path: 'services.web.image' });
  match(got, /"nginx:1\.25"/u);

  const preview = await accepted(session, 'config_edit', { edits: EDITS });
  match(preview, /^\+ +image: "nginx:1\.27" # pinned$/mu);
  equal(text(), BEFORE);

  const [id] = /\bpv_\w+/u.exec(preview) ?? [];
  await accepted(session, 'config_apply', { preview_id: id });
  equal(text(), AFTER);

  const refused = await session.call('config_set', {
    file: FILE,
    path: 'services.wbe.image',
    create: false,
    json: 1,
  });
  ok(refused.isRefused, 'what the server refused is no error to this client');
  match(refused.text, /NODE_NOT_FOUND/u);
  match(refused.text, /services\.web\b/u);
  equal(text(), AFTER);

  return `${names.length} ${session.kind ?? 'tools'}, get, edit, apply, refusal`;
}

async function accepted(session, name, args) {
  const { text, isRefused } = await session.call(name, args);
  ok(!isRefused, `${name}: ${text}`);
  return text;
}

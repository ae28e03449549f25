// config-airlock: a preview, then exactly that preview. Everything else is its default.
export const title = 'config-airlock';
/** Where no command is given: the clone that this folder stands in. */
export const command = (root, { home, state }) => [
  process.execPath,
  `${home}/../bundle/cli.js`,
  ...['--root', root, '--state-dir', state, '--log-level', 'error'],
];

export async function edit(client, { file, kind, document, documents, path, value }) {
  const pointer = path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
  const place = { file, path: pointer, ...(documents > 1 ? { doc: String(document) } : {}) };
  const asked = kind === 'delete' ? { op: 'delete', ...place } : { op: kind, ...place, json: value };
  const { data } = await client.must('config_edit', { edits: [asked] });
  await client.must('config_apply', { preview_id: data.preview_id });
}

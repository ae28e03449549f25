// How a server is spoken to: what reads a file, what changes one, what makes one. Known servers have words of their own;
// of any other they are guessed from its list of tools.

/** What every file that is attacked holds: one line that may be changed. */
export const MARK = 'inside';

const KNOWN = [
  {
    name: 'config-airlock',
    fits: (names) => names.has('config_get') && names.has('config_edit'),
    make: () => ({
      path: (file) => file,
      read: (client, file) => client.call('config_get', { file, view: 'raw' }),
      change: async (client, file, text) => {
        const edit = { op: 'replace_text', file, old_text: MARK, new_text: text };
        return confirmed(client, await client.call('config_edit', { edits: [edit] }));
      },
      create: async (client, file, content) =>
        confirmed(
          client,
          await client.call('config_edit', { edits: [{ op: 'create_file', file, content }] }),
        ),
      atOnce: (client, file, text) =>
        client.call('config_edit', {
          edits: [{ op: 'replace_text', file, old_text: MARK, new_text: text }],
          dry_run: false,
        }),
      preview: (client, file, text) =>
        client.call('config_edit', { edits: [{ op: 'replace_text', file, old_text: MARK, new_text: text }] }),
      idIn: ({ data }) => data.preview_id,
      apply: (client, id) => client.call('config_apply', { preview_id: id }),
      list: (client) => client.call('config_list', { limit: 500 }),
    }),
  },
  {
    name: 'filesystem (the reference server)',
    fits: (names) => names.has('read_text_file') && names.has('edit_file'),
    make: (root) => ({
      path: (file) => (file.startsWith('/') ? file : `${root}/${file}`),
      read: (client, path) => client.call('read_text_file', { path }),
      change: (client, path, text) =>
        client.call('edit_file', { path, edits: [{ oldText: MARK, newText: text }] }),
      create: (client, path, content) => client.call('write_file', { path, content }),
      atOnce: (client, path, text) =>
        client.call('edit_file', { path, edits: [{ oldText: MARK, newText: text }] }),
      list: (client, path) => client.call('list_directory', { path }),
    }),
  },
  {
    name: 'patchloom',
    fits: (names) => names.has('read_file') && names.has('replace_text') && names.has('doc_set'),
    make: () => ({
      path: (file) => file,
      read: (client, path) => client.call('read_file', { path }),
      change: (client, path, text) => client.call('replace_text', { path, from: MARK, to: text }),
      create: (client, path, content) => client.call('create_file', { path, content }),
      atOnce: (client, path, text) => client.call('replace_text', { path, from: MARK, to: text }),
    }),
  },
];

/** Throws where the server has nothing that reads files. */
export function adapterFor(tools, root) {
  const names = new Set(tools.map(({ name }) => name));
  const known = KNOWN.find(({ fits }) => fits(names));
  if (known !== undefined) return { name: known.name, ...known.make(root) };
  return guessed(tools, root);
}

async function confirmed(client, preview) {
  const { preview_id: id } = preview.data;
  return id === undefined ? preview : client.call('config_apply', { preview_id: id });
}

const PATHS = ['path', 'file', 'file_path', 'filepath', 'filename', 'uri', 'relative_path', 'target_file'];
const CONTENTS = ['content', 'contents', 'text', 'file_text', 'data', 'new_content'];

function guessed(tools, root) {
  const withPath = tools.flatMap((tool) => {
    const properties = tool.inputSchema?.properties ?? {};
    const path = PATHS.find((name) => name in properties);
    const content = CONTENTS.find((name) => name in properties);
    const required = tool.inputSchema?.required ?? [];
    return path === undefined ? [] : [{ tool, path, content, required }];
  });
  const reads = withPath.find(
    ({ tool, path, required }) =>
      /read|get|view|cat|open/i.test(tool.name) && required.every((name) => name === path),
  );
  const writes = withPath.find(
    ({ tool, path, content, required }) =>
      content !== undefined &&
      /write|create|save|put|set|update/i.test(tool.name) &&
      required.every((name) => name === path || name === content),
  );
  if (reads === undefined)
    throw new Error('no tool of this server reads a file by its path: write an adapter');
  const write = (client, file, text) =>
    client.call(writes.tool.name, { [writes.path]: file, [writes.content]: text });
  return {
    name: `guessed: ${reads.tool.name}${writes === undefined ? ', and nothing that writes' : `, ${writes.tool.name}`}`,
    path: (file) => (file.startsWith('/') ? file : `${root}/${file}`),
    read: (client, file) => client.call(reads.tool.name, { [reads.path]: file }),
    ...(writes === undefined ? {} : { change: write, create: write, atOnce: write }),
  };
}

// patchloom (github.com/patchloom/patchloom), from the list of tools that it publishes. Start it with
// `--peer "patchloom mcp-server" --adapter patchloom`; it takes paths from its working directory, which is the root.
export const title = 'patchloom';

export async function edit(client, { file, kind, documents, path, value }) {
  // Its selectors name no document of several.
  if (documents > 1) throw new Error('one document only');
  const selector = path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`))
    .join('')
    .replace(/^\./, '');
  const place = { path: file, selector };
  if (kind === 'set') await client.must('doc_set', { ...place, value });
  else if (kind === 'append') await client.must('doc_append', { ...place, value });
  else await client.must('doc_delete', place);
}

// The reference file server: it edits text, so the agent has to quote the line and write it anew. It is assumed to make no
// slip; a line that stands several times in a file is replaced where it stands first.
import { existsSync } from 'node:fs';

export const title = '`@modelcontextprotocol/server-filesystem`, `edit_file` with the line';
export const command = (root, { home }) => {
  const program = `${home}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`;
  return existsSync(program) ? [process.execPath, program, root] : undefined;
};

export async function edit(client, { absolute, before, after, kind }) {
  const bare = (line) => line.replace(/\r$/, '');
  const [oldText, newText] =
    kind === 'delete' ? [`${bare(before)}\n`, ''] : [bare(before), after.map(bare).join('\n')];
  await client.must('edit_file', { path: absolute, edits: [{ oldText, newText }] });
}

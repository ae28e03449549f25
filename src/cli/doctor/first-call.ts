// The last check of `doctor`. It starts the server over stdio as a client does, lists its tools, and makes a preview for a file that
// is served. Nothing is written to that file, and the preview is dropped.
import { counted } from '../../adapters/tree/wording.ts';
import { backendOf } from '../../security/state/backend.ts';
import { type Airlock, isolate } from '../../server.ts';
import { listIn, memberOf, textIn } from '../show/members.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { OwnClient } from './own-client.ts';

const MAX_TRIED = 5;
const REPORT = 'This is a fault of the server: report it with the output of this command.';

export async function firstCallFindings(opened: Airlock): Promise<readonly Finding[]> {
  const isolated = isolate(opened);
  const client = new OwnClient({ ...(isolated ?? opened), replies: 'both' });
  try {
    await client.initialize();
    const tools = listIn(await client.request('tools/list', {}), 'tools').length;
    if (tools === 0) return [fault('server', 'The server lists no tools.', REPORT)];
    const { data } = await call(client, 'config_list', {});
    const files = listIn(data, 'files').flatMap((file) => textIn(file, 'file') ?? textIn(file, 'path') ?? []);
    const more = textIn(data, 'next_cursor') === undefined ? '' : ', and more';
    return [
      ok('server', `The server starts and lists ${counted(tools, 'tool')}.`),
      files.length === 0
        ? warning(
            'roots',
            'No file of the roots can be reached.',
            'Look at --root, and at --allow and --deny: docs/options.md has what is allowed by default.',
          )
        : ok('roots', `The agent reaches ${counted(files.length, 'file')}${more}.`),
      ...(files.length === 0 ? [] : [await previewFinding(client, opened, files)]),
    ];
  } finally {
    await client.close();
    await isolated?.engine.close();
  }
}

/** Tries several files, because some refuse a comment: they do not parse, or are encrypted. */
async function previewFinding(
  client: OwnClient,
  { state, sandbox }: Airlock,
  files: readonly string[],
): Promise<Finding> {
  let refusal = '';
  for (const file of files.slice(0, MAX_TRIED)) {
    const { isError, data } = await call(client, 'config_edit', { edits: [harmlessEdit(file)] });
    if (isError) {
      const error = memberOf(data, 'error');
      refusal =
        `${textIn(error, 'code') ?? textIn(data, 'code') ?? ''} ${textIn(error, 'message') ?? ''}`.trim();
      continue;
    }
    const id = textIn(data, 'preview_id');
    if (id !== undefined && state !== undefined) await backendOf(state, sandbox).drop({ name: id });
    return ok(
      'preview',
      `A preview was made${state === undefined ? '' : ', and dropped'}: nothing was written.`,
    );
  }
  return warning(
    'preview',
    `No preview could be made of the first files: ${refusal}`,
    'Where a policy denies it, that is as it should be; "config-airlock preview" says more about one file.',
  );
}

function harmlessEdit(file: string): object {
  if (!file.endsWith('.json'))
    return { op: 'comment', file, path: '', comment: 'config-airlock doctor', keep: true };
  const folder = file.slice(0, file.lastIndexOf('/') + 1);
  return { op: 'create_file', file: `${folder}config-airlock-doctor.json`, content: '{}\n' };
}

async function call(client: OwnClient, name: string, args: object) {
  const result = await client.request('tools/call', { name, arguments: args });
  const isError = result === undefined || memberOf(result, 'isError') === true;
  return { isError, data: memberOf(result, 'structuredContent') };
}

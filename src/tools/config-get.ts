// config_get: one node as exact source, as an outline without values, or as a JSON value.
import { z } from 'zod';
import { describeDocuments, findNode, outlineOf } from '../adapters/index.ts';
import { Refusal } from '../security/index.ts';
import { docField, fileField, pathField } from './fields.ts';
import { locating, type ReadFile, readFile } from './read-file.ts';
import { type Desk, type Reply, tool } from './tool.ts';

export const configGet = tool({
  name: 'config_get',
  title: 'Read a configuration node',
  description:
    'Reads a file or one node of it. view "outline" first for a large file: keys, kinds ({n} keys, [n] items) and lines without values.',
  input: z.strictObject({
    file: fileField,
    path: pathField.default(''),
    doc: docField,
    view: z
      .enum(['source', 'outline', 'value'])
      .default('source')
      .describe(
        'source: the exact text. outline: structure. value: as JSON, aliases and merge keys followed',
      ),
  }),
  output: z.object({ ok: z.literal(true), file: z.string(), view: z.string(), sha256: z.string() }).loose(),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  run({ file, path, doc, view }, desk) {
    const read = readFile(file, desk);
    return locating({ file, path }, () => {
      if (view === 'outline' && path === '' && doc === undefined) return outlineAll(file, read);
      const found = findNode(read, path, doc);
      const place = {
        file,
        doc: found.doc,
        path: found.path,
        kind: found.kind,
        line: found.line,
        end_line: found.end_line,
      };
      const data = { ok: true, ...place, view, sha256: read.snapshot.sha256 } as const;
      switch (view) {
        case 'source': {
          const source = fitting(found.source(), desk, found.path);
          return { text: source, data: { ...data, source } };
        }
        case 'value': {
          const value = found.value();
          return {
            text: fitting(JSON.stringify(value, null, 2), desk, found.path),
            data: { ...data, value },
          };
        }
        case 'outline': {
          const { text, nodes, truncated } = found.outline();
          return { text, data: { ...data, nodes, truncated } };
        }
      }
    });
  },
});

/** Every document of the file, so that a reader learns which there are. */
function outlineAll(file: string, { stream, snapshot }: ReadFile): Reply {
  const titles = describeDocuments(stream);
  const documents = stream.documents.map((document, doc) => ({
    doc,
    title: titles[doc] ?? '',
    ...outlineOf(stream, document.root, [], stream.documents.length),
  }));
  const text = documents
    .map((outline) => (documents.length === 1 ? outline.text : `${outline.title}\n${outline.text}`))
    .join('\n');
  const data = documents.map(({ doc, title, nodes, truncated }) => ({ doc, title, nodes, truncated }));
  return { text, data: { ok: true, file, view: 'outline', sha256: snapshot.sha256, documents: data } };
}

/** What is too long to return is refused whole: a cut slice could be taken for the node. */
function fitting(text: string, { policy }: Desk, path: string): string {
  const allowed = policy.limits.replyChars;
  if (text.length <= allowed) return text;
  throw new Refusal(
    'YAML_LIMIT',
    `Cannot return this node: it is longer than the ${allowed} characters of a reply`,
    {},
    {
      existingPath: path,
      limit: { name: 'a reply', allowed, actual: text.length, unit: 'characters' },
      advice: ['See its parts with view "outline", then read them one by one'],
    },
  );
}

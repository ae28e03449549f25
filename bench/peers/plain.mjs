// The straightforward server: the SDK, `yaml` and `diff`, each used the way its README shows. Parses all, splices
// the scalar, parses again, diffs all. No sandbox and no proof worth the name: here for its speed only.
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createTwoFilesPatch } from 'diff';
import { isScalar, parseDocument } from 'yaml';
import { z } from 'zod';

const root = process.argv[2] ?? '.';
const target = { file: z.string(), path: z.string() };

serveStdio(() => {
  const server = new McpServer({ name: 'plain', version: '1.0.0' });
  server.registerTool(
    'plain_get',
    { description: 'Gets', inputSchema: z.strictObject(target) },
    ({ file, path }) => {
      const text = readFileSync(join(root, file), 'utf8');
      const node = nodeAt(text, path);
      return answer(text.slice(node.range[0], node.range[1]));
    },
  );
  const set = z.strictObject({ ...target, json: z.any(), dry_run: z.boolean().default(true) });
  server.registerTool(
    'plain_set',
    { description: 'Sets', inputSchema: set },
    ({ file, path, json, dry_run: dryRun }) => {
      const text = readFileSync(join(root, file), 'utf8');
      const { range } = nodeAt(text, path);
      const after = text.slice(0, range[0]) + JSON.stringify(json) + text.slice(range[1]);
      nodeAt(after, path);
      if (!dryRun) {
        writeFileSync(join(root, `${file}.tmp`), after);
        renameSync(join(root, `${file}.tmp`), join(root, file));
      }
      return answer(createTwoFilesPatch(file, file, text, after));
    },
  );
  return server;
});

function nodeAt(text, path) {
  const document = parseDocument(text, { keepSourceTokens: true, uniqueKeys: false, prettyErrors: false });
  const keys = path.match(/[^.[\]]+/g).map((key) => (/^\d+$/.test(key) ? Number(key) : key));
  const node = document.getIn(keys, true);
  if (document.errors.length > 0 || !isScalar(node) || !node.range) throw new Error('no such scalar');
  return node;
}

function answer(text) {
  return { content: [{ type: 'text', text }], structuredContent: { ok: true, text } };
}

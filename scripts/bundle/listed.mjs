// The list of tools, made now instead of at every start: the text of a module that stands in for
// src/server/listed.ts.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { make } from './make.mjs';

export async function listed() {
  const dir = mkdtempSync(join(tmpdir(), 'airlock-bundle-'));
  try {
    await make({ listed: 'server/listed.ts' }, {}, { dir, format: 'esm', entryFileNames: '[name].mjs' });
    const { LISTED } = await import(pathToFileURL(join(dir, 'listed.mjs')).href);
    // As text: V8 reads JSON faster than code.
    return `export const LISTED = JSON.parse(${JSON.stringify(JSON.stringify(LISTED))});`;
  } finally {
    rmSync(dir, { recursive: true });
  }
}

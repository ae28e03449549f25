// Several servers may share one log file: their records stay whole lines, however long (AUDI-006).
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { jsonLines } from '../../harness/json-lines.ts';
import { nextData } from '../../harness/wait.ts';
import { place } from '../fixture.ts';

const DIST = new URL('../../../dist/security/', import.meta.url);
const WRITERS = ['a', 'b', 'c'];
const RECORDS = 300;

it('AUDI-006 keeps the records of three processes apart, each longer than 4,096 bytes [AUD-3]', async () => {
  const file = join(place().base, 'shared.log');
  const script = place().write('writer.mjs', writer(file));
  const children = WRITERS.map((name) => spawn(process.execPath, [script, name]));
  const ends = children.map((child) => once(child, 'exit'));
  await Promise.all(children.map((child) => nextData(child.stdout)));
  for (const child of children) child.stdin.end('go');
  expect((await Promise.all(ends)).map(([code]) => code)).toEqual(WRITERS.map(() => 0));
  const text = readFileSync(file, 'utf8');
  expect(
    Math.min(
      ...text
        .trimEnd()
        .split('\n')
        .map((line) => line.length),
    ),
  ).toBeGreaterThan(4_096);
  const records = jsonLines(text);
  expect(records).toHaveLength(WRITERS.length * RECORDS);
  for (const name of WRITERS) {
    const own = records.filter((record) => record['file'] === name);
    expect(own.map((record) => record['request_id'])).toEqual(
      Array.from({ length: RECORDS }, (_, index) => String(index)),
    );
  }
});

/** Says that it is ready, waits for the others, and writes as fast as it can. */
function writer(file: string): string {
  return `
    import { createLog } from '${DIST}audit/log.js';
    const log = createLog({ level: 'info', format: 'json', file: ${JSON.stringify(file)} });
    const [, , name] = process.argv;
    const text = name.repeat(990);
    console.log('ready');
    for await (const _ of process.stdin);
    for (let index = 0; index < ${RECORDS}; index++) {
      for (const reason of [text]) log.event('warn', 'long', { file: name, reason, path: text, code: text, tool: text, sha256: text, request_id: String(index) });
    }`;
}

// Gives every vector to an implementation: `node run.mjs adapters/yaml.mjs`, or to a command that answers each line with a line:
// `node run.mjs -- python3 mine.py`. Formats may be named; --failed prints what did not pass.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const FORMATS = ['yaml', 'json', 'jsonc', 'toml', 'templates'];
const [words, command] = splitAt(process.argv.slice(2), '--');
const adapter = command.length > 0 ? byLines(command) : await import(pathToFileURL(words[0]).href);
const named = FORMATS.filter((format) => words.includes(format));
for (const format of named.length > 0 ? named : FORMATS) {
  const count = { passed: 0, failed: 0, unsupported: 0 };
  for (const vector of JSON.parse(readFileSync(new URL(`${format}.json`, import.meta.url), 'utf8'))) {
    const { id, before, operation, after, acceptable = [], why } = vector;
    const got = await Promise.resolve({ id, format, before, operation })
      .then(adapter.edit)
      .catch((cause) => ({ error: cause.message }));
    // Any refusal passes where the vector has an error: its code only says why this server refuses.
    const isRight =
      after === undefined ? got.error !== undefined : [after, ...acceptable].includes(got.after);
    const fate = got.unsupported ? 'unsupported' : isRight ? 'passed' : 'failed';
    count[fate] += 1;
    if (fate === 'failed') process.exitCode = 1;
    if (fate === 'failed' && words.includes('--failed')) print(`${id}: ${JSON.stringify(got)}: ${why}`);
  }
  print(`${format}: ${count.passed} passed, ${count.failed} failed, ${count.unsupported} unsupported`);
}
await adapter.close?.();

function byLines([program, ...args]) {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const edit = async (vector) => {
    child.stdin.write(`${JSON.stringify(vector)}\n`);
    return JSON.parse((await once(lines, 'line'))[0]);
  };
  return { edit, close: () => child.stdin.end() };
}

function splitAt(list, mark) {
  const at = list.indexOf(mark);
  return at === -1 ? [list, []] : [list.slice(0, at), list.slice(at + 1)];
}

function print(line) {
  process.stdout.write(`${line}\n`);
}

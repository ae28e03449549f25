// The smallest client that speaks to a server over stdio: what a host's SDK costs is not what is measured.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Of its own, so that a measurement leaves nothing with the user's own previews. */
const STATE = mkdtempSync(join(realpathSync(tmpdir()), 'airlock-bench-state-'));
process.on('exit', () => rmSync(STATE, { recursive: true, force: true }));

const PROTOCOL = '2025-06-18';

export class Client {
  #child;
  #waiting = new Map();
  #rest = [];
  #nextId = 1;

  /** @param {readonly string[]} command */
  constructor([program, ...args], env = {}) {
    this.#child = spawn(program, args, {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, AIRLOCK_STATE_DIR: STATE, ...env },
    });
    this.#child.stdout.on('data', (chunk) => this.#read(chunk));
    this.#child.on('exit', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('the server ended'));
    });
  }

  async initialize() {
    const clientInfo = { name: 'bench', version: '1.0.0' };
    await this.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  request(method, params = {}) {
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
    this.#send({ jsonrpc: '2.0', id, method, params });
    return answer;
  }

  /** Throws what a tool refuses: a job that fails fast would look fast. */
  async call(name, args) {
    const result = await this.request('tools/call', { name, arguments: args });
    if (result.isError) throw new Error(`${name}: ${result.content?.[0]?.text?.slice(0, 300)}`);
    return result;
  }

  rssBytes() {
    const status = readFileSync(`/proc/${this.#child.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024;
  }

  async close() {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 3_000);
    await ended;
    clearTimeout(timer);
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #read(chunk) {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      const line = Buffer.concat([...this.#rest, chunk.subarray(from, end)]).toString();
      this.#rest = [];
      from = end + 1;
      if (line.trim() !== '') this.#answer(JSON.parse(line));
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
  }

  #answer(message) {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }
}

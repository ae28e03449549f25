// The smallest client that speaks MCP to a server over stdio: JSON lines, one request at a time or several. It knows no server.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

const PROTOCOL = '2025-06-18';

export class Client {
  #child;
  #waiting = new Map();
  #rest = '';
  #nextId = 1;
  #isEnded = false;

  /** `command`: a program and its arguments. */
  constructor([program, ...args], { cwd, env = {}, name = 'proof' } = {}) {
    this.name = name;
    this.#child = spawn(program, args, {
      ...(cwd === undefined ? {} : { cwd }),
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    });
    this.#child.stdin.on('error', () => undefined);
    this.#child.stdout.setEncoding('utf8').on('data', (chunk) => this.#read(chunk));
    this.#child.on('error', () => this.#end());
    this.#child.on('exit', () => this.#end());
  }

  get pid() {
    return this.#child.pid;
  }

  get isEnded() {
    return this.#isEnded;
  }

  async initialize() {
    const clientInfo = { name: this.name, version: '1.0.0' };
    await this.request('initialize', { protocolVersion: PROTOCOL, capabilities: {}, clientInfo });
    this.#send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  }

  request(method, params = {}) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      if (this.#isEnded) {
        reject(new Error('the server has ended'));
        return;
      }
      this.#waiting.set(id, { resolve, reject });
      this.#send({ jsonrpc: '2.0', id, method, params });
    });
  }

  async tools() {
    return (await this.request('tools/list')).tools;
  }

  /** What a tool answered, as `{ isError, text, data }`; `text` is everything that a model could see. */
  async call(name, args) {
    const result = await this.request('tools/call', { name, arguments: args });
    const { content = [], structuredContent, isError = false } = result;
    const texts = content.map((part) => part.text ?? '');
    const data = structuredContent ?? {};
    return { isError, text: [...texts, JSON.stringify(data)].join('\n'), content: texts.join('\n'), data };
  }

  /** The same, where an error is thrown. */
  async must(name, args) {
    const answer = await this.call(name, args);
    if (answer.isError) throw new Error(`${name}: ${answer.content.slice(0, 300)}`);
    return answer;
  }

  kill() {
    this.#child.kill('SIGKILL');
  }

  async close() {
    if (this.#isEnded) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin.end();
    const timer = setTimeout(() => this.kill(), 3_000);
    await ended;
    clearTimeout(timer);
  }

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify(message)}\n`);
  }

  #read(chunk) {
    const lines = `${this.#rest}${chunk}`.split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) if (line.trim() !== '') this.#answer(line);
  }

  #answer(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      // Not of the protocol: some servers print what they like.
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    if (message.error) waiting.reject(new Error(message.error.message));
    else waiting.resolve(message.result);
  }

  #end() {
    this.#isEnded = true;
    for (const { reject } of this.#waiting.values()) reject(new Error('the server has ended'));
    this.#waiting.clear();
  }
}

/**
 * A command line as a shell would split it, without a shell: words, and quotes around them. The server runs in another folder:
 * words that name a file here become absolute. `places`: what stands for {root}, {state}.
 */
export function commandOf(commandLine, places) {
  const found = commandLine.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return found.map((quoted) => {
    const word = quoted.replaceAll(/^(["'])(.*)\1$/g, '$2');
    if (existsSync(word)) return resolve(word);
    return word.replaceAll(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole);
  });
}

// The first words of an ordinary connection (`initialize`, `notifications/initialized`, `tools/list`), each once
// and in this order, told from all others. Whatever is not plainly one of them is left to the server; so is
// every judgement: what is answered here it gets to hear as well, and must answer the same.
import { decodeUtf8 } from './decode-utf8.ts';
import type { Prepared, Template } from './prepared.ts';
import { readJson } from './read-json.ts';
import { atOnce } from './steps.ts';

const STEPS = ['initialize', 'notifications/initialized', 'tools/list'] as const;
/** Those of real clients have a tenth of it. */
const MOST_BYTES = 8_192;

export class Opening {
  readonly #prepared: Prepared;
  #step = 0;

  constructor(prepared: Prepared) {
    this.#prepared = prepared;
  }

  /** The line that answers it, '' where nothing does; undefined where the server has to be asked. */
  answer(line: Uint8Array): string | undefined {
    const reading = line.length > MOST_BYTES ? undefined : atOnce(readJson(decodeUtf8(line, 'start')));
    if (reading?.kind !== 'value') return undefined;
    const answer = this.#answerTo(membersOf(reading.value, ['jsonrpc', 'id', 'method', 'params']));
    if (answer !== undefined) this.#step += 1;
    return answer;
  }

  #answerTo(message: Members): string | undefined {
    const method = STEPS[this.#step];
    if (method === undefined || message?.['jsonrpc'] !== '2.0' || message['method'] !== method)
      return undefined;
    const { id, params } = message;
    if (method === 'initialize') return filled(this.#greetingFor(params), id);
    if (!isEmpty(params)) return undefined;
    if (method === 'tools/list') return filled(this.#prepared.list, id);
    return 'id' in message ? undefined : '';
  }

  #greetingFor(params: unknown): Template | undefined {
    const known = membersOf(params, ['protocolVersion', 'capabilities', 'clientInfo']);
    const isPlain = isCapabilities(known?.['capabilities']) && isClientInfo(known?.['clientInfo']);
    const found = Object.entries(this.#prepared.greetings).find(([at]) => at === known?.['protocolVersion']);
    return isPlain ? found?.[1] : undefined;
  }
}

type Members = Readonly<Record<string, unknown>> | undefined;

/** Of an object that has no others. */
function membersOf(value: unknown, known?: readonly string[]): Members {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value);
  return members.every(([name]) => known?.includes(name) ?? true) ? Object.fromEntries(members) : undefined;
}

function isEmpty(params: unknown): boolean {
  return params === undefined || membersOf(params, []) !== undefined;
}

/** As the protocol has them: objects in objects, whether the roots may change, and two places for anything. */
function isCapabilities(value: unknown): boolean {
  const { roots = {}, experimental = {}, extensions = {}, ...others } = membersOf(value) ?? { roots: null };
  const areFlags = holdsOnly(membersOf(roots, ['listChanged']), (flag) => typeof flag === 'boolean');
  const areOpen = [experimental, extensions].every((open) => holdsOnly(open, isObject));
  return areFlags && areOpen && isHollow(others);
}

function isHollow(value: unknown): boolean {
  return holdsOnly(value, isHollow);
}

function isObject(value: unknown): boolean {
  return membersOf(value) !== undefined;
}

function holdsOnly(value: unknown, isFit: (member: unknown) => boolean): boolean {
  const members = membersOf(value);
  return members !== undefined && Object.values(members).every(isFit);
}

function isClientInfo(value: unknown): boolean {
  const info = membersOf(value, ['name', 'version', 'title', 'description', 'websiteUrl']);
  if (info?.['name'] === undefined || info['version'] === undefined) return false;
  return holdsOnly(info, (text) => typeof text === 'string');
}

function filled(template: Template | undefined, id: unknown): string | undefined {
  const isPlain = typeof id === 'string' ? /^[\w.:-]{1,64}$/.test(id) : Number.isSafeInteger(id);
  return isPlain ? template?.join(JSON.stringify(id)) : undefined;
}

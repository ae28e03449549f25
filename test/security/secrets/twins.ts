// Two airlocks over files that differ in nothing but their secrets, which are of equal kinds and numbers of lines. Whatever random calls are
// made of both, with the secrets of the first as guesses, both say the same and make the same of their files; and each secret that
// is left is, to the byte, one that was there.
import { expect } from 'vitest';
import { readPolicy } from '../../../src/adapters/policy/read-policy.ts';
import { withMasking } from '../../../src/adapters/secrets/mask-text.ts';
import type { AirlockOptions } from '../../../src/server.ts';
import { type InlineAirlock, inlineAirlock } from '../../harness/inline-airlock.ts';
import { type Random, randomFrom } from '../../harness/random.ts';
import { type Call, type Known, randomCall } from './twin-calls.ts';
import { FILES, NAMES, secretsBy } from './twin-files.ts';

interface Twin {
  readonly airlock: InlineAirlock;
  readonly texts: Readonly<Record<string, string>>;
  readonly secrets: readonly string[];
  readonly changes: string[];
  readonly previews: string[];
  /** As it is shown; undefined where there is no file. */
  shown(file: string): string | undefined;
}

type Options = Partial<AirlockOptions>;

const PLACEHOLDER = /<secret:[0-9a-z]{8}>/gu;

/** What an operator may have bound to these files. */
const POLICY = `default: direct
rules:
  - { id: words, paths: ["**.password", "**.token"], value: { type: string, pattern: "^[A-Za-z0-9$_{}]*$", maxLength: 14 }, then: direct, else: preview }
  - { id: steps, paths: ["**.pin_secret", "**.secret", "**.port"], change: { max_step: 50% }, then: direct, else: preview }
  - { id: kinds, doc: { kind: Secret }, ops: [remove], then: preview }
`;
const SCHEMA = {
  properties: {
    db: {
      properties: { port: { type: 'integer' }, secret: { type: 'integer' }, password: { maxLength: 14 } },
    },
    pin: { type: 'integer', maximum: 0 },
    creds: { properties: { token: { pattern: '^q' }, pin_secret: { minimum: 5_000_000 } } },
  },
};

/** What is slow on a machine that does other things as well is not refused. */
const PATIENT = { parseMs: 60_000, stepMs: 600_000, callMs: 3_600_000 };

async function optionsOf(pair: number): Promise<Options> {
  const rules = pair % 3 === 1 ? { changes: await readPolicy(POLICY) } : {};
  const bound = { pattern: 'app.{yaml,json}', name: 'app.schema.json', schema: SCHEMA };
  return { allow: ['**'], limits: PATIENT, ...rules, ...(pair % 3 === 2 ? { schemas: [bound] } : {}) };
}

async function twin(seed: number, options: Options): Promise<Twin> {
  const secrets: string[] = [];
  const make = secretsBy(randomFrom(seed), secrets);
  const texts = Object.fromEntries(Object.entries(FILES).map(([name, text]) => [name, text(make)]));
  const airlock = await inlineAirlock(texts, options);
  const { policy, state } = airlock.airlock;
  const sandbox = withMasking({
    sandbox: airlock.airlock.sandbox,
    policy,
    maskingKey: state?.store.maskingKey,
  });
  const read = new Map<string, { readonly bytes: string; readonly text: string }>();
  const shown = (file: string): string | undefined => {
    const bytes = airlock.disk(file);
    if (bytes === undefined) return undefined;
    const known = read.get(file);
    if (known?.bytes === bytes) return known.text;
    const { text } = sandbox.open(sandbox.parse(file)).read();
    read.set(file, { bytes, text });
    return text;
  };
  for (const name of NAMES)
    for (const secret of secrets.flatMap((all) => all.split(/\s+/u)))
      if (secret.length > 4 && shown(name)?.includes(secret))
        expect.fail(`${secret} of ${name} is not masked`);
  return { airlock, texts, secrets, changes: [], previews: [], shown };
}

/** Each text with the placeholders of all numbered as they come. */
function numbered(texts: readonly string[]): {
  readonly texts: readonly string[];
  readonly found: readonly string[];
} {
  const places = new Map<string, number>();
  const numbers = texts.map((text) =>
    text.replaceAll(PLACEHOLDER, (one) => {
      const number = places.get(one) ?? places.size;
      places.set(one, number);
      return `§${number};`;
    }),
  );
  return { texts: numbers, found: [...places.keys()] };
}

/** Fingerprints by their order; hashes, ids and times not at all. */
function withoutKeys(outcome: unknown): string {
  const [text = ''] = numbered([JSON.stringify(outcome)]).texts;
  return text
    .replaceAll(/(?:pv|ch)_[0-9a-z]{10}\b/gu, 'id')
    .replaceAll(/<secret:[0-9a-z]{0,7}…/gu, 'a part of one')
    .replaceAll(/\b[0-9a-f]{12,64}\b/gu, 'hash')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/gu, 'time');
}

export interface Tally {
  calls: number;
  /** By tool, those that were answered without an error. */
  readonly answered: Record<string, number>;
  written: number;
  touching: number;
  /** Answers that differ because the letters of fingerprints do. */
  byFingerprint: number;
}

export const CALLS_PER_PAIR = 400;
const CALLS_PER_TEXT = 8;
const OTHER_KEYS = 100;

/** Answers what was done. `progress`: told after each pair of airlocks. */
export async function callTwins(
  calls: number,
  seed: number,
  progress: (tally: Tally) => void = () => undefined,
): Promise<Tally> {
  const tally: Tally = { calls: 0, answered: {}, written: 0, touching: 0, byFingerprint: 0 };
  for (let pair = 0; tally.calls < calls; pair += 1) {
    const options = await optionsOf(pair);
    const twins = [await twin(seed + 2 * pair, options), await twin(seed + 2 * pair + 1, options)] as const;
    const random = randomFrom(seed + 7_919 * pair);
    const until = Math.min(calls, tally.calls + CALLS_PER_PAIR);
    while (tally.calls < until) await callAnew(twins, { random, options, tally });
    for (const { airlock } of twins) airlock.close();
    progress(tally);
  }
  return tally;
}

interface Run {
  readonly random: Random;
  readonly options: Options;
  readonly tally: Tally;
}

/** Some calls on the files as they were at first. */
async function callAnew(twins: readonly [Twin, Twin], run: Run): Promise<void> {
  const { random, tally } = run;
  for (const { airlock, texts } of twins) for (const name of NAMES) airlock.write(name, texts[name]);
  for (const { airlock } of twins) airlock.write('new.yaml', undefined);
  const first = new Set(
    twins.flatMap((each) => NAMES.flatMap((name) => each.shown(name)?.match(PLACEHOLDER) ?? [])),
  );
  for (let count = 0; count < CALLS_PER_TEXT; count += 1) {
    const [texts, alike] = twins.map((each) => numbered(NAMES.map((name) => each.shown(name) ?? '')));
    if (texts === undefined || alike === undefined) return;
    const call = randomCall(knownOf(twins[0], texts.texts, random));
    tally.calls += 1;
    const before = onDisk(twins[0]);
    const outcomes = [await make(twins[0], call, texts.found), await make(twins[1], call, alike.found)];
    const asked = JSON.stringify(call);
    const [said, saidByOther] = outcomes.map(withoutKeys);
    if (said !== saidByOther) {
      if (!(await isByFingerprint({ call, said, before }, run.options)))
        expect(saidByOther, asked).toBe(said);
      tally.byFingerprint += 1;
      return;
    }
    requireNothingSaid(outcomes, twins[1], call);
    countCall(tally, call, outcomes[0]);
    for (const name of outcomes[0]?.status === 'ok' ? NAMES : []) {
      const shown = twins.map((each) => each.shown(name) ?? 'none');
      const [one, other] = shown.map((text) => numbered([text]).texts[0]);
      expect(other, asked).toBe(one);
      // A fingerprint is that of the bytes.
      for (const found of shown.flatMap((text) => text.match(PLACEHOLDER) ?? []))
        if (!first.has(found)) expect.fail(`a secret that was not there, in ${name}: ${asked}`);
    }
  }
}

function knownOf({ secrets, changes, previews }: Twin, texts: readonly string[], random: Random): Known {
  const shown = Object.fromEntries(NAMES.map((name, index) => [name, texts[index] ?? '']));
  return { random, shown, guesses: secrets, changes: changes.length, previews: previews.length };
}

function onDisk({ airlock }: Twin): Readonly<Record<string, string>> {
  return Object.fromEntries(
    NAMES.flatMap((name) => {
      const now = airlock.disk(name);
      return now === undefined ? [] : [[name, now]];
    }),
  );
}

/** With the fingerprints and ids of this one. */
async function make(one: Twin, { tool, args, beside = {} }: Call, found: readonly string[]) {
  for (const [name, text] of Object.entries(beside)) one.airlock.write(name, text);
  const outcome = await one.airlock.call(tool, argumentsOf(args, one, found));
  for (const [name, ids] of [['change_id', one.changes] as const, ['preview_id', one.previews] as const])
    for (const [, id = ''] of JSON.stringify(outcome).matchAll(new RegExp(`"${name}":"(\\w+)"`, 'gu')))
      if (!ids.includes(id)) ids.push(id);
  return outcome;
}

function argumentsOf(
  args: Call['args'],
  { changes, previews }: Pick<Twin, 'changes' | 'previews'>,
  found: readonly string[],
): Call['args'] {
  const text = JSON.stringify(args)
    .replaceAll(/§(\d+);/gu, (_, number: string) => `${found[Number(number)]}`)
    .replaceAll(/¶c(\d+);/gu, (_, number: string) => `${changes[Number(number)]}`)
    .replaceAll(/¶p(\d+);/gu, (_, number: string) => `${previews[Number(number)]}`);
  return JSON.parse(text);
}

interface Said {
  readonly call: Call;
  readonly said: string | undefined;
  /** The files as they were. */
  readonly before: Readonly<Record<string, string>>;
}

/** The letters of a fingerprint may be near to what was asked for. Then the same secrets under other keys get other answers. */
async function isByFingerprint({ call, said, before }: Said, options: Options): Promise<boolean> {
  if (/¶|config_(?:apply|revert|history)/u.test(JSON.stringify(call))) return false;
  for (let key = 0; key < OTHER_KEYS; key += 1) {
    const airlock = await inlineAirlock({ ...before, ...call.beside }, options);
    const shown = await Promise.all(
      NAMES.map(async (file) => textOf(await airlock.call('config_get', { file, view: 'raw' }))),
    );
    const { found } = numbered(shown);
    const outcome = await airlock.call(
      call.tool,
      argumentsOf(call.args, { changes: [], previews: [] }, found),
    );
    airlock.close();
    if (withoutKeys(outcome) !== said) return true;
  }
  return false;
}

function textOf(outcome: object): string {
  return 'text' in outcome && typeof outcome.text === 'string' ? outcome.text : '';
}

/** What the second one says holds no secret of it, for the call was made of secrets of the first. */
function requireNothingSaid(
  [one, other]: readonly { readonly status: string }[],
  { secrets }: Twin,
  call: Call,
): void {
  if (one?.status === 'failed') expect.fail(`${JSON.stringify(call)}: ${JSON.stringify(one)}`);
  const said = JSON.stringify(other);
  for (const secret of secrets)
    if (said.includes(secret)) expect.fail(`${secret} is said: ${JSON.stringify(call)}`);
}

function countCall(
  tally: Tally,
  { tool, args }: Call,
  outcome: { readonly status: string } | undefined,
): void {
  const isOk = outcome?.status === 'ok';
  if (isOk) tally.answered[tool] = (tally.answered[tool] ?? 0) + 1;
  if (isOk && (args['dry_run'] === false || tool === 'config_apply')) tally.written += 1;
  if (!isOk && JSON.stringify(outcome).includes('it would move, copy')) tally.touching += 1;
}

// Capabilities and proofs cannot be made by hand. TypeScript would stop most of this at compile time; these
// tests hand over what a plain JavaScript caller could build.
import { describe, expect, it } from 'vitest';
import {
  commitEdits,
  createLog,
  Log,
  openSandbox,
  SafePath,
  Sandbox,
  SandboxFile,
  Snapshot,
  StartError,
  Verdict,
  VerifiedEdit,
} from '../../../src/security/index.ts';
import { draftOf } from '../../harness/change-draft.mjs';
import { judged } from '../../harness/verdict.mjs';
import { codeOf, codeOfLater, place, rewritten } from '../fixture.ts';

const CLASSES = { SafePath, Sandbox, SandboxFile, Snapshot, VerifiedEdit, Log };

/** Calls a function with arguments that its types forbid. */
function call(target: object, method: string, ...args: unknown[]): unknown {
  const member: unknown = Reflect.get(target, method);
  if (typeof member !== 'function') throw new Error(`no method ${method}`);
  return Reflect.apply(member, target, args);
}

describe.each(Object.entries(CLASSES))('%s', (_name, type) => {
  it('cannot be constructed, not even by a subclass [EDT-1]', () => {
    const keys: unknown[] = [undefined, Symbol(type.name), type.name, {}];
    for (const key of keys) expect(() => Reflect.construct(type, [key, {}, {}, {}, {}])).toThrow(TypeError);
    const subclass = Reflect.apply(new Function('Base', 'return class extends Base {}'), undefined, [type]);
    expect(() => Reflect.construct(subclass, [Symbol(type.name), {}, {}, {}])).toThrow(TypeError);
  });
});

/** Everything that could be taken for the genuine thing by name, shape or prototype. */
function impostors(genuine: object, type: { readonly prototype: object }): readonly unknown[] {
  const shape: Record<string, unknown> = {};
  for (const name of Object.getOwnPropertyNames(type.prototype)) shape[name] = Reflect.get(genuine, name);
  return [
    undefined,
    null,
    'a.yaml',
    {},
    shape,
    Object.create(type.prototype),
    Object.create(genuine),
    Object.setPrototypeOf({ ...shape }, type.prototype),
    new Proxy(genuine, {}),
    structuredClone({ text: 'a: 1\n', sha256: '0'.repeat(64) }),
  ];
}

describe('a look-alike', () => {
  const prepared = () => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n');
    const sandbox = here.open();
    return { here, sandbox, path: sandbox.parse('a.yaml'), edit: rewritten(sandbox, 'a.yaml', 'a: 2\n') };
  };

  it('is told from the genuine thing', () => {
    const { path, edit } = prepared();
    for (const [genuine, type] of [
      [path, SafePath],
      [edit.snapshot, Snapshot],
      [edit, VerifiedEdit],
    ] as const) {
      expect(type.isGenuine(genuine)).toBe(true);
      for (const fake of impostors(genuine, type)) expect(type.isGenuine(fake)).toBe(false);
    }
  });

  it('of a SafePath opens nothing', () => {
    const { sandbox, path } = prepared();
    for (const fake of impostors(path, SafePath))
      expect(codeOf(() => call(sandbox, 'open', fake))).toBe('TypeError');
  });

  it('of a Snapshot proves nothing', () => {
    const { edit } = prepared();
    for (const fake of impostors(edit.snapshot, Snapshot)) {
      expect(codeOf(() => call(VerifiedEdit, 'prove', fake, [], () => []))).toBe('TypeError');
    }
  });

  it('of a VerifiedEdit writes nothing [EDT-1]', async () => {
    const { here, sandbox, edit } = prepared();
    const verdict = judged(Verdict, sandbox, [edit]);
    const request = { state: here.state(), draft: draftOf([edit]), verdict };
    for (const fake of impostors(edit, VerifiedEdit))
      expect(await codeOfLater(() => Reflect.apply(commitEdits, undefined, [sandbox, [fake], request]))).toBe(
        'TypeError',
      );
    expect(sandbox.open(sandbox.parse('a.yaml')).read().text).toBe('a: 1\n');
    expect(here.logged().filter(({ event }) => event === 'audit')).toEqual([]);
  });

  it('of a SandboxFile reads nothing', () => {
    const { sandbox, path } = prepared();
    const file = sandbox.open(path);
    for (const fake of impostors(file, SandboxFile)) {
      if (typeof fake === 'object' && fake !== null)
        expect(() => Reflect.apply(file.read, fake, [])).toThrow(TypeError);
    }
    file.close();
  });

  it('of a Log opens no sandbox', () => {
    const { here } = prepared();
    const log = createLog({ level: 'error', format: 'json' });
    for (const fake of impostors(log, Log)) {
      expect(() => Reflect.apply(openSandbox, undefined, [here.policy(), fake])).toThrow(TypeError);
    }
  });
});

it('a genuine capability cannot be changed afterwards', () => {
  const here = place();
  here.write('root/a.yaml', 'a: 1\n');
  const sandbox = here.open();
  const edit = rewritten(sandbox, 'a.yaml', 'a: 2\n');
  for (const [target, name] of [
    [edit, 'after'],
    [edit.snapshot, 'sha256'],
    [edit.snapshot.path, 'components'],
    [edit.edits, '0'],
  ] as const) {
    expect(Reflect.set(target, name, 'changed')).toBe(false);
    expect(Reflect.defineProperty(target, name, { value: 'changed' })).toBe(false);
  }
});

it('a path or an edit of one sandbox is worth nothing to another [EDT-1]', async () => {
  const here = place();
  here.write('root/a.yaml', 'a: 1\n');
  const [one, other] = [here.open(), here.open('fd-walk', { roots: [{ name: 'web', dir: here.outside }] })];
  expect(codeOf(() => other.open(one.parse('a.yaml')))).toBe('TypeError');
  expect(await codeOfLater(() => here.commit(other, [rewritten(one, 'a.yaml', 'a: 2\n')]))).toBe('TypeError');
});

it('changing the policy object after the start widens nothing', () => {
  const here = place();
  here.write('root/a.txt', 'x');
  const policy = here.policy({ allow: ['*.yaml'], readOnly: true });
  const log = createLog({ level: 'error', format: 'json' });
  const sandbox = openSandbox(policy, log);
  expect(Reflect.set(policy, 'readOnly', false)).toBe(true);
  Reflect.set(policy.allow, 0, '**');
  expect(codeOf(() => sandbox.open(sandbox.parse('a.txt')))).toBe('PATH_DENIED');
  sandbox.close();
  expect(StartError.name).toBe('StartError');
});

// Capabilities and proofs cannot be made by hand. TypeScript would stop most of this at compile time; these
// tests hand over what a plain JavaScript caller could build.
import { describe, expect, it } from 'vitest';
import {
  commitEdits,
  Log,
  openSandbox,
  SafePath,
  Sandbox,
  SandboxFile,
  Snapshot,
  Verdict,
  VerifiedEdit,
} from '../../../src/security/index.ts';
import { draftOf } from '../../harness/change-draft.mjs';
import { judged } from '../../harness/verdict.mjs';
import { codeOf, codeOfLater, place, rewritten } from '../fixture.ts';

it.each(Object.entries({ SafePath, Sandbox, SandboxFile, Snapshot, VerifiedEdit, Log }))(
  '%s cannot be constructed, not even by a subclass [EDT-1]',
  (_name, type) => {
    const keys: unknown[] = [undefined, Symbol(type.name), type.name, {}];
    const subclass = Reflect.apply(new Function('Base', 'return class extends Base {}'), undefined, [type]);
    for (const key of keys)
      for (const made of [type, subclass])
        expect(() => Reflect.construct(made, [key, {}, {}, {}, {}])).toThrow(TypeError);
  },
);

/** Everything that could be taken for the genuine thing by name, shape or prototype. */
function impostors(genuine: object, type: { readonly prototype: object }): readonly unknown[] {
  const shape: Record<string, unknown> = {};
  for (const name of Object.getOwnPropertyNames(type.prototype)) shape[name] = Reflect.get(genuine, name);
  return [
    ...[undefined, null, 'a.yaml', {}, shape],
    ...[Object.create(type.prototype), Object.create(genuine), new Proxy(genuine, {})],
    ...[Object.setPrototypeOf({ ...shape }, type.prototype), { text: 'a: 1\n', sha256: '0'.repeat(64) }],
  ];
}

describe('a look-alike', () => {
  it('opens, proves and writes nothing [EDT-1]', async () => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n');
    const sandbox = here.open();
    const path = sandbox.parse('a.yaml');
    const edit = rewritten(sandbox, 'a.yaml', 'a: 2\n');
    const request = {
      ...{ state: here.state(), preview: draftOf([edit]) },
      verdict: judged(Verdict, sandbox, [edit]),
    };
    for (const fake of impostors(path, SafePath))
      expect(codeOf(() => Reflect.apply(sandbox.open, sandbox, [fake]))).toBe('TypeError');
    for (const fake of impostors(edit.snapshot, Snapshot))
      expect(codeOf(() => Reflect.apply(VerifiedEdit.prove, VerifiedEdit, [fake, [], () => []]))).toBe(
        'TypeError',
      );
    for (const fake of impostors(edit, VerifiedEdit))
      expect(await codeOfLater(() => Reflect.apply(commitEdits, undefined, [sandbox, [fake], request]))).toBe(
        'TypeError',
      );
    for (const fake of impostors(sandbox, Log))
      expect(() => Reflect.apply(openSandbox, undefined, [here.policy(), fake])).toThrow(TypeError);
    expect(sandbox.open(path).read().text).toBe('a: 1\n');
  });

  it('is a path or an edit of one sandbox to another [EDT-1]', async () => {
    const here = place();
    here.write('root/a.yaml', 'a: 1\n');
    const [one, other] = [here.open(), here.open('fd-walk', { roots: [{ name: 'web', dir: here.outside }] })];
    expect(codeOf(() => other.open(one.parse('a.yaml')))).toBe('TypeError');
    expect(await codeOfLater(() => here.commit(other, [rewritten(one, 'a.yaml', 'a: 2\n')]))).toBe(
      'TypeError',
    );
  });
});

// The files that the operator's command line names, inside a root: nobody who asks reaches them, and asking for
// another file is as it was.
import { linkSync, renameSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CONTAINMENTS, codeOf, place } from '../fixture.ts';

describe.each(CONTAINMENTS)('the files of the operator (%s)', (containment) => {
  it('are denied and not listed, by whatever name, and the ones that replaced them too [DIS-2]', () => {
    const here = place();
    const policy = here.write('root/conf/policy.yaml', 'allow: []\n');
    here.write('root/conf/other.yaml', 'a: 1\n');
    const sandbox = here.open(containment, { operatorFiles: [policy] });
    const code = (file: string) => codeOf(() => sandbox.open(sandbox.parse(file)).close());
    const listed = () => sandbox.list({ limit: 10 }).files.map(({ path }) => path.toString());
    expect(code('conf/policy.yaml')).toBe('PATH_DENIED');
    expect(code('conf/other.yaml')).toBe('no error');
    expect(listed()).toEqual(['conf/other.yaml']);
    // Under another name, as an editor leaves it, or as somebody links it.
    linkSync(policy, join(here.root, 'copy.yaml'));
    expect(code('copy.yaml')).toBe('PATH_DENIED');
    unlinkSync(join(here.root, 'copy.yaml'));
    renameSync(here.write('root/conf/new.yaml', 'allow: ["**"]\n'), policy);
    expect(code('conf/policy.yaml')).toBe('PATH_DENIED');
    expect(listed()).toEqual(['conf/other.yaml']);
    unlinkSync(policy);
    expect(code('conf/policy.yaml')).toBe('FILE_NOT_FOUND');
  });

  it('are what the words of the operator lead to, and the log says where they should not be', () => {
    const here = place();
    here.write('root/schema.json', '{}');
    const outside = here.write('elsewhere/config.yaml', 'a: 1\n');
    const operatorFiles = [
      outside,
      join(here.root, 'd', '..', 'schema.json'),
      join(here.root, 'missing.yaml'),
    ];
    here.write('root/d/x.yaml', 'a: 1\n');
    const roots = [
      { name: 'empty', dir: here.outside },
      { name: 'r', dir: here.root },
    ];
    const sandbox = here.open(containment, { operatorFiles, roots });
    expect(codeOf(() => sandbox.open(sandbox.parse('@r/schema.json')))).toBe('PATH_DENIED');
    expect(codeOf(() => sandbox.open(sandbox.parse('@r/d/x.yaml')).close())).toBe('no error');
    const warning = here.logged().find(({ event }) => event === 'operator_files_in_root');
    expect(warning).toMatchObject({ level: 'warn', count: 1 });
  });
});

// The edits of the case tables and of the agent's tasks, each as a preview of the files as they are before it.
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

const TEST = fileURLToPath(new URL('../../test/', import.meta.url));

/** Writes the files of all cases below a folder by `put`, and returns the edits of each case. */
export function tableEdits(root, put) {
  const tables = readdirSync(`${TEST}tables`).filter((name) => name.endsWith('.json'));
  const cases = tables.flatMap((name) => {
    const rows = JSON.parse(readFileSync(`${TEST}tables/${name}`, 'utf8'));
    return (Array.isArray(rows) ? rows : []).map((row, index) => {
      const { files, edits } = caseOf(row);
      const prefix = `tables/${name}/${index}/`;
      for (const [file, text] of Object.entries(files)) put(prefix + file, text);
      return moved(edits, prefix);
    });
  });
  cpSync(`${TEST}agent/repository`, join(root, 'agent'), { recursive: true });
  const tasks = Object.values(parse(readFileSync(`${TEST}agent/tasks.yaml`, 'utf8'))).flat();
  const calls = tasks.flatMap((task) => task.calls.filter(({ tool }) => /^config_(?:edit|set)$/.test(tool)));
  return [...cases, ...calls.map(({ args }) => moved(editsOf(args), 'agent/'))].filter(
    (edits) => edits.length > 0 && edits.every(({ op }) => op !== 'get'),
  );
}

/** The call of a tool, an operation, a batch or a list of operations as edits. */
function editsOf({ edits = [], ...single }) {
  if (single.op === 'batch' || single.path === undefined) return Array.isArray(edits) ? edits : [];
  return [{ op: 'set', ...single }];
}

/** Of a row, whose shape differs from table to table. */
function caseOf({ language = 'yaml', file = `a.${language === 'template' ? 'yaml' : language}`, ...row }) {
  const text = row.input ?? row.before ?? row.base ?? row.text ?? {};
  const given = row.edits ?? editsOf(row.call?.arguments ?? row.op ?? row.edit ?? row.operation ?? {});
  const edits = given.map((edit) => ({ file, ...edit }));
  return { files: typeof text === 'string' ? { [file]: text } : text, edits };
}

/** The edits with their files in another folder. */
export function moved(edits, prefix) {
  const fields = ['op', 'dry_run', 'reason', 'expected_sha256', 'preview_id'];
  return edits.map(({ op, ...edit }) => {
    const kept = Object.entries(edit).filter(([field]) => !fields.includes(field));
    const inside = kept.map(([field, value]) => [
      field,
      /^(?:to_)?file$/.test(field) ? prefix + value : value,
    ]);
    return { op, ...Object.fromEntries(inside) };
  });
}

// The SQLite engine that Node 20 lacks, for programs that are run where no other package is.
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** As `npm install libsql` would put it into this folder. */
export function copyEngine(folder) {
  for (const name of ['libsql', '@libsql', '@neon-rs', 'detect-libc'])
    if (existsSync(join(MODULES, name)))
      cpSync(join(MODULES, name), join(folder, 'node_modules', name), { recursive: true });
}

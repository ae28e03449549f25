// Names the package that gives an older Node an SQLite. Node has its own from 22.13 on.

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

/** The package with its version, as npm takes it; undefined where Node needs none. */
export const ENGINE_PACKAGE: string | undefined =
  major < 22 || (major === 22 && minor < 13) ? 'libsql@0.5.29' : undefined;

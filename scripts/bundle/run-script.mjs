// In the published package: runs a file of the bundle as a script, from what V8 made of it when the package was
// made (NAME.cache). V8 takes that only for the same version of itself, the same flags and a text of the same
// length, and else compiles the text as ever. A script reaches the other files of the bundle and what comes with
// Node: no package, and no path. Nothing is loaded here before the lock-down is done.
const loaded = new Map();

/** `compiled` hears of each script: for making the caches. */
export function runScript(name, compiled = () => undefined) {
  const known = loaded.get(name);
  if (known !== undefined) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const { fileURLToPath } = process.getBuiltinModule('node:url');
  const { Script } = process.getBuiltinModule('node:vm');
  const url = new URL(name, import.meta.url);
  // In ASCII, so that it can be read in one go.
  const text = readFileSync(url, 'latin1');
  const script = new Script(text, {
    filename: url.href,
    cachedData: contentOf(new URL(`${url.href}.cache`)),
  });
  compiled(script, url);
  const required = (id) => (id.startsWith('./') ? runScript(id, compiled) : process.getBuiltinModule(id));
  script.runInThisContext()(module.exports, required, module, fileURLToPath(url));
  return module.exports;

  function contentOf(file) {
    try {
      return readFileSync(file);
    } catch {
      return undefined;
    }
  }
}

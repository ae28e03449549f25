// A module's text as run-script.mjs runs it: one function, in ASCII, of which V8 keeps a text in half the memory
// and reads it faster.

export function asScript(code) {
  // On the module's own first line, so that a line in a log is the line in the file.
  return `(function (exports, require, module, __filename) {${inAscii(code)}\n})\n`;
}

function inAscii(code) {
  // There an escape would mean something else.
  if (/\\[^\0-\x7f]|String\.raw`[^`]*[^\0-\x7f]/.test(code)) {
    throw new Error('bundle: a character behind a backslash, or in a raw text, cannot be escaped');
  }
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

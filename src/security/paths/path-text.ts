// Refuses file arguments that are no plain relative path, one grammar on every platform. Text rules only:
// what passes proves nothing about the disk.

const MAX_PATH_BYTES = 4096;
const MAX_COMPONENT_BYTES = 255;
const MAX_COMPONENTS = 64;

// Controls forge log lines and terminals; bidi and format characters make two names look alike.
import { lazily } from '../text/lazily.ts';

const hiddenCharacter = lazily(() => /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{DI}\p{NChar}]/u);

/**
 * What no file argument may contain whatever else it says, or undefined. These come before the denylist,
 * because with them it is not even clear which names are meant.
 */
export function unreadablePath(text: string): string | undefined {
  if (text === '') return 'it is empty';
  if (Buffer.byteLength(text) > MAX_PATH_BYTES) return `it is longer than ${MAX_PATH_BYTES} bytes`;
  if (text.includes('\0')) return 'it contains a NUL character';
  if (text.includes('\\')) return "it contains a backslash; separate folders with '/'";
  // '..' is refused even where it would stay inside: the text and the kernel disagree behind a symlink.
  if (text.split('/').includes('..')) return "'..' is never followed";
  return undefined;
}

/**
 * Why a text that `unreadablePath` let pass is not a plain relative path, or undefined. Absolute paths are the
 * caller's matter.
 */
export function malformedPath(text: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//iu.test(text)) return 'it is a URL, not a file below the root';
  const components = text.split('/');
  if (components.length > MAX_COMPONENTS) return `it has more than ${MAX_COMPONENTS} components`;
  for (const component of components) {
    const reason = malformedComponent(component);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Why a single name cannot be part of a path, or undefined. */
function malformedComponent(component: string): string | undefined {
  if (component === '') return "it starts, ends or doubles a '/'";
  if (component === '.') return "it contains a '.' component";
  if (component.includes(':')) return "it contains ':' (a drive, a stream or a URL)";
  if (hiddenCharacter().test(component)) return 'it contains a control or invisible character';
  if (/[. ]$/u.test(component)) return 'a name ends with a dot or a space';
  if (Buffer.byteLength(component) > MAX_COMPONENT_BYTES)
    return `a name is longer than ${MAX_COMPONENT_BYTES} bytes`;
  return undefined;
}

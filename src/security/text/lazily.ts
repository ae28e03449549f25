// A value that is made when it is first asked for: for expressions over all of Unicode, which take V8 longer to read
// than a start takes for its other work, and which plain texts never need.

export function lazily<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Whether there is nothing in it but what an old typewriter has, in one line: for going past those expressions. */
export function isPlainAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}

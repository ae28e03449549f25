/** `name` is that of node:fs. Answers the function that takes it back. */
export function onDiskCalls(heed: (name: string, args: readonly unknown[]) => unknown): () => void;

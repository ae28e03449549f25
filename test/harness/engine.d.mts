export function copyEngine(folder: string): void;

// The types of in-page.mjs: what comes back from the browser.

export function canary(): unknown;
export function hidesText(): boolean;
export function focused(): { text: string; outline: string };
export function openDetails(): void;
export function contentWidth(): number;
export function cutNumbers(): string[];
export function faintTexts(): string[];
export function flaws(): string[];

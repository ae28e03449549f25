// list_capabilities shows the policy and limits in force, read from the running server.
import { z } from 'zod';
import { FORMAT_FILES } from '../adapters/formats/extensions.ts';
import type { Containment } from '../security/containment/held.ts';
import { BUILT_IN_DENYLIST, ENV_FILES } from '../security/paths/denylist.ts';
import { type Level, strictest } from '../security/policy/levels.ts';
import { leastLevel, type MaskingRules, type Policy } from '../security/policy/policy.ts';
import { ruleSummary } from './rule-notes.ts';
import { tool } from './tool.ts';

export const listCapabilities = tool({
  name: 'list_capabilities',
  title: 'List limits and policy',
  description: 'The limits and policy in force: roots, allowed and denied patterns, sizes.',
  input: z.strictObject({}),
  hints: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  async run(_input, { policy, sandbox, isolation, backend }) {
    const kept = await backend?.facts({});
    const waiting = await backend?.waiting({});
    const rules = policy.changes.rules.map((rule) => ruleSummary(rule, policy.approval));
    const formats = FORMAT_FILES.map(({ name, files }) => ({ name, files: files.map(shownFormat) }));
    const capabilities = {
      // Only names: an agent need not know where a root is on the disk.
      roots: sandbox.rootNames.map((name) => (name === undefined ? '(the root)' : `@${name}`)),
      read_only: policy.readOnly,
      approval: leastLevel(policy),
      writing: policy.readOnly ? 'no; previews are possible' : writing(policy),
      ...(rules.length === 0 ? {} : { default: strictest(policy.changes.default, policy.approval), rules }),
      verify: policy.verify,
      // An agent need not know where they are kept either.
      previews: kept === undefined ? 'not kept' : 'kept',
      previews_waiting: waiting?.length ?? 0,
      reviewers: kept?.reviewers ?? 0,
      containment: sandbox.containment,
      isolation,
      formats,
      allow: policy.allow,
      deny: [
        ...BUILT_IN_DENYLIST.filter((name) => !policy.allowEnv || !ENV_FILES.includes(name)),
        ...policy.deny,
      ],
      masking: maskingOf(policy),
      containment_strength: STRENGTH[sandbox.containment],
      platform: process.platform,
      running_as_root: sandbox.isRunningAsRoot,
      limits: Object.fromEntries(
        Object.entries(policy.limits).map(([name, value]) => [snakeCase(name), value]),
      ),
    };
    const text = Object.entries(capabilities)
      .map(([name, value]) => `${name}: ${shown(value)}`)
      .join('\n');
    return { text, data: { ok: true, ...capabilities } };
  },
});

/** Writes a value of the data as text. */
function shown(value: unknown): string {
  if (Array.isArray(value)) return value.map(shown).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** JSON5 files can be edited by path only as far as they are JSONC. */
function shownFormat(files: string): string {
  return files === '*.json5' ? '*.json5 if it is valid JSONC' : files;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
}

/** Returns the masking in force, without empty parts. */
function maskingOf({ masking: { isOff, keys, paths, shown } }: Policy) {
  if (isOff) return { on: false };
  const written = (rules: MaskingRules['paths']) => rules.map(({ files, path }) => `${files}:${path}`);
  return {
    on: true,
    placeholder: '<secret:xxxxxxxx>',
    ...(keys.length === 0 ? {} : { mask_key: keys }),
    ...(paths.length === 0 ? {} : { mask_path: written(paths) }),
    ...(shown.keys.length === 0 ? {} : { show_key: shown.keys }),
    ...(shown.paths.length === 0 ? {} : { show_path: written(shown.paths) }),
  };
}

function writing(policy: Policy): string {
  const { rules, default: usual } = policy.changes;
  const level = strictest(usual, policy.approval);
  if (rules.length === 0) return `yes, ${WRITING[level]} (approval: ${level})`;
  return `yes, as the rules below say; what none of them names: ${WRITING[level]} (${level})`;
}

const WRITING: Readonly<Record<Level, string>> = {
  direct: 'by config_apply of a preview, or with dry_run false',
  preview: 'by config_apply of a preview',
  client: 'by config_apply of a preview, once the person at the client agrees',
  human: 'by config_apply of a preview that a reviewer has signed',
  deny: 'not at all',
};

/** The table of SECURITY.md in short. */
const STRENGTH: Readonly<Record<Containment, string>> = {
  'fd-walk': 'free of races',
  'cwd-walk': 'free of races, as measured on Linux only',
  checked: 'checked before and after each step, not free of races',
};

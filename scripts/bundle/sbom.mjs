// The parts of the bundle as a CycloneDX document: the packages of which something is in it, with the hashes by which npm
// fetched them. Says the same for the same sources: no time and no random number.
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** JSON. `packages`: what `packagesIn` found. Throws for one that the lock file does not know. */
export function sbomOf(own, lock, packages) {
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...component(own), type: 'application' } },
    components: packages.map(({ folder, facts }) => {
      const place = relative(ROOT, folder).replaceAll('\\', '/');
      const { integrity } = lock.packages[place] ?? {};
      const [, base64] = /^sha512-(.+)$/.exec(integrity ?? '') ?? [];
      if (base64 === undefined) throw new Error(`sbom: the lock file has no hash for ${facts.name}`);
      const content = Buffer.from(base64, 'base64').toString('hex');
      return { ...component(facts), hashes: [{ alg: 'SHA-512', content }] };
    }),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function component({ name, version, license }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const licenses = typeof license === 'string' ? { licenses: [{ license: { id: license } }] } : {};
  return { type: 'library', name, version, purl, 'bom-ref': purl, ...licenses };
}

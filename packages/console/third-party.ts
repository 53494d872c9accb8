import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';
import { noticesOf } from '../../scripts/notices.mjs';

interface Package {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly directory: string;
}

/** The package of node_modules that a module belongs to; null for a module of the workspace. */
function packageOf(id: string): Package | null {
  const path = id.replace(/^\0/, '').replace(/\?.*$/, '');
  if (!path.includes('/node_modules/')) return null;
  for (let directory = dirname(path); directory.includes('/node_modules/'); directory = dirname(directory)) {
    const file = join(directory, 'package.json');
    if (!existsSync(file)) continue;
    const { name, version, license } = JSON.parse(readFileSync(file, 'utf8'));
    if (name && version) return { name, version, license: license ?? '', directory };
  }
  return null;
}

/**
 * Writes what is bundled from npm beside the site: `third-party.json` for the bill of materials, and the licence
 * texts, which have to go wherever the code goes.
 */
export function thirdParty(): Plugin {
  return {
    name: 'postrider:third-party',
    generateBundle(_options, bundle) {
      const packages = new Map<string, Package>();
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const id of Object.keys(chunk.modules)) {
          const found = packageOf(id);
          if (found) packages.set(`${found.name}@${found.version}`, found);
        }
      }
      const sorted = [...packages.values()].sort((a, b) => a.name.localeCompare(b.name));
      const list = sorted.map(({ name, version, license }) => ({ name, version, license }));
      const notices = noticesOf(sorted.map(({ directory }) => directory));
      this.emitFile({ type: 'asset', fileName: 'third-party.json', source: JSON.stringify(list, null, 2) });
      this.emitFile({ type: 'asset', fileName: 'third-party-licences.txt', source: notices });
    },
  };
}

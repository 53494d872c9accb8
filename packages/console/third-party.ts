import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

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

function licenceText({ directory }: Package): string {
  const file = readdirSync(directory).find((name) => /^licen[cs]e(\.|$)/i.test(name));
  return file ? readFileSync(join(directory, file), 'utf8').trim() : 'See the package for its licence text.';
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
      const texts = sorted.map(
        (each) => `${each.name} ${each.version} (${each.license})\n\n${licenceText(each)}\n`,
      );
      this.emitFile({ type: 'asset', fileName: 'third-party.json', source: JSON.stringify(list, null, 2) });
      this.emitFile({ type: 'asset', fileName: 'third-party-licences.txt', source: texts.join('\n---\n\n') });
    },
  };
}

import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assemble, TARGETS } from '../docker/assemble.mjs';
import { BILL_OF_MATERIALS, dependenciesIn } from '../docker/bill-of-materials.mjs';
import { prepare } from './prepare.mjs';
import { main, ROOT } from './root.mjs';

const OUTPUT = join(ROOT, 'sbom');

/** A Markdown table of the packages of all artefacts, each with the artefacts that contain it. */
function thirdPartyList(billsByTarget) {
  const packages = new Map();
  for (const [target, bill] of billsByTarget) {
    for (const { name, version, licence } of dependenciesIn(bill)) {
      const key = `| ${name} | ${version} | ${licence} |`;
      packages.set(key, [...(packages.get(key) ?? []), target]);
    }
  }
  const rows = [...packages]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([row, targets]) => `${row} ${targets.join(', ')} |`);
  return ['| Package | Version | Licence | In |', '|---|---|---|---|', ...rows, ''].join('\n');
}

/**
 * npm run sbom: writes the bill of materials of each artefact (CycloneDX) and a list of all third-party packages into
 * sbom/. Fails if docker/licences.json does not allow a licence.
 */
await main(async () => {
  await prepare({ build: '.' });
  const directory = mkdtempSync(join(tmpdir(), 'postrider-sbom-'));
  try {
    mkdirSync(OUTPUT, { recursive: true });
    const bills = [];
    for (const target of Object.keys(TARGETS)) {
      const artefact = join(directory, target);
      await assemble(target, artefact);
      const path = join(artefact, BILL_OF_MATERIALS);
      copyFileSync(path, join(OUTPUT, `postrider-${target}.cdx.json`));
      bills.push([target, JSON.parse(readFileSync(path, 'utf8'))]);
    }
    writeFileSync(join(OUTPUT, 'THIRD-PARTY.md'), thirdPartyList(bills));
    process.stdout.write(`Written to ${OUTPUT}\n`);
  } finally {
    rmSync(directory, { recursive: true });
  }
});

/**
 * The bill of materials of an artefact (CycloneDX, JSON) and what its licences are held to. It is read from the
 * installed tree, not from the lock file, which also names peers that are never installed, and from the list of what
 * the sites bundle.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CommandFailed, ROOT } from '../scripts/root.mjs';

/** Its name at the top of an artefact, and so of /app in an image. */
export const BILL_OF_MATERIALS = 'sbom.cdx.json';
/** `allowed`: SPDX identifiers. `exceptions`: `{ "package", "licence", "reason" }`, for what else may be shipped. */
const LICENCES = join(ROOT, 'docker', 'licences.json');
const OPTIONS = ['--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev', '--omit=optional'];

/** Workspaces are ours: they are listed, and have no licence of their own. */
const isOurs = ({ purl }) => purl.startsWith('pkg:npm/%40postrider/');

/** The sites of the API. */
const SITES = ['console', 'portal'];

/** What a site is bundled from: its packages are in its files, and not in node_modules. */
function bundledIn(directory, site) {
  const list = join(directory, 'packages', site, 'dist', 'site', 'third-party.json');
  if (!existsSync(list)) return [];
  return JSON.parse(readFileSync(list, 'utf8')).map(({ name, version, license }) => {
    const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
    return {
      'bom-ref': `${site}:${purl}`,
      type: 'library',
      name,
      version,
      purl,
      scope: 'required',
      licenses: [{ license: { id: license } }],
    };
  });
}

/** The licence of a component as one SPDX expression; empty when it names none. */
const licenceOf = ({ licenses = [] }) =>
  licenses
    .map(({ license, expression }) => expression ?? license?.id ?? license?.name ?? '')
    .filter(Boolean)
    .join(' AND ');

/** Whether an expression can be met by what is allowed: one side of each OR, all sides of each AND. */
function isAllowed(expression, allowed) {
  const alternatives = expression.replaceAll(/[()]/g, '').split(/ OR /i);
  return alternatives.some((alternative) =>
    alternative.split(/ AND /i).every((id) => allowed.has(id.trim())),
  );
}

/** The dependencies of a bill, by name, each with its licence. */
export function dependenciesIn(bill) {
  return bill.components
    .filter((component) => !isOurs(component))
    .map((component) => ({ name: component.name, version: component.version, licence: licenceOf(component) }))
    .sort((a, b) => a.name.localeCompare(b.name) || a.version.localeCompare(b.version));
}

/** Names every dependency that may not be shipped, and every exception without a reason. */
export function findLicenceProblems(dependencies, { allowed, exceptions }) {
  const known = new Set(allowed);
  const isExcepted = ({ name, licence }) =>
    exceptions.some((exception) => exception.package === name && exception.licence === licence);
  return [
    ...dependencies
      .filter((each) => !isAllowed(each.licence, known) && !isExcepted(each))
      .map(({ name, version, licence }) => `${name}@${version}: ${licence || 'no licence'} is not allowed`),
    ...exceptions
      .filter(({ reason }) => !reason)
      .map((each) => `the exception for ${each.package} has no reason`),
  ];
}

/** Names every `{ name, version }` of `bundled` that a bill does not list: no licence of it has been looked at. */
export function findUnlisted(bundled, bill) {
  const listed = new Set(dependenciesIn(bill).map(({ name, version }) => `${name}@${version}`));
  return bundled
    .map(({ name, version }) => `${name}@${version}`)
    .filter((each) => !listed.has(each))
    .map((each) => `${each} is in a bundle and not installed for production`);
}

/**
 * Writes the bill of materials of an artefact into its directory. `bundled` are the packages in the bundles of its
 * workspaces. Throws when one of them is not in the bill, or when a licence is not allowed, so that no image can be
 * built with it.
 */
export function writeBillOfMaterials(target, directory, bundled) {
  const text = execFileSync('npm', ['sbom', ...OPTIONS], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1_024 * 1_024,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const bill = JSON.parse(text);
  bill.metadata.component.name = `postrider-${target}`;
  const unlisted = findUnlisted(bundled, bill);
  if (unlisted.length > 0)
    throw new CommandFailed(
      `Bundles of ${target}:\n${unlisted.join('\n')}\nMake it a dependency of the workspace, or add it to NOT_BUNDLED in scripts/bundle.mjs.`,
    );
  bill.components.push(...SITES.flatMap((site) => bundledIn(directory, site)));
  const problems = findLicenceProblems(dependenciesIn(bill), JSON.parse(readFileSync(LICENCES, 'utf8')));
  if (problems.length > 0) throw new CommandFailed(`Licences of ${target}:\n${problems.join('\n')}`);
  writeFileSync(join(directory, BILL_OF_MATERIALS), `${JSON.stringify(bill, null, 2)}\n`);
}

/**
 * Prepares and checks a release.
 *
 *     node scripts/release.mjs prepare 0.2.0    sets the version everywhere, also in the documentation site, and dates the section of CHANGELOG.md
 *     node scripts/release.mjs check v0.2.0     fails unless all files have the tag's version; prints the notes of the release
 *
 * What is stable, and how long a release is looked after: SUPPORT.md.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ROOT } from './root.mjs';

const VERSION = /^\d+\.\d+\.\d+(?:-[0-9a-z.]+)?$/;
const HELM = 'docker/helm';
const CHART = `${HELM}/postrider/Chart.yaml`;
const PYTHON = 'packages/client-python/pyproject.toml';
/** The committed manifests of the chart, and the values that they have besides the chart's own. */
const RENDERED = new Map([
  [`${HELM}/rendered/default.yaml`, null],
  [`${HELM}/rendered/everything.yaml`, `${HELM}/everything.values.yaml`],
]);

/**
 * The first line of rendered manifests: the SHA-256 of the chart and the values that they were rendered from. It shows,
 * without Helm, whether the manifests are up to date.
 */
export function chartSourceLine(manifests, root = ROOT) {
  const hash = createHash('sha256');
  const chart = readdirSync(join(root, HELM, 'postrider'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const values = RENDERED.get(manifests);
  for (const file of [...chart, ...(values ? [join(root, values)] : [])]) hash.update(readFileSync(file));
  return `# Rendered by npm run render:chart from the chart and values of SHA-256 ${hash.digest('hex')}.`;
}

/** The path of a workspace in the lockfile; the empty one is the root's. */
const WORKSPACE = /^(?:|apps\/[^/]+|packages\/[^/]+)$/;

/** The package.json files of the root and of its workspaces. */
const manifestsIn = (root) => [
  'package.json',
  ...['apps', 'packages'].flatMap((parent) =>
    readdirSync(join(root, parent))
      .map((name) => `${parent}/${name}/package.json`)
      .filter((file) => existsSync(join(root, file))),
  ),
];

/** Each place that names the version of the product, as a description and the version it has. */
export function versionsIn(root = ROOT) {
  const json = (file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
  const chart = readFileSync(join(root, CHART), 'utf8');
  const lock = json('package-lock.json');
  const locked = Object.entries(lock.packages).filter(([path]) => WORKSPACE.test(path));
  return [
    ...manifestsIn(root).map((file) => [file, json(file).version]),
    ...locked.map(([path, { version }]) => [`package-lock.json, ${path || 'root'}`, version]),
    [`${CHART}, version`, /^version: (.+)$/m.exec(chart)?.[1]],
    [`${CHART}, appVersion`, /^appVersion: (.+)$/m.exec(chart)?.[1]],
    [PYTHON, /^version = "(.+)"$/m.exec(readFileSync(join(root, PYTHON), 'utf8'))?.[1]],
    ...[...RENDERED.keys()].map((file) => [
      file,
      /helm\.sh\/chart: postrider-(.+)$/m.exec(readFileSync(join(root, file), 'utf8'))?.[1],
    ]),
  ];
}

/** The section of a version in the changelog, without its heading. Null if there is none, or if it is empty. */
export function notesOf(changelog, version) {
  const start = changelog.indexOf(`\n## [${version}] - `);
  if (start === -1) return null;
  const from = changelog.indexOf('\n', start + 1);
  const end = changelog.indexOf('\n## [', from);
  return changelog.slice(from, end === -1 ? undefined : end).trim() || null;
}

/** Sets the version in all files, and moves what is unreleased in CHANGELOG.md to a section of the version. */
export function prepareRelease(version, date, root = ROOT) {
  const before = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  const rewrite = (file, change) => {
    const path = join(root, file);
    writeFileSync(path, change(readFileSync(path, 'utf8')));
  };
  for (const file of manifestsIn(root)) {
    rewrite(file, (text) => text.replace(`"version": "${before}"`, `"version": "${version}"`));
  }
  rewrite('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    lock.version = version;
    for (const [path, entry] of Object.entries(lock.packages)) {
      if (WORKSPACE.test(path)) entry.version = version;
    }
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  rewrite(CHART, (text) => text.replace(/^(version|appVersion): .+$/gm, `$1: ${version}`));
  rewrite(PYTHON, (text) => text.replace(/^version = .+$/m, `version = "${version}"`));
  for (const file of RENDERED.keys()) {
    // The chart's name and version, its label, and the tags of the images; no other text of it has these forms.
    const places = new RegExp(
      `(helm\\.sh/chart: postrider-|app\\.kubernetes\\.io/version: "|image: "postrider-\\w+:)${before.replaceAll('.', '\\.')}`,
      'g',
    );
    rewrite(file, (text) =>
      text.replace(places, `$1${version}`).replace(/^# Rendered by .*$/m, chartSourceLine(file, root)),
    );
  }
  // The versions that the documentation site offers, the newest first.
  rewrite('docs/.vitepress/versions.json', (text) => {
    const minor = version.replace(/^(\d+\.\d+).*$/, '$1');
    return `${JSON.stringify([...new Set([minor, ...JSON.parse(text)])])}\n`;
  });
  rewrite('CHANGELOG.md', (text) =>
    text.replace('## [Unreleased]\n', `## [Unreleased]\n\n## [${version}] - ${date}\n`),
  );
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** Prints the notes of the release that a tag names, or says what does not fit it. */
export function checkRelease(tag, root = ROOT) {
  const version = tag.replace(/^v/, '');
  const wrong = versionsIn(root).filter(([, found]) => found !== version);
  if (wrong.length > 0) {
    return {
      problem: `${tag} does not fit these files:\n${wrong.map(([file, found]) => `  ${file}: ${found}`).join('\n')}`,
    };
  }
  const notes = notesOf(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  return notes === null
    ? { problem: `CHANGELOG.md has no section ## [${version}] - DATE with a text.` }
    : { notes };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , action, value = ''] = process.argv;
  if (action === 'prepare' && VERSION.test(value)) {
    prepareRelease(value, new Date().toISOString().slice(0, 10));
  } else if (action === 'check' && VERSION.test(value.replace(/^v/, ''))) {
    const { problem, notes } = checkRelease(value);
    if (problem) fail(problem);
    else process.stdout.write(`${notes}\n`);
  } else {
    fail('usage: node scripts/release.mjs prepare VERSION | check vVERSION');
  }
}

import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';
import { afterAll, describe, expect, it } from '@postrider/testing';
import {
  chartSourceLine,
  checkRelease,
  notesOf,
  prepareRelease,
  versionsIn,
} from '../../../scripts/release.mjs';

const directory = mkdtempSync(join(tmpdir(), 'postrider-release-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const MANIFEST = /^(?:|apps(?:\/[^/]+(?:\/package\.json)?)?|packages(?:\/[^/]+(?:\/package\.json)?)?)$/;
const OTHER =
  /^(?:package\.json|package-lock\.json|CHANGELOG\.md|docker|docker\/helm(?:\/.*)?|docs|docs\/\.vitepress(?:\/versions\.json)?|packages\/client-python\/pyproject\.toml)$/;

/** A copy of the files that name the version. */
function copyOfCheckout(): string {
  const copy = join(directory, 'checkout');
  rmSync(copy, { recursive: true, force: true });
  cpSync(ROOT, copy, {
    recursive: true,
    filter: (source) => {
      const path = source.slice(ROOT.length).replace(/^\//, '');
      return MANIFEST.test(path) || OTHER.test(path);
    },
  });
  return copy;
}

describe('a release', () => {
  it('has one version in all manifests, the lockfile and the chart', () => {
    expect(new Set(versionsIn().map(([, version]) => version)).size).toBe(1);
  });

  it('publishes the client under the licence of the whole, which is chosen in package.json', () => {
    const manifest = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8'));
    const client = manifest('packages/client/package.json');
    // npm refuses to publish a private package.
    expect(client.private).toBeUndefined();
    expect(client.license).toBe(manifest('package.json').license);
  });

  it('is prepared in every place at once, and then fits its tag', () => {
    const root = copyOfCheckout();
    prepareRelease('7.8.9', '2031-02-03', root);
    expect(versionsIn(root).filter(([, version]) => version !== '7.8.9')).toEqual([]);
    for (const file of ['docker/helm/rendered/default.yaml', 'docker/helm/rendered/everything.yaml']) {
      expect(readFileSync(join(root, file), 'utf8').split('\n')[0]).toBe(chartSourceLine(file, root));
    }
    const versions = JSON.parse(readFileSync(join(root, 'docs/.vitepress/versions.json'), 'utf8'));
    expect(versions[0]).toBe('7.8');
    const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
    expect(changelog).toContain('## [Unreleased]\n\n## [7.8.9] - 2031-02-03\n');
    writeFileSync(join(root, 'CHANGELOG.md'), changelog.replace('2031-02-03\n', '2031-02-03\n\n- Better.\n'));
    expect(checkRelease('v7.8.9', root).notes).toContain('- Better.');
  });

  it('is refused if a file has another version than the tag', () => {
    const root = copyOfCheckout();
    prepareRelease('7.8.9', '2031-02-03', root);
    const chart = join(root, 'docker/helm/postrider/Chart.yaml');
    writeFileSync(chart, readFileSync(chart, 'utf8').replace('appVersion: 7.8.9', 'appVersion: 7.8.8'));
    expect(checkRelease('v7.8.9', root).problem).toBe(
      'v7.8.9 does not fit these files:\n  docker/helm/postrider/Chart.yaml, appVersion: 7.8.8',
    );
  });

  it('has the notes of its own section only', () => {
    const changelog =
      '# C\n\n## [Unreleased]\n\n- c\n\n## [0.2.0] - 2026-01-02\n\n- b\n\n## [0.1.0] - 2026-01-01\n\n- a\n';
    expect(notesOf(changelog, '0.2.0')).toBe('- b');
    expect(notesOf(changelog, '0.1.0')).toBe('- a');
    expect(notesOf(changelog, '0.3.0')).toBeNull();
  });
});

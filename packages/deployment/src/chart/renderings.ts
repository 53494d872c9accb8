import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '@postrider/local-stack/testing';

const HELM = join(ROOT, 'docker', 'helm');

export const CHART = join(HELM, 'postrider');

/** The chart with one set of values, and the file in which its manifests are committed. */
export interface Rendering {
  /** Beside the chart's own; null: none. */
  readonly values: string | null;
  readonly manifests: string;
}

/** The chart as it comes, and with every part switched on. */
export const RENDERINGS: readonly Rendering[] = [
  { values: null, manifests: join(HELM, 'rendered', 'default.yaml') },
  { values: join(HELM, 'everything.values.yaml'), manifests: join(HELM, 'rendered', 'everything.yaml') },
];

function filesBelow(directory: string): string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * The first line of the manifests: the SHA-256 of the chart and the values that they were rendered from. It
 * tells without Helm whether they are those of today's chart.
 */
export function sourceLine({ values }: Rendering): string {
  const hash = createHash('sha256');
  for (const file of [...filesBelow(CHART), ...(values ? [values] : [])]) hash.update(readFileSync(file));
  return `# Rendered by npm run render:chart from the chart and values of SHA-256 ${hash.digest('hex')}.`;
}

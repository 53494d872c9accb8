import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@postrider/local-stack/testing';
import { chartSourceLine } from '../../../../scripts/release.mjs';

const HELM = join(ROOT, 'docker', 'helm');

const CHART = join(HELM, 'postrider');

/** The chart with one set of values, and the file of its committed manifests. */
interface Rendering {
  /** A file of values in addition to the chart's own, if any. */
  readonly values: string | null;
  readonly manifests: string;
}

/** The chart with its defaults, and with every part switched on. */
export const RENDERINGS: readonly Rendering[] = [
  { values: null, manifests: join(HELM, 'rendered', 'default.yaml') },
  { values: join(HELM, 'everything.values.yaml'), manifests: join(HELM, 'rendered', 'everything.yaml') },
];

/** The first line of the manifests, which says what they were rendered from. */
export const sourceLine = ({ manifests }: Rendering): string => chartSourceLine(relative(ROOT, manifests));

const run = promisify(execFile);

/** Without this, Helm assumes a version that is years old. */
const KUBERNETES_VERSION = '1.31.0';
const RELEASE = ['postrider', '--namespace', 'postrider', '--kube-version', KUBERNETES_VERSION];

/** Returns the output of `helm`. Rejects with its error output, or with what to do if Helm is not installed. */
async function helm(...args: string[]): Promise<string> {
  try {
    return (await run('helm', args)).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('There is no helm on the path: install Helm 3 and run npm run render:chart again.');
  }
}

/**
 * `npm run render:chart`: lints the chart and writes Helm's manifests for each set of values. It needs `helm` on the
 * PATH. Rejects with Helm's error output if the chart cannot be rendered.
 */
export async function renderChart(): Promise<void> {
  for (const rendering of RENDERINGS) {
    const values = rendering.values ? ['--values', rendering.values] : [];
    await helm('lint', '--strict', '--kube-version', KUBERNETES_VERSION, CHART, ...values);
    const manifests = await helm('template', ...RELEASE, CHART, ...values);
    await writeFile(rendering.manifests, `${sourceLine(rendering)}\n${manifests}`);
  }
}

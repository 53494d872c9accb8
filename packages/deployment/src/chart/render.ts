import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CHART, RENDERINGS, sourceLine } from './renderings.ts';

const run = promisify(execFile);

/** Helm assumes one that is years old unless it is told. */
const KUBERNETES_VERSION = '1.31.0';
const RELEASE = ['postrider', '--namespace', 'postrider', '--kube-version', KUBERNETES_VERSION];

/** What `helm` prints. Rejects with what it says when it fails, and with what to do when it is not there. */
async function helm(...args: string[]): Promise<string> {
  try {
    return (await run('helm', args)).stdout;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new Error('There is no helm on the path: install Helm 3 and run npm run render:chart again.');
  }
}

/**
 * `npm run render:chart`: lints the chart and writes the manifests that Helm makes of it, for each set of
 * values. Wants `helm` on the path. Rejects with what Helm says when the chart cannot be rendered.
 */
export async function renderChart(): Promise<void> {
  for (const rendering of RENDERINGS) {
    const values = rendering.values ? ['--values', rendering.values] : [];
    await helm('lint', '--strict', '--kube-version', KUBERNETES_VERSION, CHART, ...values);
    const manifests = await helm('template', ...RELEASE, CHART, ...values);
    await writeFile(rendering.manifests, `${sourceLine(rendering)}\n${manifests}`);
  }
}

import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { CHART, RENDERINGS, sourceLine } from './renderings.ts';

const run = promisify(execFile);

/** Helm assumes one that is years old unless it is told. */
const KUBERNETES_VERSION = '1.31.0';
const RELEASE = ['postrider', '--namespace', 'postrider', '--kube-version', KUBERNETES_VERSION];

/**
 * `npm run render:chart`: lints the chart and writes the manifests that Helm makes of it, for each set of
 * values. Wants `helm` on the path. Rejects with what Helm says when the chart cannot be rendered.
 */
export async function renderChart(): Promise<void> {
  for (const rendering of RENDERINGS) {
    const values = rendering.values ? ['--values', rendering.values] : [];
    await run('helm', ['lint', '--strict', '--kube-version', KUBERNETES_VERSION, CHART, ...values]);
    const { stdout } = await run('helm', ['template', ...RELEASE, CHART, ...values]);
    await writeFile(rendering.manifests, `${sourceLine(rendering)}\n${stdout}`);
  }
}

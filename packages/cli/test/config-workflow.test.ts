import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createPostriderAdmin } from '@postrider/client';
import { afterAll, beforeAll, describe, expect, it } from '@postrider/testing';
import { parse } from 'yaml';
import { useManagement } from './support/management.ts';

const run = promisify(execFile);
const MAIN = fileURLToPath(new URL('../dist/main.js', import.meta.url));
const WORKFLOW = parse(
  readFileSync(new URL('../examples/github-workflow.yml', import.meta.url), 'utf8'),
) as Workflow;

interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}
interface Step {
  readonly name?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const { environment: variables, anEnvironment } = useManagement();
let directory: string;

/** What npm would install, and a GitHub that keeps the comment. */
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'postrider-workflow-'));
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  const script = (name: string, text: string) =>
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  script('npm', '[ "$*" = "install --global postrider" ]');
  script('postrider', `exec '${process.execPath}' '${MAIN}' "$@"`);
  script('gh', '[ "$1 $2 $3" = "pr comment 7" ] && cp comment.md commented.md');
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs the steps of a job as the runner of GitHub does, in a checkout with this configuration. Rejects if one fails. */
async function runJob(name: string, checkout: string, values: Readonly<Record<string, string>>) {
  const resolved = (env: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(
      Object.entries(env).map(([key, text]) => [
        key,
        text.replaceAll(/\$\{\{ *([\w.]+) *\}\}/g, (_, expression: string) => values[expression] ?? ''),
      ]),
    );
  const shared = {
    PATH: `${join(directory, 'bin')}:${process.env.PATH}`,
    HOME: directory,
    GITHUB_STEP_SUMMARY: join(checkout, 'summary.md'),
    GITHUB_REPOSITORY: 'acme/shop',
    GITHUB_SHA: '0123abc',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    ...resolved(WORKFLOW.env),
  };
  for (const { run: script, env } of WORKFLOW.jobs[name]?.steps ?? []) {
    if (script === undefined) continue;
    await run('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: checkout,
      env: { ...shared, ...resolved(env) },
    });
  }
}

describe('the workflow for GitHub', () => {
  it('comments the plan, applies it on main, and fails with the error in the comment', async () => {
    const { id } = await anEnvironment();
    const { POSTRIDER_URL: url, ADMIN_TOKEN: token } = variables();
    const admin = createPostriderAdmin({ baseUrl: url, adminToken: token });
    const values = {
      ...{ 'vars.POSTRIDER_URL': url, 'vars.POSTRIDER_ENVIRONMENT': id },
      ...{ 'secrets.POSTRIDER_READ_TOKEN': token, 'secrets.POSTRIDER_TOKEN': token },
      'github.event.pull_request.number': '7',
    };
    const checkout = mkdtempSync(join(directory, 'checkout-'));
    const write = (file: string, text: string) => writeFileSync(join(checkout, 'config', file), text);
    const comment = () => readFileSync(join(checkout, 'commented.md'), 'utf8');
    mkdirSync(join(checkout, 'config', 'event-types'), { recursive: true });
    write('postrider.yaml', 'version: 1\nsections: [event_types]\n');
    write('event-types/a.yaml', 'event_key: order.shipped\ndescription: It left.\n');

    await runJob('plan', checkout, values);
    expect(comment()).toMatch(/^```diff\n\+ create event type order\.shipped\n1 to create\.\n/);
    expect((await admin.eventTypes.of(id).page()).data).toEqual([]);

    await runJob('apply', checkout, values);
    expect(await admin.eventTypes.get(id, 'order.shipped')).toMatchObject({ description: 'It left.' });
    const { data } = await admin.auditLog.page({ environment_id: id, resource_type: 'event_type' });
    expect(data).toMatchObject([{ reason: 'acme/shop 0123abc' }]);

    await runJob('plan', checkout, values);
    expect(comment()).toContain('No changes.');

    write('event-types/a.yaml', 'event_key: order.shipped\nsearch_keys: 5\n');
    await expect(runJob('plan', checkout, values)).rejects.toThrow();
    expect(comment()).toMatch(/^event-types\/a\.yaml:2 \/search_keys /m);
  }, 240_000);
});

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Cleanup, NODE_ARGUMENTS } from '@postrider/local-stack';
import { createService, type Service } from '@postrider/local-stack/testing';
import type { Artefact } from './assemble.ts';

const run = promisify(execFile);

const [MAJOR = 0] = process.versions.node.split('.').map(Number);

/**
 * Node.js options that let a program read only its artefact, write nothing, and start no other program, like the
 * container of an image. In Node.js 20 the option has another name.
 */
function confinedTo(directory: string): string[] {
  const permission = MAJOR < 22 ? '--experimental-permission' : '--permission';
  return [
    permission,
    `--allow-fs-read=${directory}/*`,
    '--allow-worker',
    '--disable-warning=ExperimentalWarning',
  ];
}

export interface Started {
  readonly service: Service;
  /** Milliseconds from its start until `/readyz` answers 200. */
  readonly startMs: number;
}

/** Starts an artefact's entry, confined to its files, and resolves when it is ready. The clean-up ends it. */
export async function startArtefact(
  { target, directory }: Artefact<'api' | 'worker'>,
  env: NodeJS.ProcessEnv,
  cleanup: Cleanup,
): Promise<Started> {
  const entry = `apps/${target}/dist/bundle/main.js`;
  const service = await createService({
    app: target,
    name: `the artefact "${target}"`,
    env,
    run: { args: [...NODE_ARGUMENTS[target], ...confinedTo(directory), entry], cwd: directory },
  });
  cleanup.add(service.kill);
  return { service, startMs: await service.start() };
}

/** Sends SIGTERM. Resolves with the milliseconds until the exit; rejects unless the process exits by itself with 0. */
export async function stopArtefact(service: Service): Promise<number> {
  const before = service.uncleanStops();
  const stopMs = await service.stop();
  if (service.uncleanStops() > before)
    throw new Error(`${service.name} did not end with 0 when it was stopped`);
  return stopMs;
}

/** Runs the command line of the artefact "cli" as its image does, and returns its output. */
export async function postrider(
  { directory }: Artefact,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const entry = join(directory, 'node_modules', '.bin', 'postrider');
  const { stdout } = await run(process.execPath, [...confinedTo(directory), entry, ...args], {
    cwd: directory,
    env,
  });
  return stdout;
}

/** Runs a command line as an operator, and returns its output. */
export type RunAsOperator = (args: readonly string[]) => Promise<string>;

/** Creates a plan, a tenant, an environment, a channel and a token with the command line, and returns the token. */
export async function provision(run: RunAsOperator, code: string, webhookUrl: string): Promise<string> {
  const create = async (...args: string[]): Promise<Record<string, string>> =>
    JSON.parse(await run([...args, '--json']));

  await create('plans', 'create', '--code', code, '--name', 'Starter');
  const tenant = await create('tenants', 'create', '--name', 'Acme', '--plan', code);
  const parent = ['--tenant', tenant.id ?? ''];
  const environment = await create('environments', 'create', ...parent, '--name', 'staging');
  const within = ['--environment', environment.id ?? '', '--name', 'first'];
  await create('channels', 'create-webhook', ...within, '--url', webhookUrl);
  const { token } = await create('tokens', 'create', ...within);
  return token ?? '';
}

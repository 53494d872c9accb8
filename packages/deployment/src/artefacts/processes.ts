import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { NODE_ARGUMENTS, type Program, startProgram } from '@postrider/local-stack';
import type { Artefact } from './assemble.ts';
import { confinedTo } from './confine.ts';

const run = promisify(execFile);

const START_DEADLINE_MS = 60_000;
const PROBE_PAUSE_MS = 10;
/** Longer than the service's own deadline for stopping. */
const STOP_TIMEOUT_MS = 40_000;

export interface Started {
  readonly program: Program;
  readonly url: string;
  /** From its start until `/readyz` answers 200, in milliseconds. */
  readonly startMs: number;
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

/** Runs an artefact's entry, confined to its files, and resolves when it can do its work. */
export async function startArtefact(
  { target, directory }: Artefact<'api' | 'worker'>,
  { port, env }: { port: number; env: NodeJS.ProcessEnv },
): Promise<Started> {
  const began = performance.now();
  const url = `http://127.0.0.1:${port}`;
  const program = await startProgram({
    name: `the artefact "${target}"`,
    command: process.execPath,
    args: [...NODE_ARGUMENTS[target], ...confinedTo(directory), `apps/${target}/dist/main.js`],
    cwd: directory,
    env,
    stopTimeoutMs: STOP_TIMEOUT_MS,
  });
  while (!(await isReady(url))) {
    if (program.hasEnded() || performance.now() - began > START_DEADLINE_MS) {
      throw new Error(`${program.name} did not get ready:\n${program.output.lastLines().join('\n')}`);
    }
    await wait(PROBE_PAUSE_MS);
  }
  return { program, url, startMs: performance.now() - began };
}

/** SIGTERM. Rejects unless it ends by itself and in order. */
export async function stopArtefact({ program }: Started): Promise<void> {
  await program.stop();
  const { code, signal } = await program.exited;
  if (code !== 0) throw new Error(`${program.name} ended with ${code ?? signal} when it was told to stop`);
}

/** Runs the command line of the artefact "cli", as its image does, and returns what it printed. */
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

import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Program, startProgram } from '@postrider/local-stack';
import { until } from '../until.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
/** A process needs about a second to start; several that start at once on a busy machine need more. */
const START_DEADLINE_MS = 60_000;
/** Longer than the service's own deadline for stopping. */
const STOP_TIMEOUT_MS = 30_000;
const PROBE_TIMEOUT_MS = 1_000;
/** Long enough for a process that gets little of a busy machine. */
const METRICS_TIMEOUT_MS = 10_000;
/** A process answers with the same metrics for a second; the answer to a question after it is of its own time. */
const METRICS_AGE_MS = 1_050;
/** So that a process that dies at once does not take the machine from the others. */
const RESTART_PAUSE_MS = 250;

export interface ServiceOptions {
  readonly name: string;
  /** Of the built entry, relative to the top of the checkout. */
  readonly entry: string;
  readonly port: number;
  readonly metricsPort: number;
  readonly env: NodeJS.ProcessEnv;
}

/** One process of the service, which a scenario may start and end as it likes. */
export interface Service {
  readonly name: string;
  readonly url: string;
  /** Resolves when the process answers `/healthz`. */
  start(): Promise<void>;
  /** SIGKILL. Resolves when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM. Resolves when it is gone. */
  stop(): Promise<void>;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
  /** The value of a metric that has no labels of its own, as the process states it. Waits until it reads its metrics again. */
  metric(name: string): Promise<number>;
  /** How often it ended although nobody asked it to. */
  ownExits(): number;
  /** How often it was asked to stop and ended otherwise than with 0. */
  uncleanStops(): number;
  /** Lines that it wrote. */
  linesWritten(): number;
}

async function answers(url: string): Promise<boolean> {
  const response = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
  await response.arrayBuffer();
  return response.ok;
}

/**
 * Prepares a process without starting it. When it ends by itself it is started again, as whatever runs it in
 * production would.
 */
export function createService({ name, entry, port, metricsPort, env }: ServiceOptions): Service {
  const url = `http://127.0.0.1:${port}`;
  let program: Program | null = null;
  let spawning: Promise<Program> | null = null;
  let ownExits = 0;
  let uncleanStops = 0;
  let lines = 0;
  let metricsReadAt = Number.NEGATIVE_INFINITY;

  function spawn(): Promise<Program> {
    spawning = startProgram({
      name,
      command: process.execPath,
      args: [join(ROOT, entry)],
      cwd: ROOT,
      env,
      stopTimeoutMs: STOP_TIMEOUT_MS,
      onLine: () => {
        lines += 1;
      },
    });
    return spawning;
  }

  async function launch(): Promise<void> {
    const started = await spawn();
    program = started;
    void started.exited.then(() => {
      if (program !== started) return;
      ownExits += 1;
      restart(started).catch((error) => process.stderr.write(`${name} was not started again: ${error}\n`));
    });
  }

  async function restart(ended: Program): Promise<void> {
    await wait(RESTART_PAUSE_MS);
    if (program === ended) await launch();
  }

  /** Hands the process over to whoever ends it; one that is being started is there first. */
  async function release(): Promise<Program | null> {
    await spawning?.catch(() => undefined);
    const released = program;
    program = null;
    return released;
  }

  function send(signal: NodeJS.Signals): void {
    if (program && !program.hasEnded()) process.kill(program.pid, signal);
  }

  return {
    name,
    url,
    async start() {
      await launch();
      await until(`${name} answers`, START_DEADLINE_MS, () => answers(url));
    },
    async kill() {
      await (await release())?.kill();
    },
    async stop() {
      const stopped = await release();
      if (!stopped) return;
      await stopped.stop();
      const { code } = await stopped.exited;
      if (code !== 0) uncleanStops += 1;
    },
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
    async metric(name) {
      const rest = METRICS_AGE_MS - (performance.now() - metricsReadAt);
      if (rest > 0) await wait(rest);
      metricsReadAt = performance.now();
      const response = await fetch(`http://127.0.0.1:${metricsPort}/metrics`, {
        signal: AbortSignal.timeout(METRICS_TIMEOUT_MS),
      });
      const [, value] = new RegExp(`^${name}\\{.*\\} (\\S+)$`, 'm').exec(await response.text()) ?? [];
      return Number(value);
    },
    ownExits: () => ownExits,
    uncleanStops: () => uncleanStops,
    linesWritten: () => lines,
  };
}

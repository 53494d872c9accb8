import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { waitFor } from '@postrider/rig';
import { chooseFreePort, type Program, startProgram } from '@postrider/rig/servers';
import { NODE_ARGUMENTS } from '../node-arguments.ts';

/** The root of the checkout. */
export const ROOT: string = fileURLToPath(new URL('../../../..', import.meta.url));

export type App = 'api' | 'worker';

const PORT_VARIABLES = { api: 'PORT', worker: 'WORKER_PORT' } as const;

/** Node.js arguments that run an app's build as in production. */
export const nodeArgumentsOf = (app: App): string[] => [
  ...NODE_ARGUMENTS[app],
  join(ROOT, 'apps', app, 'dist', 'bundle', 'main.js'),
];

const { NODE_COMPILE_CACHE } = process.env;
/** The cache of compiled modules for processes that a test run starts. */
const COMPILED: NodeJS.ProcessEnv = NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};

export interface Stores {
  readonly databaseUrl: string;
  readonly redisUrl: string;
  /** The key that encrypts the channels' secrets. */
  readonly key: { readonly id: string; readonly key: Buffer };
}

/** The complete environment of a process that runs as in production, but may deliver to this machine. */
export function productionEnvironment({ databaseUrl, redisUrl, key }: Stores): NodeJS.ProcessEnv {
  return {
    // Its ports were checked to be free only at this address.
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    ENCRYPTION_KEYS: `${key.id}:${key.key.toString('base64')}`,
    EGRESS_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
  };
}

/** A command to run. */
interface ServiceCommand {
  /** By default the Node.js of this process. */
  readonly command?: string;
  readonly args: readonly string[];
  /** By default the root of the checkout. */
  readonly cwd?: string;
}

export interface ServiceOptions {
  readonly app: App;
  /** Its name in messages; by default the app's. */
  readonly name?: string;
  /** By default a free one. */
  readonly port?: number | undefined;
  /** The complete environment, except for the port. */
  readonly env: NodeJS.ProcessEnv;
  /** The command to run, or a function that chooses it at each start; by default Node.js with {@link nodeArgumentsOf}. */
  readonly run?: ServiceCommand | (() => ServiceCommand);
  /** The path that answers once it has started: `/readyz` waits for its dependencies, `/healthz` does not. */
  readonly started?: '/readyz' | '/healthz';
  /** Whether to restart it when it ends by itself, like an orchestrator. */
  readonly restarts?: boolean;
  /** Called with each line of its output. */
  readonly onLine?: (line: string) => void;
}

/** A process of the service that its owner starts and ends. */
export interface Service {
  readonly app: App;
  readonly name: string;
  readonly url: string;
  readonly metricsUrl: string;
  /** The program that runs or has ended by itself; null before the start, and after `stop` or `kill`. */
  program(): Program | null;
  /** Starts it, and resolves with the milliseconds that this took. Rejects after 60 s. */
  start(): Promise<number>;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
  /** Sends SIGTERM. Resolves with the milliseconds until the process had ended. */
  stop(): Promise<number>;
  /** `pause` sends SIGSTOP, `resume` SIGCONT. */
  pause(): void;
  resume(): void;
  /** Returns the current value of a metric without own labels. Waits until the process reads its metrics again. */
  metric(name: string): Promise<number>;
  /** How often the process ended by itself. */
  ownExits(): number;
  /** How often the process was asked to stop and did not exit with 0. */
  uncleanStops(): number;
  linesWritten(): number;
}

/** A process takes about a second to start; several at once on a busy machine take longer. */
const START_TIMEOUT_MS = 60_000;
/** Longer than the service's own time limit for stopping. */
const STOP_TIMEOUT_MS = 40_000;
const START_POLL_MS = 25;
const PROBE_TIMEOUT_MS = 2_000;
/** Long enough for a process that gets little of a busy machine. */
const METRICS_TIMEOUT_MS = 10_000;
/** A process answers with the same metrics for a second; after this time the answer is new. */
const METRICS_AGE_MS = 1_050;
/** A pause before a restart, so that a process that always crashes leaves processor time for the others. */
const RESTART_PAUSE_MS = 250;

async function answersOk(url: string): Promise<boolean> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) }).catch(() => null);
  await response?.arrayBuffer();
  return response?.ok ?? false;
}

/** Prepares a process of the service without starting it. */
export async function createService({
  app,
  name = app,
  port,
  env,
  run = { args: nodeArgumentsOf(app) },
  started = '/readyz',
  restarts = false,
  onLine = () => undefined,
}: ServiceOptions): Promise<Service> {
  const ownPort = port ?? (await chooseFreePort());
  const url = `http://127.0.0.1:${ownPort}`;
  const metricsPort = await chooseFreePort();
  const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
  let program: Program | null = null;
  let spawning: Promise<Program> | null = null;
  let ownExits = 0;
  let uncleanStops = 0;
  let lines = 0;
  let metricsReadAt = Number.NEGATIVE_INFINITY;

  function spawn(): Promise<Program> {
    const { command = process.execPath, args, cwd = ROOT } = typeof run === 'function' ? run() : run;
    spawning = startProgram({
      name,
      command,
      args,
      cwd,
      env: { ...COMPILED, METRICS_PORT: String(metricsPort), ...env, [PORT_VARIABLES[app]]: String(ownPort) },
      stopTimeoutMs: STOP_TIMEOUT_MS,
      onLine: (line) => {
        lines += 1;
        onLine(line);
      },
    });
    return spawning;
  }

  async function launch(): Promise<Program> {
    const launched = await spawn();
    program = launched;
    void launched.exited.then(() => {
      if (program !== launched) return;
      ownExits += 1;
      if (!restarts) return;
      relaunch(launched).catch((error) => process.stderr.write(`${name} was not restarted: ${error}\n`));
    });
    return launched;
  }

  async function relaunch(ended: Program): Promise<void> {
    await wait(RESTART_PAUSE_MS);
    if (program === ended) await launch();
  }

  /** Takes the program away, so that its end does not count as unexpected. Waits if it is being started. */
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
    app,
    name,
    url,
    metricsUrl,
    program: () => program,
    async start() {
      const began = performance.now();
      const launched = await launch();
      const outcome = await waitFor(
        `${name} to start`,
        async () => {
          if (await answersOk(`${url}${started}`)) return 'started';
          return !restarts && launched.hasEnded() && `ended with ${(await launched.exited).code}`;
        },
        { timeoutMs: START_TIMEOUT_MS, pollMs: START_POLL_MS },
      ).catch((error: Error) => error.message);
      if (outcome === 'started') return performance.now() - began;
      throw new Error([`${name} did not start: ${outcome}`, ...launched.output.lastLines()].join('\n'));
    },
    async kill() {
      await (await release())?.kill();
    },
    async stop() {
      const began = performance.now();
      const stopped = await release();
      await stopped?.stop();
      if (stopped && (await stopped.exited).code !== 0) uncleanStops += 1;
      return performance.now() - began;
    },
    pause: () => send('SIGSTOP'),
    resume: () => send('SIGCONT'),
    async metric(metric) {
      const rest = METRICS_AGE_MS - (performance.now() - metricsReadAt);
      if (rest > 0) await wait(rest);
      metricsReadAt = performance.now();
      const response = await fetch(metricsUrl, { signal: AbortSignal.timeout(METRICS_TIMEOUT_MS) });
      const [, value] = new RegExp(`^${metric}\\{.*\\} (\\S+)$`, 'm').exec(await response.text()) ?? [];
      return Number(value);
    },
    ownExits: () => ownExits,
    uncleanStops: () => uncleanStops,
    linesWritten: () => lines,
  };
}

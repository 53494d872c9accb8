import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cacheDirectoryOf, type DebianPackage, type Found, unpackDebian } from './fetch-debian.ts';
import { chooseFreePort } from './free-port.ts';
import { startProgram } from './supervise.ts';

const PROGRAM = 'usr/bin/prometheus';
const PROMTOOL = 'usr/bin/promtool';
const PROMETHEUS: DebianPackage = { packageName: 'prometheus', markers: [PROGRAM, PROMTOOL] };
const READY = /Server is ready to receive web requests/;

/** The root directory of the unpacked Debian or Ubuntu package. */
export const findPrometheus = (): Promise<Found<string>> =>
  unpackDebian(PROMETHEUS, join(cacheDirectoryOf(process.env), 'prometheus'));

/** The path of promtool in the package at `root`. */
export const promtoolOf = (root: string): string => join(root, PROMTOOL);

/** A series of a query's result. */
export interface PrometheusSample {
  readonly metric: Readonly<Record<string, string>>;
  /** The time in seconds, and the value. */
  readonly value: readonly [number, string];
}

/** A Prometheus that scrapes every second. */
export interface Prometheus {
  /** The result of an instant query. Throws for an invalid one. */
  query(expression: string): Promise<PrometheusSample[]>;
  stop(): Promise<void>;
}

/** Starts Prometheus from the package at `root`. The keys of `targets` are the names of its jobs, the values `host:port`. */
export async function startPrometheus(
  root: string,
  targets: Readonly<Record<string, string>>,
): Promise<Prometheus> {
  const directory = await mkdtemp(join(tmpdir(), 'postrider-prometheus-'));
  const port = await chooseFreePort();
  const config = {
    global: { scrape_interval: '1s' },
    scrape_configs: Object.entries(targets).map(([job, target]) => ({
      job_name: job,
      static_configs: [{ targets: [target] }],
    })),
  };
  // JSON is YAML.
  await writeFile(join(directory, 'prometheus.yml'), JSON.stringify(config));
  const program = await startProgram({
    name: 'Prometheus',
    command: join(root, PROGRAM),
    args: [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    cwd: directory,
    removeWhenOrphaned: [directory],
  });
  const stop = async () => {
    await program.kill();
    await rm(directory, { recursive: true, force: true });
  };
  if (!(await program.output.waitFor(READY))) {
    await stop();
    throw new Error(`Prometheus did not start:\n${program.output.lastLines().join('\n')}`);
  }
  return {
    async query(expression) {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(expression)}`;
      const { data, error } = (await (await fetch(url)).json()) as {
        data?: { result: PrometheusSample[] };
        error?: string;
      };
      if (!data) throw new Error(`${expression}: ${error}`);
      return data.result;
    },
    stop,
  };
}

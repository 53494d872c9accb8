import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { type PostgresServer, type RedisServer, startPostgres, startRedis } from '@postrider/local-stack';
import { chooseFreePort } from '@postrider/rig/servers';
import { Redis } from 'ioredis';
import type { ClusterTemplate } from './cluster-template.ts';
import { pausing } from './pausing.ts';

/** A server that restarts at the same address and, for Postgres, with the same data. */
export interface Store {
  readonly url: string;
  start(): Promise<void>;
  /** Postgres: immediate shutdown (SIGQUIT), like a crash. Redis: SIGKILL; all data is lost. */
  crash(): Promise<void>;
  /** Stops all of its processes (SIGSTOP): the system still accepts connections, and nothing answers. */
  pause(): Promise<void>;
  /** Continues them. */
  resume(): void;
  stop(): Promise<void>;
}

export interface RedisStore extends Store {
  /** Runs FLUSHALL. Returns how many jobs there were just before. */
  flush(): Promise<number>;
}

/**
 * Starts a Postgres with durable commits on a copy of the template, which is removed at the end. If this process is killed,
 * the template is removed, too.
 */
export async function openPostgres(template: ClusterTemplate): Promise<Store> {
  const directory = await template.copy();
  const port = await chooseFreePort();
  const launch = () => startPostgres({ directory, port, removeWhenOrphaned: [template.directory] });
  let server: PostgresServer = await launch();
  const { pause, resume } = pausing(() => server.pid);
  return {
    url: server.url,
    pause,
    resume,
    async start() {
      server = await launch();
    },
    async crash() {
      process.kill(server.pid, 'SIGQUIT');
      await server.program.exited;
    },
    async stop() {
      resume();
      await server.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** The keys of jobs, by the form of their ids. */
const JOB_KEYS = '*:wake-*';

/** Starts a Redis. `settings` are further lines of its configuration. */
export async function openRedis(settings: readonly string[] = []): Promise<RedisStore> {
  let server: RedisServer = await startRedis({ settings });
  const { url, port, password } = server;
  const { pause, resume } = pausing(() => server.pid);
  return {
    url,
    pause,
    resume,
    async start() {
      server = await startRedis({ port, password, settings });
    },
    crash: () => server.kill(),
    async stop() {
      resume();
      await server.stop();
    },
    async flush() {
      const client = new Redis(url, { lazyConnect: true });
      await client.connect();
      const jobs = await client.keys(JOB_KEYS);
      await client.flushall();
      const closed = once(client, 'end');
      client.disconnect();
      await closed;
      return jobs.filter((key) => !key.endsWith(':lock')).length;
    },
  };
}

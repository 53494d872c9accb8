import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitFor } from '@postrider/rig';
import { chooseFreePort, type Program, startProgram } from '@postrider/rig/servers';
import { openWithCleanup } from '../cleanup.ts';
import { findRedis } from '../redis/find.ts';
import { startRedis } from '../redis/start.ts';
import { connectTo, isReplicating } from './redis-cluster.ts';

const PRIMARY_NAME = 'mymaster';
const SENTINELS = 3;
const QUORUM = 2;
/** How long a primary may be silent; on a busy machine a healthy one may be for a second. */
const DOWN_AFTER_MS = 3_000;
const FAILOVER_TIMEOUT_MS = 5_000;

/** A primary, its replica and three Sentinels on this machine. */
interface RedisBehindSentinel {
  readonly url: string;
  /** Kills the primary, and resolves when the Sentinels have promoted the replica. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

interface Sentinel {
  readonly port: number;
  readonly program: Program;
}

async function startSentinel(primary: { port: number; password: string }): Promise<Sentinel> {
  const { command, libraryPath } = await findRedis();
  const directory = await mkdtemp(join(tmpdir(), 'postrider-sentinel-'));
  const port = await chooseFreePort();
  const config = join(directory, 'sentinel.conf');
  const lines = [
    'bind 127.0.0.1',
    `port ${port}`,
    `sentinel monitor ${PRIMARY_NAME} 127.0.0.1 ${primary.port} ${QUORUM}`,
    `sentinel auth-pass ${PRIMARY_NAME} ${primary.password}`,
    `sentinel down-after-milliseconds ${PRIMARY_NAME} ${DOWN_AFTER_MS}`,
    `sentinel failover-timeout ${PRIMARY_NAME} ${FAILOVER_TIMEOUT_MS}`,
  ];
  await writeFile(config, `${lines.join('\n')}\n`, { mode: 0o600 });
  const program = await startProgram({
    name: 'Redis Sentinel',
    command,
    args: [config, '--sentinel'],
    cwd: directory,
    env: { ...process.env, ...(libraryPath.length > 0 && { LD_LIBRARY_PATH: libraryPath.join(':') }) },
    removeWhenOrphaned: [directory],
  });
  return {
    port,
    program: {
      ...program,
      async stop() {
        await program.kill();
        await rm(directory, { recursive: true, force: true });
      },
    },
  };
}

/** Whether a Sentinel knows the replica and the other Sentinels; it cannot fail over before. */
async function hasFoundAll(port: number): Promise<boolean> {
  const sentinel = connectTo(port);
  try {
    const reply = (await sentinel.call('SENTINEL', 'MASTER', PRIMARY_NAME)) as string[];
    const field = (name: string) => Number(reply[reply.indexOf(name) + 1]);
    return field('num-slaves') === 1 && field('num-other-sentinels') === SENTINELS - 1;
  } finally {
    sentinel.disconnect();
  }
}

/** Starts a primary with a replica, and the Sentinels that watch them. */
export function startRedisBehindSentinel(): Promise<RedisBehindSentinel> {
  return openWithCleanup(async (cleanup) => {
    const settings = ['repl-diskless-sync-delay 0'];
    const primary = await startRedis({ settings });
    cleanup.add(primary.stop);
    const { port, password } = primary;
    const replica = await startRedis({
      password,
      settings: [...settings, `replicaof 127.0.0.1 ${port}`, `masterauth ${password}`],
    });
    cleanup.add(replica.stop);
    const follower = connectTo(replica.port, password);
    cleanup.add(async () => follower.disconnect());
    await waitFor('the replica', () => isReplicating(follower));
    const sentinels = await Promise.all(Array.from({ length: SENTINELS }, () => startSentinel(primary)));
    for (const { program } of sentinels) cleanup.add(program.stop);
    for (const sentinel of sentinels) {
      await waitFor('the Sentinels to find each other', () => hasFoundAll(sentinel.port));
    }
    const hosts = sentinels.map((sentinel) => `127.0.0.1:${sentinel.port}`).join(',');
    return {
      url: `redis+sentinel://:${password}@${hosts}?name=${PRIMARY_NAME}`,
      async failOver() {
        await primary.kill();
        await waitFor('the replica to be the primary', async () =>
          (await follower.info('replication')).includes('role:master'),
        );
      },
      stop: cleanup.run,
    };
  });
}

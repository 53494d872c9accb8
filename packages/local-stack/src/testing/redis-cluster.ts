import { randomBytes } from 'node:crypto';
import { waitFor } from '@postrider/rig';
import { chooseFreePort } from '@postrider/rig/servers';
import { Cluster, Redis } from 'ioredis';
import { type Cleanup, openWithCleanup } from '../cleanup.ts';
import { type RedisServer, startRedis } from '../redis/start.ts';

/** Connects to one server, whether primary, replica or Sentinel. The caller disconnects. */
export function connectTo(port: number, password?: string): Redis {
  const redis = new Redis({ host: '127.0.0.1', port, ...(password === undefined ? {} : { password }) });
  redis.on('error', () => undefined);
  return redis;
}

/** Whether a replica has received everything from its primary, as far as it knows. */
export async function isReplicating(redis: Redis): Promise<boolean> {
  return (await redis.info('replication')).includes('master_link_status:up');
}

/** The keys that start with `prefix`, in a Cluster those of every node: KEYS itself asks only one. */
export async function findKeys(redis: Redis | Cluster, prefix: string): Promise<string[]> {
  // The client of a Cluster knows no nodes before its first answer.
  await redis.ping();
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  return (await Promise.all(servers.map((server) => server.keys(`${prefix}*`)))).flat();
}

/** Removes every key that starts with `prefix`. For tests on a Redis that others use, where FLUSHALL is not possible. */
export async function removeKeys(redis: Redis | Cluster, prefix: string): Promise<void> {
  // One at a time: a command cannot have keys of different slots.
  await Promise.all((await findKeys(redis, prefix)).map((key) => redis.unlink(key)));
}

const SLOTS = 16_384;
const PRIMARIES = 3;
const SLOTS_PER_PRIMARY = Math.ceil(SLOTS / PRIMARIES);
/** The others give up a node that is silent for this long. On a busy machine a healthy one may be silent for a second. */
const NODE_TIMEOUT_MS = 3_000;

/** Three primaries on this machine, and a replica of one of them. */
interface RedisCluster {
  readonly url: string;
  /** How many scripts each of the three primaries has run; every step of a job is one. */
  scriptsRun(): Promise<readonly number[]>;
  /** Makes the primary that has the replica run out of memory, so that it refuses writes from then on. */
  fillUp(): Promise<void>;
  /** Kills the primary that has the replica, and resolves when the replica has taken over. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

interface Node {
  readonly server: RedisServer;
  /** The port that the nodes use among themselves. */
  readonly busPort: number;
  readonly redis: Redis;
}

async function startNode(password: string, cleanup: Cleanup): Promise<Node> {
  const busPort = await chooseFreePort();
  const server = await startRedis({
    password,
    settings: [
      'cluster-enabled yes',
      `cluster-port ${busPort}`,
      `cluster-node-timeout ${NODE_TIMEOUT_MS}`,
      'cluster-replica-validity-factor 0',
      // The other primaries continue while the slots of one have no primary.
      'cluster-require-full-coverage no',
      `masterauth ${password}`,
      'repl-diskless-sync-delay 0',
    ],
  });
  cleanup.add(server.stop);
  const redis = connectTo(server.port, password);
  cleanup.add(async () => redis.disconnect());
  return { server, busPort, redis };
}

async function says({ redis }: Node, line: string): Promise<boolean> {
  return String(await redis.call('CLUSTER', 'INFO')).includes(line);
}

/** Introduces the nodes to each other, and assigns the slots to the primaries. */
async function join(primaries: readonly Node[], replica: Node): Promise<void> {
  const nodes = [...primaries, replica];
  for (const [index, { redis }] of nodes.entries()) {
    await redis.call('CLUSTER', 'SET-CONFIG-EPOCH', index + 1);
    for (const { server, busPort } of nodes.slice(0, index)) {
      await redis.call('CLUSTER', 'MEET', '127.0.0.1', server.port, busPort);
    }
  }
  for (const [index, { redis }] of primaries.entries()) {
    const first = index * SLOTS_PER_PRIMARY;
    const last = Math.min(first + SLOTS_PER_PRIMARY, SLOTS) - 1;
    await redis.call('CLUSTER', 'ADDSLOTSRANGE', first, last);
  }
  for (const node of nodes) {
    await waitFor('the nodes to meet', () => says(node, `cluster_known_nodes:${nodes.length}`));
    await waitFor('the Cluster', () => says(node, 'cluster_state:ok'));
  }
}

async function scriptsRunOn(redis: Redis): Promise<number> {
  const stats = await redis.info('commandstats');
  const calls = [...stats.matchAll(/^cmdstat_evalsha:calls=(\d+)/gm)];
  return calls.reduce((sum, [, count]) => sum + Number(count), 0);
}

async function primaryOf(key: string, primaries: readonly Node[]): Promise<Node> {
  const slot = Number(await primaries[0]?.redis.call('CLUSTER', 'KEYSLOT', key));
  const primary = primaries[Math.floor(slot / SLOTS_PER_PRIMARY)];
  if (!primary) throw new Error(`no primary has slot ${slot}`);
  return primary;
}

async function formCluster(key: string, cleanup: Cleanup): Promise<Omit<RedisCluster, 'stop'>> {
  const password = randomBytes(18).toString('hex');
  const [replica, ...primaries] = await Promise.all([
    startNode(password, cleanup),
    ...Array.from({ length: PRIMARIES }, () => startNode(password, cleanup)),
  ]);
  await join(primaries, replica);
  const primary = await primaryOf(key, primaries);
  const id = String(await primary.redis.call('CLUSTER', 'MYID'));
  await waitFor('the replica to know its primary', async () => {
    return (await replica.redis.call('CLUSTER', 'REPLICATE', id)) === 'OK';
  });
  await waitFor('the replica', () => isReplicating(replica.redis));
  const hosts = primaries.map(({ server }) => `127.0.0.1:${server.port}`).join(',');
  return {
    url: `redis+cluster://:${password}@${hosts}`,
    scriptsRun: () => Promise.all(primaries.map(({ redis }) => scriptsRunOn(redis))),
    async fillUp() {
      await primary.redis.config('SET', 'maxmemory', '1');
    },
    async failOver() {
      await primary.server.kill();
      await waitFor('the replica to be the primary', async () =>
        (await replica.redis.info('replication')).includes('role:master'),
      );
      await waitFor('the Cluster', () => says(replica, 'cluster_state:ok'));
    },
  };
}

/** Starts a Cluster whose replica follows the primary of `key`. */
export function startRedisCluster(key: string): Promise<RedisCluster> {
  return openWithCleanup(async (cleanup) => ({ ...(await formCluster(key, cleanup)), stop: cleanup.run }));
}

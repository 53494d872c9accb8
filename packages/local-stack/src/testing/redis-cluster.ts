import { randomBytes } from 'node:crypto';
import { waitFor } from '@postrider/rig';
import { chooseFreePort } from '@postrider/rig/servers';
import { Cluster, Redis } from 'ioredis';
import { type Cleanup, openWithCleanup } from '../cleanup.ts';
import { type RedisServer, startRedis } from '../redis/start.ts';

/** A connection to one server, whatever its part; the caller disconnects it. */
export function connectTo(port: number, password?: string): Redis {
  const redis = new Redis({ host: '127.0.0.1', port, ...(password === undefined ? {} : { password }) });
  redis.on('error', () => undefined);
  return redis;
}

/** Whether a replica has all that its primary has, as far as it knows. */
export async function isReplicating(redis: Redis): Promise<boolean> {
  return (await redis.info('replication')).includes('master_link_status:up');
}

/**
 * Removes every key that begins with `prefix`, in a Cluster from each node: FLUSHALL for one test, on a Redis
 * that others use.
 */
export async function removeKeys(redis: Redis | Cluster, prefix: string): Promise<void> {
  // Before its first answer a Cluster knows no nodes.
  await redis.ping();
  const servers = redis instanceof Cluster ? redis.nodes('master') : [redis];
  for (const server of servers) {
    const keys = await server.keys(`${prefix}*`);
    // One by one: keys of different slots cannot go in one command.
    await Promise.all(keys.map((key) => server.unlink(key)));
  }
}

const SLOTS = 16_384;
const PRIMARIES = 3;
const SLOTS_PER_PRIMARY = Math.ceil(SLOTS / PRIMARIES);
/** A node that is silent for this long is given up by the others; on a busy machine a sound one may be for a second. */
const NODE_TIMEOUT_MS = 3_000;

/** Three primaries on this machine, and a replica of one. */
interface RedisCluster {
  readonly url: string;
  /** How often each of the three primaries has run a script, as every step of a job does. */
  scriptsRun(): Promise<readonly number[]>;
  /** Lets the primary that has the replica run out of memory: it refuses writes from then on. */
  fillUp(): Promise<void>;
  /** Ends, as a crash would, the primary that has the replica, and resolves when that has taken its place. */
  failOver(): Promise<void>;
  stop(): Promise<void>;
}

interface Node {
  readonly server: RedisServer;
  /** By which the nodes speak to each other. */
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
      // The others go on while the slots of one have no primary.
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

/** Makes the nodes know each other, and gives each primary its slots. */
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

import { readFileSync } from 'node:fs';
import { parseRedisAddress, type RedisAddress } from '@postrider/domain';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** A server, the primary that Sentinels name, or a Cluster: all take the same commands. */
export type RedisClient = Redis | Cluster;

export interface RedisUse {
  /**
   * While Redis is away a command either fails at once (`refuse`), or waits for its return, as the blocking
   * reads of a consumer do (`wait`).
   */
  readonly whenAway: 'refuse' | 'wait';
  /**
   * A connection that owes an answer and has been silent for longer (ms) is dead, whatever TCP says of it: it
   * is replaced.
   */
  readonly silenceLimitMs: number;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** ioredis would wait up to 20 s between its attempts to reconnect. */
const LONGEST_RECONNECT_DELAY_MS = 500;
/**
 * While a Cluster fails over, a command is sent again every 100 ms: some 5 s for those that wait, and as long
 * as the producer's deadline for the others.
 */
const CLUSTER_TRIES = { refuse: 5, wait: 50 } as const;
/** How soon a client learns of a new primary in the Cluster that it has not been sent to (ms). */
const SLOTS_REFRESH_MS = 1_000;

const reconnectDelay = (times: number) => Math.min(times * 50, LONGEST_RECONNECT_DELAY_MS);

/** A server that was made a replica refuses writes: the client has to look for the primary anew. */
const isDemoted = (error: Error) => error.message.startsWith('READONLY');

function optionsOf(address: RedisAddress, { whenAway, silenceLimitMs }: RedisUse): RedisOptions {
  const { username, password, database, tls, caFile } = address;
  const waits = whenAway === 'wait';
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(tls ? { tls: caFile === null ? {} : { ca: readFileSync(caFile) } } : {}),
    db: database,
    enableOfflineQueue: waits,
    autoResendUnfulfilledCommands: waits,
    maxRetriesPerRequest: waits ? null : 0,
    connectTimeout: CONNECT_TIMEOUT_MS,
    socketTimeout: silenceLimitMs,
    retryStrategy: reconnectDelay,
    reconnectOnError: isDemoted,
  };
}

function openSentinel(address: RedisAddress, use: RedisUse): Redis {
  const { hosts, primaryName, sentinelUsername, sentinelPassword } = address;
  const options = optionsOf(address, use);
  return new Redis({
    ...options,
    sentinels: hosts.map(({ host, port }) => ({ host, port })),
    name: primaryName ?? '',
    ...(sentinelUsername === null ? {} : { sentinelUsername }),
    ...(sentinelPassword === null ? {} : { sentinelPassword }),
    ...(options.tls ? { sentinelTLS: options.tls, enableTLSForSentinelMode: true } : {}),
    sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
    sentinelRetryStrategy: reconnectDelay,
  });
}

function openCluster(address: RedisAddress, use: RedisUse): Cluster {
  // The nodes are not retried one by one: the Cluster says which there are.
  const { db, retryStrategy, enableOfflineQueue, ...redisOptions } = optionsOf(address, use);
  return new Cluster(
    address.hosts.map(({ host, port }) => ({ host, port })),
    {
      redisOptions,
      enableOfflineQueue: use.whenAway === 'wait',
      clusterRetryStrategy: reconnectDelay,
      maxRedirections: CLUSTER_TRIES[use.whenAway],
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      slotsRefreshInterval: SLOTS_REFRESH_MS,
      // A certificate is made out to the name, which would be lost by looking it up beforehand.
      ...(address.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    },
  );
}

/**
 * Opens a client of the Redis at `redisUrl` (see `parseRedisAddress`), which connects by itself and for ever:
 * the only place that does. The caller listens to its errors. Throws for a URL that configuration would have
 * refused, and when the file of its certificates cannot be read.
 */
export function openRedis(redisUrl: string, use: RedisUse): RedisClient {
  const parsed = parseRedisAddress(redisUrl);
  if (!parsed.ok) throw new Error(`the URL of Redis ${parsed.issues.join('; ')}`);
  const { address } = parsed;
  if (address.mode === 'cluster') return openCluster(address, use);
  if (address.mode === 'sentinel') return openSentinel(address, use);
  const [server] = address.hosts;
  return new Redis({ ...optionsOf(address, use), ...server });
}

/**
 * The prefix of a queue's keys. In a Cluster its braces (a hash tag) keep all of them on one node, which
 * BullMQ's scripts need.
 */
export function queuePrefix(redis: RedisClient, prefix: string): string {
  return redis.isCluster ? `{${prefix}}` : prefix;
}

import { readFileSync } from 'node:fs';
import { parseRedisAddress, type RedisAddress } from '@postrider/domain';
import { Cluster, Redis, type RedisOptions } from 'ioredis';

/** A single server, the primary that Sentinels report, or a Cluster. */
export type RedisClient = Redis | Cluster;

interface RedisUse {
  /**
   * Commands while Redis is unreachable: `fail-fast` rejects them at once; `queue` keeps them until it is back, as
   * the blocking reads of a job receiver need.
   */
  readonly offline: 'fail-fast' | 'queue';
  /** Milliseconds without a response after which a connection counts as dead, even if TCP has not noticed. */
  readonly silenceLimitMs: number;
}

const CONNECT_TIMEOUT_MS = 2_000;
/** ioredis would wait up to 20 s between its attempts to reconnect. */
const MAX_RECONNECT_DELAY_MS = 500;
/**
 * How often a command is sent again, every 100 ms, while a Cluster fails over: for about 5 s with `queue`, and for
 * about the producer's deadline with `fail-fast`.
 */
const CLUSTER_TRIES = { 'fail-fast': 5, queue: 50 } as const;
/** Milliseconds until a client learns of a new primary in the Cluster without being redirected to it. */
const SLOTS_REFRESH_MS = 1_000;

const reconnectDelay = (times: number) => Math.min(times * 50, MAX_RECONNECT_DELAY_MS);

/** A server that has become a replica refuses writes: the client must look up the primary again. */
const isDemoted = (error: Error) => error.message.startsWith('READONLY');

function optionsOf(address: RedisAddress, { offline, silenceLimitMs }: RedisUse): RedisOptions {
  const { username, password, database, tls, caFile } = address;
  const queues = offline === 'queue';
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
    ...(tls ? { tls: caFile === null ? {} : { ca: readFileSync(caFile) } } : {}),
    db: database,
    enableOfflineQueue: queues,
    autoResendUnfulfilledCommands: queues,
    maxRetriesPerRequest: queues ? null : 0,
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
  // Single nodes are not retried: the Cluster reports its nodes.
  const { db, retryStrategy, enableOfflineQueue, ...redisOptions } = optionsOf(address, use);
  return new Cluster(
    address.hosts.map(({ host, port }) => ({ host, port })),
    {
      redisOptions,
      enableOfflineQueue: use.offline === 'queue',
      clusterRetryStrategy: reconnectDelay,
      maxRedirections: CLUSTER_TRIES[use.offline],
      slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
      slotsRefreshInterval: SLOTS_REFRESH_MS,
      // Do not resolve names here: certificates are issued for the name.
      ...(address.tls ? { dnsLookup: (host, done) => done(null, host) } : {}),
    },
  );
}

/**
 * Opens a client for `redisUrl` (see `parseRedisAddress`) that connects and reconnects by itself. The caller handles
 * its `error` events. Throws if the URL is invalid or its certificate file cannot be read.
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

import { type ChannelRegistry, channelKinds } from '@postrider/channels';
import type { createDocumentFetcher } from '@postrider/channels/network';
import {
  acrossEnvironments,
  createDatabaseClock,
  createIngest,
  createIngestBatch,
  createServiceKeys,
  createSnapshots,
  createStoredResponseLookup,
  createTokenUses,
  describeDatabaseError,
  findSessionWarning,
  hasOperators,
  inShare,
  listenForConfig,
  openPooledDatabase,
  type PoolShares,
  readBacklog,
  type TokenUses,
  withShare,
} from '@postrider/db';
import {
  createAddressPolicy,
  createSecretBox,
  createUuidV7Source,
  isPooledDatabase,
  settlesWithin,
  withDeadline,
} from '@postrider/domain';
import { createEventLoopTurns, createFairSemaphore } from '@postrider/fairness';
import { createOriginLookup } from '@postrider/listener';
import { createListenerRelay, createProducer, DEFAULT_KEY_PREFIX } from '@postrider/queue';
import { createRenderer } from '@postrider/rendering';
import {
  countRefusals,
  createBoundedLog,
  createLogDatabaseErrors,
  createMetrics,
  type Logger,
  measureBacklog,
  measureBatches,
  measureBreakers,
  measurePool,
  type Tracing,
} from '@postrider/telemetry';
import type { AppDeps } from './app.ts';
import type { Config } from './config.ts';
import { findSite } from './console/files.ts';
import type { ConsoleOptions } from './console/mount.ts';
import { countAccepted, createAcceptanceState, traceBatches } from './events/observe.ts';
import { BYTES_IN_FLIGHT, REQUEST_SLICE } from './http/admission.ts';
import { createListeners } from './listeners/listeners.ts';
import { createOpenApiRouter } from './openapi/router.ts';
import { createRateLimiter, openRateLimitRedis } from './rate-limit/buckets.ts';
import { resourcesOf } from './resources.ts';
import { createStreams } from './stream/streams.ts';

/** Log lines per minute for each kind of error. Each request also has its own line. */
const LOG_LINES_PER_MINUTE = 5;
/** Well below the 10 s that Prometheus waits for a scrape. */
const BACKLOG_DEADLINE_MS = 2_000;
/** How long wake-ups wait for others after jobs were added: a job, and the claim that it causes, have a fixed cost. */
const WAKE_UP_PAUSE_MS = 20;
/** The fewest with which one environment's templates cannot block another's. */
const RENDER_PROCESSES = 2;
/** The API rarely renders templates, so idle processes are ended. */
const RENDERER_REST_MS = 60_000;
/** A waiting preview keeps its request and template in memory, so beyond this the caller must retry. */
const MAX_WAITING_FOR_RENDERER = { maxWaiting: 64, maxWaitingPerOwner: 16 };

/**
 * The pool of 10 connections. A tenant's slow reads hold two of them; others' reads, events and operators keep theirs.
 * Two statements of a tenant at once are enough for its events: more would wait for its usage row.
 */
export const POOL_SHARES: PoolShares = {
  work: { connections: 5, perOwner: 2 },
  read: { connections: 3, perOwner: 2 },
  operate: { connections: 2 },
};

export interface Composed {
  readonly deps: AppDeps;
  /** Counts refusals by the listeners' limits. */
  readonly onRefused: ReturnType<typeof countRefusals>;
  /** Whether somebody can use the management API without ADMIN_TOKEN. Rejects while PostgreSQL cannot be reached. */
  readonly hasOperators: () => Promise<boolean>;
  /** Makes `/readyz` fail, so that load balancers send requests elsewhere. */
  readonly beginStop: () => void;
  /** Closes every client, without waiting for unreachable ones. */
  readonly close: () => Promise<void>;
}

/** The variables that it reads. Those that may be left out have no value, or are off. */
type Settings = Pick<
  Config,
  'databaseUrl' | 'redisUrl' | 'corsAllowedOrigins' | 'adminToken' | 'encryptionKeys'
> &
  Partial<Config>;

/** Options that only tests set. */
interface ComposeOptions {
  /** The channel kinds; those of the service by default. */
  readonly kinds?: ChannelRegistry;
  readonly keyPrefix?: string;
  /** Whether to measure memory, processor time and the event loop, which no call can stop; true by default. */
  readonly processMetrics?: boolean;
  /** Creates the renderer of templates; by default one with its own processes. */
  readonly openRenderer?: typeof createRenderer;
}

/** Creates the API's clients. Redis may be unreachable; PostgreSQL is first used by the first request. */
export function compose(
  settings: Settings,
  logger: Logger,
  tracing: Tracing | null = null,
  {
    kinds = channelKinds,
    keyPrefix = DEFAULT_KEY_PREFIX,
    processMetrics = true,
    openRenderer = createRenderer,
  }: ComposeOptions = {},
): Composed {
  const { databaseUrl, redisUrl, corsAllowedOrigins, adminToken, encryptionKeys } = settings;
  const log = createBoundedLog(logger, { perKeyPerMinute: LOG_LINES_PER_MINUTE });
  const logDatabaseErrors = createLogDatabaseErrors(log, logger, describeDatabaseError);
  const warn = (key: string, message: string) => (error: unknown) => log.warn(key, message, { error });
  const monotonicMs = () => performance.now();

  const { db, poolUse } = openPooledDatabase(databaseUrl, { shares: POOL_SHARES });
  const snapshots = createSnapshots({ db, kinds: kinds.definitions });
  const across = acrossEnvironments(db);
  const tokenUses = createTokenUses({ db: across });
  const tokenUseWriter = writeTokenUses(
    tokenUses,
    logDatabaseErrors('token_uses', 'when tokens were last used could not be written'),
  );
  void inShare('operate', () => findSessionWarning(db)).then((issue) => issue && logger.warn(issue));
  const sessionUrl = settings.databaseDirectUrl ?? databaseUrl;
  // Connections of a pooler receive no notifications, so a snapshot then lives until its maximum age.
  const listener = isPooledDatabase(sessionUrl)
    ? null
    : listenForConfig({ databaseUrl: sessionUrl, onNotice: snapshots.drop, onGap: snapshots.clear });
  const producer = createProducer({
    redisUrl,
    prefix: keyPrefix,
    ...(settings.queueShards === undefined ? {} : { shards: settings.queueShards }),
    pause: (end) => setTimeout(end, WAKE_UP_PAUSE_MS),
    onError: warn('queue', 'runs are left to the poll: the queue is unreachable'),
    onUnsafeEviction: (policy) =>
      logger.warn('a full Redis evicts jobs: set its maxmemory-policy to noeviction', {
        maxmemory_policy: policy,
      }),
  });
  const redis = openRateLimitRedis(redisUrl, warn('redis', 'Redis is unreachable'));
  const takeBucketTokens = createRateLimiter({
    redis,
    prefix: keyPrefix,
    now: Date.now,
    monotonicMs,
    onFallback: warn('rate_limit', 'the rate limit applies per process: Redis did not respond'),
  });

  const renderer = openRenderer({
    processes: RENDER_PROCESSES,
    ...MAX_WAITING_FOR_RENDERER,
    restMs: RENDERER_REST_MS,
    onError: warn('rendering', 'a render process did not start'),
  });

  const metrics = createMetrics('api', { processMetrics });
  // The API exports this too: while no worker runs, nothing else would report a growing backlog.
  measureBacklog(metrics, {
    read: withShare('operate', () =>
      withDeadline(readBacklog(across, kinds.kinds), BACKLOG_DEADLINE_MS, 'reading the backlog'),
    ),
    monotonicMs,
  });
  measurePool(metrics, poolUse);
  measureBreakers(metrics, { queue: () => !producer.ready() });

  const ingestOptions = {
    onBatch: measureBatches(metrics)('ingest'),
    ...(tracing ? { watchBatch: traceBatches(tracing) } : {}),
  };
  const acceptance = createAcceptanceState(monotonicMs);
  let stopping = false;
  const secretBox = createSecretBox(encryptionKeys);
  const documents = fetchLater();

  return {
    deps: {
      db,
      kinds,
      snapshots,
      recordUse: tokenUses.record,
      findStoredResponse: createStoredResponseLookup(db),
      clock: createDatabaseClock(db),
      ...countAccepted(metrics, {
        ingest: acceptance.watch(createIngest(db, ingestOptions)),
        ingestBatch: acceptance.watch(createIngestBatch(db, ingestOptions)),
      }),
      acceptanceProblem: acceptance.problem,
      takeBucketTokens,
      logDatabaseErrors,
      turns: createEventLoopTurns(REQUEST_SLICE, monotonicMs),
      bytesInFlight: createFairSemaphore(BYTES_IN_FLIGHT),
      storedBytes: createFairSemaphore(BYTES_IN_FLIGHT),
      enqueue: producer.enqueue,
      newId: createUuidV7Source(),
      secretBox,
      serviceKeys: createServiceKeys({ db, secretBox }),
      publicUrl: settings.publicUrl ?? null,
      httpsOnly: settings.webhookHttpsOnly ?? false,
      isAddressAllowed: createAddressPolicy(settings.egressAllowCidrs ?? []),
      streams: createStreams({ db, secretBox, monotonicMs, isStopping: () => stopping }),
      listeners: createListeners({
        relay: createListenerRelay(redis, keyPrefix),
        monotonicMs,
        isStopping: () => stopping,
      }),
      renderer,
      monotonicMs,
      logger,
      metrics,
      tracing,
      redisReady: producer.ready,
      isStopping: () => stopping,
      corsAllowedOrigins,
      trustedProxies: settings.trustedProxies ?? [],
      fetchDocument: documents.fetchDocument,
      adminToken,
      console: consoleOptions(settings),
      portal: findSite('@postrider/portal'),
      openApi: createOpenApiRouter(resourcesOf(kinds), {
        originOf: createOriginLookup(settings.trustedProxies ?? []),
      }),
    },
    onRefused: countRefusals(metrics),
    hasOperators: withShare('operate', () => hasOperators(across)),
    beginStop() {
      stopping = true;
    },
    close: async () => {
      await tokenUseWriter.stop();
      log.flush();
      redis.disconnect();
      await Promise.allSettled([listener?.close(), producer.close(), renderer.close(), db.$disconnect()]);
      documents.close();
    },
  };
}

/** Fetches providers' documents from the public internet. Its libraries are loaded for the first one. */
function fetchLater(): ReturnType<typeof createDocumentFetcher> {
  let loading: Promise<ReturnType<typeof createDocumentFetcher>> | undefined;
  const load = async () => {
    const { createDocumentFetcher } = await import('@postrider/channels/network');
    return createDocumentFetcher({ isAddressAllowed: createAddressPolicy([]) });
  };
  return {
    async fetchDocument(url) {
      loading ??= load();
      return (await loading).fetchDocument(url);
    },
    close: () => void loading?.then(({ close }) => close()),
  };
}

/** How the console is served; null if it is off. */
function consoleOptions(settings: Settings): ConsoleOptions | null {
  if (settings.console !== 'on') return null;
  const { traceUrlTemplate = null, oidcProviders = [], oidcProvidersFile = [] } = settings;
  return {
    files: findSite('@postrider/console'),
    traceUrlTemplate,
    providers: [...oidcProviders, ...oidcProvidersFile],
  };
}

/** `last_used_at` has a precision of a minute, so writing it more often would add nothing. */
const INTERVAL_MS = 60_000;
/** How long a stop waits for the last token uses to be written. Losing them loses a minute of `last_used_at`. */
const STOP_LIMIT_MS = 1_000;

/**
 * Writes token uses at most once a minute, and when stopped. A failed write is repeated a minute later; `onError`
 * gets the error.
 */
function writeTokenUses(
  { flush }: Pick<TokenUses, 'flush'>,
  onError: (error: unknown) => void,
): { readonly stop: () => Promise<void> } {
  const write = () => inShare('operate', flush).catch(onError);
  const timer = setInterval(write, INTERVAL_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await settlesWithin([write()], STOP_LIMIT_MS);
    },
  };
}

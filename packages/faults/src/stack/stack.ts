import { randomBytes } from 'node:crypto';
import { acrossEnvironments, type Database, openDatabase } from '@postrider/db';
import { createFixture, type Fixture, type FixtureInput } from '@postrider/db/testing';
import { type ChannelLimits, createSecretBox, type RetryPolicy } from '@postrider/domain';
import { type Cleanup, openWithCleanup } from '@postrider/local-stack';
import { productionEnvironment, type Service } from '@postrider/local-stack/testing';
import { EVENT_KEY, startTcpProxy, type TcpProxy } from '@postrider/rig';
import type { ClusterTemplate } from './cluster-template.ts';
import { createSendLedger, receiveMails, receiveWebhooks, type SendLedger, type Treat } from './receivers.ts';
import { createServices } from './services.ts';
import { openPostgres, openRedis, type RedisStore, type Store } from './stores.ts';

/** The time limit of an attempt. It is short because a lost worker's lease, 10 s longer, makes scenarios wait. */
export const ATTEMPT_TIMEOUT_MS = 5_000;
/** The limit where no attempt may end unknown, so that a pause of the machine and its receivers does not cause one. */
export const PATIENT_ATTEMPT_TIMEOUT_MS = 15_000;

/** More attempts than a run can lose in any scenario, and short delays between them. */
const MAX_ATTEMPTS = 20;
const RETRY_DELAY_S = 0.5;
/** The senders of a channel with several. */
const SENDERS = 2;

export interface StackOptions {
  readonly apis?: number;
  readonly workers?: number;
  readonly eventsPerMonth?: number;
  /** Each adds a webhook channel: a path at the receiver, or a complete URL. */
  readonly webhooks?: readonly string[];
  readonly email?: boolean;
  /** Whether the webhook channels have `ordering: "key"`. */
  readonly ordered?: boolean;
  /** The limits of each webhook channel; none by default. */
  readonly limits?: ChannelLimits;
  /** Whether there are two email channels, safe and eager, each with two senders behind proxies; by default there is one. */
  readonly senders?: boolean;
  /** The attempts of every run. */
  readonly maxAttempts?: number;
  /** The time limit of every attempt; by default {@link ATTEMPT_TIMEOUT_MS}. */
  readonly attemptTimeoutMs?: number;
  /** Further lines of Redis' configuration. */
  readonly redisSettings?: readonly string[];
  /** Whether Redis runs when the processes start. */
  readonly redisAtStart?: boolean;
  /** Whether there are proxies in front of the HTTP receiver, and between the API and Postgres. */
  readonly throughProxies?: boolean;
  /** Whether there are proxies between the processes, API and worker, and both stores. */
  readonly storesThroughProxies?: boolean;
  /** The clock offsets of the processes, used in turn, in milliseconds. */
  readonly clockOffsetsMs?: readonly number[];
  /** A script that every worker loads before anything else. */
  readonly workerPreload?: string;
  /** How many further tenants there are, each with its own channels to the same receivers. */
  readonly neighbours?: number;
}

/** A complete installation with receivers. */
export interface Stack {
  readonly db: Database;
  readonly postgres: Store;
  readonly redis: RedisStore;
  readonly receiverProxy: TcpProxy | null;
  readonly postgresProxy: TcpProxy | null;
  /** The proxies between the processes and the stores, if there are any. */
  readonly storeProxies: Readonly<Record<'postgres' | 'redis', TcpProxy>> | null;
  /** The proxies in front of the senders' mail receivers; empty without senders. */
  readonly senderProxies: readonly TcpProxy[];
  readonly apis: readonly Service[];
  readonly workers: readonly Service[];
  readonly sends: SendLedger;
  readonly fixture: Fixture;
  readonly neighbours: readonly Fixture[];
  close(): Promise<void>;
}

export type Channels = NonNullable<FixtureInput['channels']>;

/** Two channels whose senders use the same servers in the same order; the policy is part of their names. */
function failoverChannels(ports: readonly number[], retry: RetryPolicy, timeoutMs: number): Channels {
  return ['safe', 'eager'].map((failover) => ({
    kind: 'email' as const,
    name: failover,
    eventKeys: [EVENT_KEY],
    config: {
      senders: ports.map((port, index) => ({
        ...{ name: `${failover}-${index}`, provider: 'smtp' },
        smtp: { host: '127.0.0.1', port, secure: false },
      })),
      failover,
      ...{ from: { email: 'shop@example.com' }, timeout_ms: timeoutMs },
    },
    retry,
  }));
}

/** The channels of a tenant: a webhook for each URL, and email if there is a port. */
export function channelsFor(
  urls: readonly string[],
  smtpPort: number | null,
  senderPorts: readonly number[],
  {
    maxAttempts = MAX_ATTEMPTS,
    attemptTimeoutMs = ATTEMPT_TIMEOUT_MS,
    ordered = false,
    limits,
  }: StackOptions,
): Channels {
  const retry: RetryPolicy = { max_attempts: maxAttempts, delays_seconds: [RETRY_DELAY_S] };
  const webhooks = urls.map((url, index) => ({
    kind: 'webhook' as const,
    name: `hook ${index}`,
    config: { url, timeout_ms: attemptTimeoutMs },
    retry,
    ordering: ordered ? ('key' as const) : ('none' as const),
    ...limits,
  }));
  if (senderPorts.length > 0) {
    return [...webhooks, ...failoverChannels(senderPorts, retry, attemptTimeoutMs)];
  }
  if (smtpPort === null) return webhooks;
  const smtp = { host: '127.0.0.1', port: smtpPort, secure: false };
  const config = { smtp, from: { email: 'shop@example.com' }, timeout_ms: attemptTimeoutMs };
  return [...webhooks, { kind: 'email', name: 'mail', eventKeys: [EVENT_KEY], config, retry }];
}

/** The email template. */
export const TEMPLATE = {
  eventKey: EVENT_KEY,
  channelKind: 'email',
  subject: 'Event {{ payload.reference }}',
  html: '<p>{{ payload.reference }}</p>',
  text: '{{ payload.reference }} variant {{ payload.variant }}',
  activate: true,
} as const;

/** The dependencies of a stack. */
export interface StackDeps {
  readonly template: ClusterTemplate;
  readonly treat: Treat;
}

async function startStack(
  options: StackOptions,
  { template, treat }: StackDeps,
  cleanup: Cleanup,
): Promise<Omit<Stack, 'close'>> {
  const { keep } = cleanup;
  const keepProxy = async (address: string) =>
    options.throughProxies ? keep(await startTcpProxy(address), (proxy) => proxy.close()) : null;

  const { apis: apiCount = 2, workers: workerCount = 2, webhooks = ['/hook'], email = true } = options;
  const key = { id: 'faults', key: randomBytes(32) };
  const sends = createSendLedger();
  const postgres = keep(await openPostgres(template), (server) => server.stop());
  const redis = keep(await openRedis(options.redisSettings), (server) => server.stop());
  const http = keep(await receiveWebhooks(sends, treat), (receiver) => receiver.close());
  const smtp = keep(await receiveMails(sends, treat), (receiver) => receiver.close());
  const senderProxies: TcpProxy[] = [];
  while (options.senders && senderProxies.length < SENDERS) {
    const receiver = keep(await receiveMails(sends, treat), (one) => one.close());
    const target = `http://127.0.0.1:${receiver.port}`;
    senderProxies.push(keep(await startTcpProxy(target), (proxy) => proxy.close()));
  }
  const db = keep(openDatabase(postgres.url, { poolSize: 4 }), (client) => client.$disconnect());
  const receiverProxy = await keepProxy(http.url);
  const postgresProxy = await keepProxy(postgres.url);
  const keepStoreProxy = async (address: string) =>
    keep(await startTcpProxy(address), (proxy) => proxy.close());
  const storeProxies = options.storesThroughProxies
    ? { postgres: await keepStoreProxy(postgres.url), redis: await keepStoreProxy(redis.url) }
    : null;
  const urls = webhooks.map((path) => new URL(path, (receiverProxy ?? http).url).href);
  const createTenant = () =>
    createFixture(
      acrossEnvironments(db),
      {
        plan: { eventsPerMonth: options.eventsPerMonth ?? null },
        channels: channelsFor(
          urls,
          email ? smtp.port : null,
          senderProxies.map(({ port }) => port),
          options,
        ),
        templates: [TEMPLATE],
      },
      createSecretBox([key]),
    );
  const fixture = await createTenant();
  const neighbours: Fixture[] = [];
  while (neighbours.length < (options.neighbours ?? 0)) neighbours.push(await createTenant());
  const env = productionEnvironment({
    databaseUrl: (storeProxies?.postgres ?? postgres).url,
    redisUrl: (storeProxies?.redis ?? redis).url,
    key,
  });
  // All clients here have the same address, and a scenario sends 1,000 requests at once.
  const connections = { MAX_CONNECTIONS_PER_ADDRESS: '2048' };
  const apiEnv = {
    ...env,
    ...connections,
    ...(postgresProxy && { DATABASE_URL: postgresProxy.url }),
  };
  const { clockOffsetsMs = [], workerPreload: preload = null } = options;
  const apis = await createServices('api', apiCount, apiEnv, { clockOffsetsMs });
  const workers = await createServices('worker', workerCount, env, { clockOffsetsMs, preload });
  const services = keep([...apis, ...workers], (all) => Promise.all(all.map((service) => service.kill())));
  if (options.redisAtStart === false) await redis.crash();
  await Promise.all(services.map((service) => service.start()));
  return {
    db,
    postgres,
    redis,
    receiverProxy,
    postgresProxy,
    storeProxies,
    senderProxies,
    apis,
    workers,
    sends,
    fixture,
    neighbours,
  };
}

/**
 * Starts a stack and resolves when all of its processes answer. `close` ends it in any state. If it cannot be started,
 * everything that has started is ended before this rejects.
 */
export function openStack(options: StackOptions, deps: StackDeps): Promise<Stack> {
  return openWithCleanup(async (cleanup) => ({
    ...(await startStack(options, deps, cleanup)),
    close: cleanup.run,
  }));
}

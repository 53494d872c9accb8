import { type ChannelRegistry, createSenders } from '@postrider/channels';
import { createAwsAccess, fetchAwsCredentials } from '@postrider/channels/network';
import {
  acrossEnvironments,
  createAddressHashKey,
  createFinish,
  type Database,
  expireRun,
  findPartContents,
  findSuppressedCopies,
  findTemplateVersion,
  finishWithGoneChannel,
  inShare,
  readMessageFile,
  readOpenBreakers,
  recordSenderState,
  recordSent,
  type ServiceKeySource,
  withShare,
} from '@postrider/db';
import {
  createAddressPolicy,
  createSecretBox,
  formatId,
  type IdSource,
  type RelayToListener,
} from '@postrider/domain';
import { createEventLoopTurns, LARGE_JSON_TURNS } from '@postrider/fairness';
import type { Enqueue } from '@postrider/queue';
import { createRenderer, defaultRenderProcesses } from '@postrider/rendering';
import {
  createBoundedLog,
  type LogErrors,
  type Logger,
  type Metrics,
  measureBatches,
  type Tracing,
} from '@postrider/telemetry';
import type { Config } from '../config.ts';
import { type Claims, createClaims, lingerOf } from '../scheduler/claim-batching.ts';
import { createSlots, type RenderPermits, type Slots, type SlotsPerKind } from '../scheduler/permits.ts';
import { createRenderPermits } from '../scheduler/render-permits.ts';
import { createMoveOrder } from '../sweeps/ordering.ts';
import {
  type AttemptDeps,
  createDelivering,
  createLargeContents,
  createWatchSlow,
  type Delivering,
} from './attempt.ts';
import { createRecordBounces } from './finish-run.ts';
import { createDeliveryMeasures, type DeliveryMeasures, type ReportAttempt } from './observe.ts';
import { createLoadTemplate } from './prepare-run.ts';

interface DeliveryParts {
  readonly config: Config;
  readonly db: Database;
  readonly serviceKeys: ServiceKeySource;
  readonly kinds: ChannelRegistry;
  readonly openRenderer?: typeof createRenderer | undefined;
  readonly enqueue: Enqueue;
  /** Hands deliveries to listeners; without it there are none. */
  readonly relayToListener?: RelayToListener;
  readonly logger: Logger;
  readonly logDatabaseErrors: LogErrors;
  readonly logErrors: LogErrors;
  readonly metrics: Metrics;
  readonly tracing: Tracing | null;
  readonly newId: IdSource;
  /** A random number in [0, 1). */
  readonly jitter: () => number;
  /** A monotonic clock, in milliseconds. */
  readonly monotonicMs: () => number;
  /** Replaces the measuring and logging of attempts in this process. */
  readonly report?: ReportAttempt;
}

interface WiredDelivery {
  readonly delivering: Delivering;
  readonly claims: Claims;
  readonly slots: Slots;
  readonly renders: RenderPermits;
  readonly measures: DeliveryMeasures;
  /** Ends the render processes and the channels' connections. */
  close(): Promise<void>;
}

/** Logged while email of environments with suppressions cannot be sent. */
const KEY_LOST = 'the key of suppressed addresses cannot be decrypted';
/** Log lines per minute and channel. */
const LOST_SECRET_LINES_PER_MINUTE = 1;

/** The most concurrent deliveries per channel, by kind. */
function concurrencyPerChannel({ definitions }: ChannelRegistry): SlotsPerKind {
  const limits = definitions.flatMap(({ kind, maxConcurrentPerChannel: most }) =>
    most === undefined ? [] : [[kind, most] as const],
  );
  return Object.fromEntries(limits);
}

/**
 * Connects the delivery of runs to the database, the render processes and the senders of every kind, which it loads.
 */
export async function wireDelivery(parts: DeliveryParts): Promise<WiredDelivery> {
  const { config, db, serviceKeys, kinds, enqueue, logger, logDatabaseErrors, metrics, tracing, newId } =
    parts;
  const { jitter, monotonicMs, logErrors, openRenderer = createRenderer } = parts;
  const across = acrossEnvironments(db);
  const processes = defaultRenderProcesses();
  const renderer = openRenderer({
    processes,
    onError: logErrors('rendering', 'a render process did not start'),
  });
  const onExpiryError = logDatabaseErrors('expiry', 'a run whose event expires first could not be ended yet');
  const onAccountError = logDatabaseErrors('senders', 'the state of a mail account could not be stored');
  const senders = await createSenders(kinds, {
    onAccountState: (change) =>
      void inShare('work', () => recordSenderState(across, change)).catch(onAccountError),
    openBreakers: await inShare('work', () => readOpenBreakers(across)).catch((error: unknown) => {
      logDatabaseErrors('senders', 'the states of mail accounts could not be read')(error);
      return [];
    }),
    isAddressAllowed: createAddressPolicy(config.egressAllowCidrs),
    httpClient: config.webhookClient === 'got' ? 'got' : 'node',
    egressProxy: config.egressProxy ?? undefined,
    httpsOnly: config.webhookHttpsOnly,
    awsCredentials: config.awsKeyless
      ? createAwsAccess(fetchAwsCredentials, logErrors('aws', 'no access key of AWS could be fetched'))
      : undefined,
    ...(parts.relayToListener ? { relayToListener: parts.relayToListener } : {}),
  });
  const perKind = concurrencyPerChannel(kinds);
  const slots = createSlots({ total: config.concurrency, perKind });
  const lostSecretsLog = createBoundedLog(logger, { perKeyPerMinute: LOST_SECRET_LINES_PER_MINUTE });
  const secretBox = createSecretBox(config.encryptionKeys);
  const onBatch = measureBatches(metrics);
  const linger = lingerOf(config.concurrency, perKind);
  const attemptDeps: AttemptDeps = {
    secretBox,
    onSecretLost: (channelId, { reason, keyId }) =>
      lostSecretsLog.error(
        `secret:${channelId}`,
        'the secret of a channel cannot be decrypted: nothing is sent, and its attempts fail',
        { channel: formatId('chn', channelId), reason, key_id: keyId ?? null },
      ),
    renderer,
    turns: createEventLoopTurns(LARGE_JSON_TURNS, monotonicMs),
    loadTemplate: createLoadTemplate({
      template: (environmentId, id) => findTemplateVersion(db, environmentId, id),
      contents: (environmentId, parts) => findPartContents(db, environmentId, parts),
    }),
    readFile: (key) => readMessageFile(db, key),
    findSuppressedCopies: ({ environmentId, message }, addresses) =>
      findSuppressedCopies({ db, keys: serviceKeys }, { environmentId, messageId: message.id, addresses }),
    largeContents: createLargeContents(),
    watchSlow: createWatchSlow({
      write: withShare('work', (runs) => recordSent(across, runs)),
      onError: logDatabaseErrors('slow-attempts', 'the content of slow attempts could not be recorded'),
      monotonicMs,
    }),
    unsubscribe: { serviceKeys, publicUrl: config.publicUrl },
    senders,
    recordBounces: createRecordBounces(
      { db, newId, keys: serviceKeys },
      logDatabaseErrors('bounces', 'an address that was refused could not be suppressed'),
    ),
    onBug: logDatabaseErrors('attempt', 'an attempt failed in the service itself'),
    finish: createFinish(db, { linger: linger.results, onBatch: onBatch('finish') }),
    finishAndStopChannel: (ended) => finishWithGoneChannel({ db, newId, kinds }, ended),
    expire: (run) =>
      expireRun({ db, newId }, run).catch((error: unknown) => {
        onExpiryError(error);
        return false;
      }),
    onStopFailed: logDatabaseErrors('gone', 'a channel whose endpoint is gone could not be stopped'),
    onRefused: logDatabaseErrors(
      'result',
      'the result of an attempt was refused: stored without the response',
    ),
    enqueue,
    moveOrder: createMoveOrder({
      db: across,
      enqueue,
      onError: logDatabaseErrors('ordering', 'the next run of an ordering key could not be released'),
    }),
    jitter,
    monotonicMs,
  };
  const measures = createDeliveryMeasures(logger, metrics, kinds);
  const addressHashKey = createAddressHashKey(serviceKeys, logDatabaseErrors('keys', KEY_LOST));
  const claims = createClaims({
    db,
    kinds: kinds.definitions,
    addressHashKey,
    newId,
    linger: linger.claims,
    onBatch: onBatch('claim'),
    onNotRefused(error) {
      measures.notRefused();
      logDatabaseErrors('refusals', 'runs that may not be sent could be neither held nor ended')(error);
    },
    monotonicMs,
  });
  const renders = createRenderPermits({
    renderer,
    processes,
    concurrency: config.concurrency,
    monotonicMs,
  });
  const delivering = createDelivering({
    ...attemptDeps,
    tracing,
    report: parts.report ?? measures.attempted,
    onError: logDatabaseErrors('delivery', 'a run could not be delivered'),
  });

  return {
    delivering,
    claims,
    slots,
    renders,
    measures,
    close() {
      senders.close();
      lostSecretsLog.flush();
      return renderer.close();
    },
  };
}

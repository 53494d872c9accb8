import type { ChannelRegistry } from '@postrider/channels';
import {
  type ChainHead,
  createAddressHashKey,
  forgetResumedStreams,
  keepAttention,
  pauseStreams,
  readComplaintRates,
  removeExpiredMessages,
  reportChangedQuota,
  reportExpiringSecrets,
  type ServiceKeySource,
  type UnboundDatabase,
  withShare,
} from '@postrider/db';
import { formatId, type IdSource } from '@postrider/domain';
import type { Producer } from '@postrider/queue';
import type { BoundedLog, Metrics } from '@postrider/telemetry';
import type { LogErrors } from '../log-errors.ts';
import { type HealthCursor, sweepHealth } from './health.ts';
import {
  type LeasesDeps,
  type LimitsDeps,
  sweepAuditChain,
  sweepConsoleSessions,
  sweepDeletedChannels,
  sweepErasures,
  sweepExpiredAnswers,
  sweepExpiredSecrets,
  sweepExpiredSuppressions,
  sweepLeases,
  sweepLimits,
  sweepOldStats,
  sweepOperationalEvents,
  sweepReplayBatches,
  sweepStats,
} from './housekeeping.ts';
import { type ListenersCursor, sweepListeners } from './listeners.ts';
import { startLoop } from './loop.ts';
import { type IdleCursor, sweepIdleKeys, sweepOrder } from './ordering.ts';

/** The pause of each sweep between rounds, in milliseconds. */
export interface SweepIntervals {
  readonly leases: number;
  readonly expiredAnswers: number;
  readonly deletedChannels: number;
  readonly expiredSecrets: number;
  readonly replayBatches: number;
  readonly expiredMessages: number;
  readonly erasures: number;
  readonly consoleSessions: number;
  readonly stats: number;
  readonly oldStats: number;
  readonly attention: number;
  readonly complaints: number;
  readonly health: number;
  readonly operationalEvents: number;
  readonly expiringSecrets: number;
  readonly auditChain: number;
  readonly ordering: number;
  readonly idleKeys: number;
  readonly limits: number;
  readonly listeners: number;
}

/**
 * Defaults. The run of a lost worker starts again at most about 2 s after its lease has ended. A bulk replay creates at most half a second's worth of its pace per page, so it
 * is polled more often than that. Expired messages are polled as often; the database keeps their pace for all
 * workers. A round removes up to 50,000 expired responses, so every five seconds is enough for 10,000 events a
 * second.
 */
export const SWEEP_INTERVALS: SweepIntervals = {
  leases: 1_000,
  expiredAnswers: 5_000,
  deletedChannels: 1_000,
  expiredSecrets: 60_000,
  replayBatches: 250,
  expiredMessages: 250,
  erasures: 1_000,
  consoleSessions: 60_000,
  stats: 1_000,
  oldStats: 60_000,
  attention: 1_000,
  complaints: 60_000,
  health: 1_000,
  operationalEvents: 1_000,
  expiringSecrets: 60_000,
  auditChain: 1_000,
  ordering: 500,
  idleKeys: 60_000,
  limits: 1_000,
  listeners: 30_000,
};

/** A page of environments a round; those that another worker has just looked at are left out. */
const ATTENTION_FRESH_MS = 5_000;

/** The sweeps without which due runs would wait. The others may not take their connections. */
const DELIVERY_SWEEPS: ReadonlySet<keyof SweepIntervals> = new Set([
  'leases',
  'health',
  'ordering',
  'limits',
]);

interface SweepDeps {
  readonly kinds: ChannelRegistry;
  readonly db: UnboundDatabase;
  readonly producer: Pick<Producer, 'enqueue'>;
  readonly log: BoundedLog;
  readonly logErrors: LogErrors;
  readonly metrics: Metrics;
  readonly onReleased: LeasesDeps['onReleased'];
  /** Called with the head of the audit log's hash chain after each round that has appended to it. */
  readonly onChained: (head: ChainHead) => void;
  /** UUID of the environment that gets the entries of the audit log as operational events; null for none. */
  readonly auditEnvironment: string | null;
  readonly newId: IdSource;
  readonly serviceKeys: ServiceKeySource;
  readonly intervals?: SweepIntervals;
  /** Seconds for which an erasure looks for late messages; see `ErasureDeps`. */
  readonly lateMessagesSeconds?: number | undefined;
  /** See `HealthOffset`. */
  readonly healthOffsetMs?: () => number;
  readonly jitter: () => number;
  readonly monotonicMs: () => number;
}

/** Starts every sweep in its own loop. Every worker sweeps; locks in the database coordinate them. */
export function startSweeps({
  log,
  logErrors,
  metrics,
  onReleased,
  onChained,
  auditEnvironment,
  newId,
  serviceKeys,
  intervals = SWEEP_INTERVALS,
  lateMessagesSeconds,
  healthOffsetMs = () => 0,
  jitter,
  monotonicMs,
  kinds,
  db,
  producer: { enqueue },
}: SweepDeps): { stop: () => Promise<void> } {
  const sweep = Object.keys(SWEEP_INTERVALS);
  const rows = metrics.counter(
    'postrider_sweep_rows_total',
    'Items that sweeps have handled: runs, stored responses, or messages.',
    { sweep },
  );
  const failures = metrics.counter('postrider_sweep_failures_total', 'Rounds of sweeps that failed.', {
    sweep,
  });
  const complaintRate = metrics.gauge(
    'postrider_complaint_rate',
    'Complaints about the email of the last day, as a share: the ten streams with the highest.',
    ['environment', 'stream'],
  );
  const onError = (name: string, error: unknown) => {
    failures.inc({ sweep: name });
    logErrors(`sweep:${name}`, 'a sweep failed', { sweep: name })(error);
  };
  const healthCursor: HealthCursor = { settled: null, held: null };
  const idleCursor: IdleCursor = { after: null };
  let attentionAfter: string | null = null;
  const limitsCursor: LimitsDeps['cursor'] = { after: null };
  const listenersCursor: ListenersCursor = { after: null };
  const rounds: Record<keyof SweepIntervals, () => Promise<void>> = {
    async leases() {
      const released = await sweepLeases({ db, enqueue, onReleased });
      rows.inc({ sweep: 'leases' }, released);
      if (released > 0) log.warn('leases', 'runs of lost workers were released', { released });
    },
    async expiredAnswers() {
      rows.inc({ sweep: 'expiredAnswers' }, await sweepExpiredAnswers(db));
    },
    deletedChannels: () => sweepDeletedChannels({ db, newId }),
    async expiredSecrets() {
      await sweepExpiredSecrets(db);
      await sweepExpiredSuppressions(db);
    },
    replayBatches: () =>
      sweepReplayBatches({
        db,
        enqueue,
        monotonicMs,
        onError: (error) => onError('replayBatches', error),
      }),
    async expiredMessages() {
      const removal = await removeExpiredMessages(db);
      if (removal.outcome === 'removed') rows.inc({ sweep: 'expiredMessages' }, removal.messages);
    },
    async consoleSessions() {
      rows.inc({ sweep: 'consoleSessions' }, await sweepConsoleSessions(db));
    },
    async stats() {
      rows.inc({ sweep: 'stats' }, await sweepStats(db, healthOffsetMs()));
    },
    oldStats: () => sweepOldStats(db),
    async attention() {
      attentionAfter = await keepAttention(db, { after: attentionAfter, freshMs: ATTENTION_FRESH_MS });
    },
    async complaints() {
      const offsetMs = healthOffsetMs();
      const deps = { kinds: kinds.definitions, offsetMs };
      rows.inc({ sweep: 'complaints' }, await pauseStreams({ ...deps, db, newId }));
      await forgetResumedStreams(db, offsetMs);
      const rates = await readComplaintRates(db, deps);
      complaintRate.reset();
      for (const { environmentId, stream, rate } of rates) {
        complaintRate.set({ environment: formatId('env', environmentId), stream }, rate);
      }
    },
    async operationalEvents() {
      const made = await sweepOperationalEvents({ db, kinds, enqueue });
      rows.inc({ sweep: 'operationalEvents' }, made);
    },
    async expiringSecrets() {
      await reportExpiringSecrets(db);
      await reportChangedQuota(db);
    },
    async auditChain() {
      const { auditChain: key } = await serviceKeys.get();
      rows.inc(
        { sweep: 'auditChain' },
        await sweepAuditChain({ db, key, reportTo: auditEnvironment, onChained }),
      );
    },
    async health() {
      const onChannelError = (error: unknown) => onError('health', error);
      const deps = {
        db,
        newId,
        kinds,
        enqueue,
        cursor: healthCursor,
        addressHashKey: createAddressHashKey(serviceKeys, onChannelError),
        onError: onChannelError,
      };
      rows.inc({ sweep: 'health' }, await sweepHealth({ ...deps, offsetMs: healthOffsetMs() }));
    },
    async ordering() {
      rows.inc({ sweep: 'ordering' }, await sweepOrder({ db, enqueue }));
    },
    async idleKeys() {
      rows.inc({ sweep: 'idleKeys' }, await sweepIdleKeys(db, idleCursor));
    },
    async limits() {
      const onChannelError = (error: unknown) => onError('limits', error);
      const deps = { db, newId, cursor: limitsCursor, onError: onChannelError };
      rows.inc({ sweep: 'limits' }, await sweepLimits(deps));
    },
    async listeners() {
      rows.inc({ sweep: 'listeners' }, await sweepListeners({ db, newId, kinds }, listenersCursor));
    },
    erasures: () =>
      sweepErasures(
        { db, newId, keys: serviceKeys, lateMessagesSeconds },
        { onError: (error) => onError('erasures', error) },
      ),
  };
  const loops = (Object.keys(rounds) as (keyof SweepIntervals)[]).map((name) =>
    startLoop({
      name,
      intervalMs: intervals[name],
      round: withShare(DELIVERY_SWEEPS.has(name) ? 'sweep' : 'housekeep', rounds[name]),
      onError,
      jitter,
    }),
  );
  return {
    async stop() {
      await Promise.all(loops.map((loop) => loop.stop()));
    },
  };
}

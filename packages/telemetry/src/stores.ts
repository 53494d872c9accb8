import type { Metrics } from './metrics.ts';

/** Powers of two up to the largest batch. */
const BATCH_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128];

/**
 * Measures how many items share a statement. The returned function takes the name of an operation, and gives a
 * callback to be called after each of its batches.
 */
export function measureBatches(metrics: Metrics): (work: string) => (items: number) => void {
  const sizes = metrics.histogram(
    'postrider_batch_items',
    'Items that shared a statement or a transaction.',
    ['work'],
    BATCH_BUCKETS,
  );
  return (work) => {
    const ofWork = sizes.labels({ work });
    return (items) => ofWork.observe(items);
  };
}

/** The connections of a pool at one moment, and how many callers wait for one. */
export interface PoolState {
  readonly max: number;
  readonly inUse: number;
  readonly idle: number;
  readonly waiting: number;
}

/** Exports the use of the process's connection pool to Postgres. */
export function measurePool(metrics: Metrics, readState: () => PoolState): void {
  metrics.gauge(
    'postrider_db_pool_connections',
    'Open connections to Postgres, by whether they are in use.',
    ['state'],
    (gauge) => {
      const { inUse, idle } = readState();
      gauge.set({ state: 'in_use' }, inUse);
      gauge.set({ state: 'idle' }, idle);
    },
  );
  metrics.gauge('postrider_db_pool_max_connections', 'Most connections to Postgres.', [], (gauge) =>
    gauge.set(readState().max),
  );
  metrics.gauge('postrider_db_pool_waiting', 'Queries that wait for a connection.', [], (gauge) =>
    gauge.set(readState().waiting),
  );
}

/** Exports each breaker: 1 if what it guards is unreachable, else 0. */
export function measureBreakers(metrics: Metrics, breakers: Readonly<Record<string, () => boolean>>): void {
  metrics.gauge(
    'postrider_breaker_open',
    '1 while the guarded service is unreachable or its last call failed, else 0.',
    ['breaker'],
    (gauge) => {
      for (const [breaker, isOpen] of Object.entries(breakers)) gauge.set({ breaker }, isOpen() ? 1 : 0);
    },
  );
}

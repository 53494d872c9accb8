import type { ChannelKind } from '@postrider/domain';
import type { Producer } from '@postrider/queue';
import type { Logger, Metrics } from '@postrider/telemetry';
import type { Config } from './config.ts';
import { createConsumer } from './consume.ts';
import type { DeliverRun } from './deliver/deliver.ts';
import type { LogErrors } from './log-errors.ts';
import { createWatchdog, type WatchdogBounds, type WatchQueue } from './watchdog.ts';

export interface ConsumersDeps {
  readonly config: Pick<Config, 'concurrency' | 'redisUrl'>;
  readonly keyPrefix: string;
  readonly deliver: DeliverRun;
  readonly isPaused: Producer['paused'];
  readonly logger: Logger;
  readonly logErrors: LogErrors;
  readonly metrics: Metrics;
  readonly monotonicMs: () => number;
  readonly watchdogBounds?: WatchdogBounds | undefined;
  /** Told when no consumer of a kind gets jobs any more, and only a new process can. */
  readonly onGiveUp?: ((reason: string) => void) | undefined;
}

/** A consumer of each kind of jobs, and what replaces one that has gone deaf. */
export interface WatchedConsumers {
  readonly watchQueue: WatchQueue;
  /** Takes no further job. */
  pause(): Promise<void>;
  /** Waits for the jobs that are open, and for those that are put back to be there again. */
  settled(): Promise<void>;
  /** Closes the connections without waiting for what is still open. */
  close(): Promise<void>;
}

/** Starts to take jobs of every kind, and counts the consumers that have to be replaced. */
export function startConsumers(deps: ConsumersDeps): WatchedConsumers {
  const { config, keyPrefix, deliver, isPaused, logger, logErrors, metrics, monotonicMs } = deps;
  const { watchdogBounds, onGiveUp } = deps;
  const consume = (kind: ChannelKind) =>
    createConsumer(kind, deliver, {
      redisUrl: config.redisUrl,
      prefix: keyPrefix,
      concurrency: config.concurrency,
      onError: logErrors(`consumer:${kind}`, 'jobs cannot be taken, or one could not be handled'),
    });
  const consumerOf = { email: consume('email'), webhook: consume('webhook') };
  const consumers = Object.values(consumerOf);
  const recoveries = metrics.counter(
    'postrider_consumer_recoveries_total',
    'Consumers that were replaced because they got no jobs although runs were due.',
    ['kind'],
  );
  const watchQueue = createWatchdog({
    consumers: consumerOf,
    isPaused,
    onRecover(kind) {
      recoveries.inc({ kind });
      logger.warn('a consumer got no jobs although runs are due: it is replaced', { kind });
    },
    onGiveUp: (kind) => onGiveUp?.(`the consumer of ${kind} jobs gets none although runs are due`),
    monotonicMs,
    ...(watchdogBounds ? { bounds: watchdogBounds } : {}),
  });

  return {
    watchQueue,
    async pause() {
      await Promise.all(consumers.map((consumer) => consumer.pause()));
    },
    async settled() {
      await Promise.all(consumers.map((consumer) => consumer.settled()));
    },
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.close()));
    },
  };
}

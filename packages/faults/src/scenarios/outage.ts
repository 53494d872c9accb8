import { quantile } from '@postrider/rig';
import type { ClientExchange } from '../ledgers.ts';
import type { Context, Figures } from './scenario.ts';

/** A stretch of time, in milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/**
 * How much longer than usual answers may take while Redis is unavailable, in milliseconds. For nearly all of them this
 * is the sum of the API's two time limits for Redis: 100 ms in the rate limiter (`apps/api/src/rate-limit/buckets.ts`)
 * and 500 ms in the producer (`packages/queue/src/producer.ts`). The slowest may take as long as both clients need to
 * give up a silent connection, 5 s. An answer that waited for Redis would take longer.
 */
const REDIS_DEADLINES_MS = 600;
const SILENCE_LIMIT_MS = 5_000;

/** Whether a request was sent during one of the stretches. */
const isSentIn =
  (stretches: readonly Stretch[]) =>
  ({ sentAt }: ClientExchange): boolean =>
    stretches.some(({ from, to }) => sentAt >= from && sentAt < to);

const quantileOf = (exchanges: readonly ClientExchange[], part: number) =>
  Math.round(
    quantile(
      exchanges.map(({ tookMs }) => tookMs),
      part,
    ),
  );

/** Compares the times of answers during outages with those of the others; their p95 only if no other scenario runs meanwhile. */
export function compareAnswers(
  { driver: { ledger }, expect, isAlone }: Pick<Context, 'driver' | 'expect' | 'isAlone'>,
  outages: readonly Stretch[],
): Figures {
  const isDuring = isSentIn(outages);
  const during = ledger.exchanges.filter(isDuring);
  const otherwise = ledger.exchanges.filter((exchange) => !isDuring(exchange));
  expect(during.length > 0, 'requests were sent during the outage');
  expect(otherwise.length > 0, 'requests were sent outside of the outage');
  const [p95, usualP95] = [quantileOf(during, 0.95), quantileOf(otherwise, 0.95)];
  const [slowest, usualSlowest] = [quantileOf(during, 1), quantileOf(otherwise, 1)];
  expect(
    !isAlone || p95 <= usualP95 + REDIS_DEADLINES_MS,
    `p95 of answers without Redis is within ${REDIS_DEADLINES_MS} ms of ${usualP95}; it was ${p95} ms`,
  );
  expect(
    slowest <= usualSlowest + SILENCE_LIMIT_MS,
    `no answer takes ${SILENCE_LIMIT_MS} ms longer without Redis than ${usualSlowest}; one took ${slowest} ms`,
  );
  return {
    answers_in_outage: during.length,
    p95_answer_in_outage_ms: p95,
    p95_answer_otherwise_ms: usualP95,
  };
}

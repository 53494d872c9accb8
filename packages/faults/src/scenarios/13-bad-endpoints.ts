import { setTimeout as wait } from 'node:timers/promises';
import { quantile, startLoad } from '@postrider/rig';
import { untilDrained } from '../drain.ts';
import type { Ledgers } from '../ledgers.ts';
import type { Context, Figures, Scenario } from './scenario.ts';

const paths = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => `/${kind}/${index}`);

const GOOD = paths('good', 40);
/** Nothing listens on port 9. */
const BAD = [
  ...paths('hang', 20),
  ...Array.from({ length: 20 }, (_, index) => `http://127.0.0.1:9/${index}`),
  ...paths('fail', 20),
];
/**
 * Events per period. Periods without and with bad endpoints alternate, so that the machine's noise affects both.
 */
const EVENTS = { short: 5, long: 30 };
const PAIRS_OF_PERIODS = { short: 2, long: 4 };
const EVENT_EVERY_MS = 750;
/** A notification from Postgres drops the API's cached channels at once; this is more than enough. */
const NOTICE_MS = 500;
/** How many times as long the good endpoints may take. */
const ALLOWED_RATIO = 2;

interface Period {
  readonly hasBad: boolean;
  readonly from: number;
  readonly to: number;
}

async function sendSteadily({ driver, random, amount }: Context): Promise<void> {
  const events = amount(EVENTS.short, EVENTS.long);
  await startLoad({ driver, random, events, concurrency: 1, pauseMs: EVENT_EVERY_MS }).done;
}

async function enableBad({ stack: { db, fixture } }: Context, enabled: boolean): Promise<void> {
  const ids = fixture.channels.slice(GOOD.length).map(({ id }) => id);
  await db.channel.updateMany({ where: { id: { in: ids } }, data: { enabled } });
  await wait(NOTICE_MS);
}

/** Waits until no run of the previous period is left; the runs of a disabled channel end soon. */
async function observe(context: Context, hasBad: boolean): Promise<Period> {
  await enableBad(context, false);
  await untilDrained(context.stack.db);
  if (hasBad) await enableBad(context, true);
  const from = Date.now();
  await sendSteadily(context);
  return { hasBad, from, to: Date.now() };
}

/** Milliseconds from acceptance to receipt at the good endpoints, for runs created within the periods. */
function latencies({ receivers, database }: Ledgers, periods: readonly Period[]): number[] {
  const runs = new Map(database.runs.map((run) => [run.id, run]));
  return receivers.flatMap(({ runId, at, answer }) => {
    const madeAt = runs.get(runId)?.createdAt ?? 0;
    const isWithin = periods.some(({ from, to }) => madeAt >= from && madeAt < to);
    return answer === 'accepted' && isWithin ? [at - madeAt] : [];
  });
}

function compare({ expect }: Context, without: readonly number[], withBad: readonly number[]): Figures {
  const [usual, p95] = [quantile(without, 0.95), quantile(withBad, 0.95)];
  const ratio = p95 / usual;
  expect(
    ratio <= ALLOWED_RATIO,
    `p95 at good endpoints at most doubles; it became ${ratio.toFixed(2)} times`,
  );
  return {
    good_deliveries: without.length + withBad.length,
    p50_without_ms: quantile(without, 0.5),
    p95_without_ms: usual,
    p50_with_bad_ms: quantile(withBad, 0.5),
    p95_with_bad_ms: p95,
    p95_ratio: Math.round(ratio * 100) / 100,
  };
}

/** The errors of attempts at the bad endpoints, in the order of `BAD`: hang, refuse, fail. */
const BAD_CODES = ['webhook_timeout', 'webhook_connection_failed', 'webhook_http_error'] as const;

/** Expects that each kind of bad endpoint had an effect. */
function expectEffect({ expect }: Context, { database }: Ledgers): void {
  const codes = new Set(database.runs.flatMap(({ attempts }) => attempts.map(({ errorCode }) => errorCode)));
  for (const code of BAD_CODES) expect(codes.has(code), `attempts at bad endpoints ended with ${code}`);
}

/** Bad endpoints do not affect good ones. */
export function badEndpoints(): Scenario {
  const periods: Period[] = [];
  return {
    number: 13,
    name: 'bad-endpoints',
    fault: '100 endpoints of which 20 hang, 20 refuse connections and 20 answer 500',
    isMeasuring: true,
    rounds: 'periods_with_bad',
    measured: ['p95_without_ms', 'p95_with_bad_ms'],
    mayFail: true,
    stack: { webhooks: [...GOOD, ...BAD], email: false, maxAttempts: 2 },
    treat(_, path) {
      const answer = path.startsWith('/good') ? 'accepted' : path.startsWith('/fail') ? 'refused' : 'none';
      return { delayMs: 0, answer };
    },
    async run(context) {
      const pairs = context.amount(PAIRS_OF_PERIODS.short, PAIRS_OF_PERIODS.long);
      for (let pair = 0; pair < pairs; pair += 1) {
        periods.push(await observe(context, false));
        periods.push(await observe(context, true));
      }
      await enableBad(context, false);
      return { periods_with_bad: pairs };
    },
    afterDrain(context, ledgers) {
      expectEffect(context, ledgers);
      return compare(
        context,
        latencies(
          ledgers,
          periods.filter(({ hasBad }) => !hasBad),
        ),
        latencies(
          ledgers,
          periods.filter(({ hasBad }) => hasBad),
        ),
      );
    },
  };
}

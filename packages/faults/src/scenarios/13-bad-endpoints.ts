import { setTimeout as wait } from 'node:timers/promises';
import { startLoad } from '../driver/load.ts';
import type { Ledgers } from '../ledgers.ts';
import type { Context, Figures, Scenario } from './scenario.ts';

const paths = (kind: string, count: number) =>
  Array.from({ length: count }, (_, index) => `/${kind}/${index}`);

const GOOD = paths('good', 40);
/** Port 9 is one that nothing listens on. */
const BAD = [
  ...paths('hang', 20),
  ...Array.from({ length: 20 }, (_, index) => `http://127.0.0.1:9/${index}`),
  ...paths('fail', 20),
];
const EVENTS_PER_SCALE = 12;
const EVENT_EVERY_MS = 1_500;
/** The good ones may take twice as long; below this, a difference is the machine's noise. */
const NOISE_MS = 250;

async function enableBad({ stack }: Context, enabled: boolean): Promise<void> {
  const ids = stack.fixture.channels.slice(GOOD.length).map(({ id }) => id);
  await stack.db.channel.updateMany({ where: { id: { in: ids } }, data: { enabled } });
}

async function sendSteadily({ driver, random, scale }: Context): Promise<void> {
  const events = EVENTS_PER_SCALE * scale;
  await startLoad({ driver, random, events, concurrency: 1, pauseMs: EVENT_EVERY_MS }).done;
}

/** Milliseconds from acceptance to receipt at the good endpoints, of runs made within the time given. */
function latencies({ receivers, database }: Ledgers, from: number, to: number): number[] {
  const runs = new Map(database.runs.map((run) => [run.id, run]));
  return receivers
    .flatMap(({ runId, at, answer }) => {
      const madeAt = runs.get(runId)?.createdAt ?? 0;
      return answer === 'accepted' && madeAt >= from && madeAt < to ? [at - madeAt] : [];
    })
    .sort((a, b) => a - b);
}

const at = (sorted: readonly number[], part: number) => sorted[Math.floor(sorted.length * part)] ?? 0;

function compare({ expect }: Context, without: readonly number[], withBad: readonly number[]): Figures {
  const allowed = Math.max(2 * at(without, 0.95), NOISE_MS);
  const found = at(withBad, 0.95);
  expect(found <= allowed, `p95 at good endpoints stays within ${allowed} ms; it was ${found} ms`);
  return {
    p50_without_ms: at(without, 0.5),
    p95_without_ms: at(without, 0.95),
    p50_with_bad_ms: at(withBad, 0.5),
    p95_with_bad_ms: found,
  };
}

/** Good endpoints do not feel their bad neighbours. */
export function badEndpoints(): Scenario {
  let boundary = 0;
  return {
    number: 13,
    name: 'bad-endpoints',
    fault: '100 endpoints of which 20 hang, 20 refuse connections and 20 answer 500',
    stack: { webhooks: [...GOOD, ...BAD], email: false, workers: 2, maxAttempts: 2 },
    treat(_, path) {
      const answer = path.startsWith('/good') ? 'accepted' : path.startsWith('/fail') ? 'refused' : 'none';
      return { delayMs: 0, answer };
    },
    async run(context) {
      await enableBad(context, false);
      // The snapshot that the API plans runs by is dropped at once by Postgres' notice.
      await wait(1_000);
      await sendSteadily(context);
      await enableBad(context, true);
      await wait(1_000);
      boundary = Date.now();
      await sendSteadily(context);
      return { endpoints: GOOD.length + BAD.length };
    },
    afterDrain: (context, ledgers) =>
      compare(
        context,
        latencies(ledgers, 0, boundary),
        latencies(ledgers, boundary, Number.POSITIVE_INFINITY),
      ),
  };
}

import { waitFor } from '@postrider/rig';
import { acceptAll, type Context, type Scenario } from './scenario.ts';
import { fallSilent } from './silence.ts';

/**
 * The longest answer: a connection may be silent for 12 s, and opening the next one may take 5 s
 * (`packages/db/src/client.ts`); the rest is for a busy machine.
 */
const ANSWER_LIMIT_MS = 19_000;
/** Statements of the worker fail after 12 s; a sweep finds their runs within seconds. */
const RESUME_MS = { connections: 18_000, network: 20_000, server: 20_000 };
const UNREADY_LIMIT_MS = 10_000;
const EXPECTED = [201, 503];

/** Every API process says that it is not ready. */
async function expectUnready({ stack, expect }: Context): Promise<void> {
  const isUnready = async (url: string) => (await fetch(`${url}/readyz`)).status === 503;
  const said = stack.apis.map(({ name, url }) =>
    waitFor(`${name} to be unready`, () => isUnready(url), { timeoutMs: UNREADY_LIMIT_MS }).catch(() =>
      expect(false, `${name} is not ready while PostgreSQL is silent`),
    ),
  );
  await Promise.all(said);
}

/** No request waits for longer than its bound, nothing is lost, and no process needs to be restarted. */
export const silentPostgres: Scenario = {
  number: 21,
  name: 'silent-postgres',
  fault: 'Postgres silent after a quiet period: its connections, the network, SIGSTOP',
  shortSeconds: 135,
  rounds: 'silences',
  measured: ['resumed_ms', 'slowest_answer_ms', 'answers_503'],
  stack: { storesThroughProxies: true },
  treat: acceptAll,
  async run(context) {
    const { driver, expect } = context;
    const { figures } = await fallSilent(context, {
      store: 'postgres',
      resumeMs: RESUME_MS,
      whileSilent: expectUnready,
    });
    const { exchanges } = driver.ledger;
    const late = exchanges.filter(({ status, tookMs }) => status === null || tookMs > ANSWER_LIMIT_MS);
    expect(
      late.length === 0,
      `every request is answered within ${ANSWER_LIMIT_MS} ms; ${late.length} were not`,
    );
    const others = new Set(
      exchanges.map(({ status }) => status ?? 0).filter((status) => !EXPECTED.includes(status)),
    );
    expect(others.size === 0, `requests are accepted or answered 503; ${[...others].join(', ')} came, too`);
    const unavailable = exchanges.filter(({ status }) => status === 503).length;
    expect(unavailable > 0, 'requests are answered 503 while PostgreSQL is silent');
    return { ...figures, answers_503: unavailable };
  },
};

import { setTimeout as wait } from 'node:timers/promises';
import { countOwnExits } from './answers.ts';
import { acceptSlowly, type Context, type Scenario } from './scenario.ts';
import { underLoad, untilNextAnswer } from './steps.ts';

const RESTARTS = { short: 2, long: 20 };

/** Allowed statuses: success, too late to cancel, or Postgres is down. */
const EXPECTED = [200, 201, 409, 503];

const statusesOf = ({ driver: { ledger } }: Context): Set<number> =>
  new Set([
    ...[...ledger.requests, ...ledger.replays].map(({ answer }) => answer?.status ?? 0),
    ...ledger.cancels.map(({ status }) => status ?? 0),
  ]);

/**
 * Acknowledged events are durable, requests get 503 during the restart, and everything recovers without restarting our
 * processes.
 */
export const postgresRestarts: Scenario = {
  number: 6,
  name: 'postgres-restarts',
  fault: 'Postgres stopped at once (immediate mode) and started again under load',
  rounds: 'restarts',
  measured: ['longest_recovery_ms', 'own_exits'],
  treat: acceptSlowly,
  async run(context) {
    const { stack, random, amount, expect } = context;
    const restarts = amount(RESTARTS.short, RESTARTS.long);
    let longestMs = 0;
    await underLoad(
      context,
      async (answered) => {
        for (let count = 0; count < restarts; count += 1) {
          await wait(random.between(500, 3_000));
          await stack.postgres.crash();
          await wait(random.between(0, 3_000));
          await stack.postgres.start();
          longestMs = Math.max(longestMs, await untilNextAnswer('a restart', answered));
        }
      },
      { isMixed: true },
    );
    const statuses = statusesOf(context);
    expect(statuses.has(503), 'requests are answered 503 while Postgres is away');
    const unexpected = [...statuses].filter((status) => !EXPECTED.includes(status));
    expect(unexpected.length === 0, `requests are done or answered 503; ${unexpected.join(', ')} came, too`);
    return { restarts, longest_recovery_ms: longestMs, own_exits: countOwnExits(context) };
  },
};

import { setTimeout as wait } from 'node:timers/promises';
import { until } from '../until.ts';
import { type Scenario, takeSlowly } from './scenario.ts';
import { underLoad } from './under-load.ts';

const RESTARTS_PER_SCALE = 3;

/** What was acknowledged is durable, requests are answered 503 meanwhile, and all recovers without a restart of ours. */
export const postgresRestarts: Scenario = {
  number: 6,
  name: 'postgres-restarts',
  fault: 'Postgres stopped at once (immediate mode) and started again under load',
  treat: takeSlowly,
  async run(context) {
    const { stack, driver, random, scale, expect } = context;
    const restarts = Math.min(20, RESTARTS_PER_SCALE * scale);
    let longestMs = 0;
    const events = await underLoad(context, async (answered) => {
      for (let count = 0; count < restarts; count += 1) {
        await wait(random.between(500, 3_000));
        await stack.postgres.crash();
        await wait(random.between(0, 3_000));
        await stack.postgres.start();
        const before = answered();
        const began = performance.now();
        await until('events are accepted again', 60_000, () => answered() > before);
        longestMs = Math.max(longestMs, Math.round(performance.now() - began));
      }
    });
    const statuses = new Set(driver.ledger.requests.map(({ answer }) => answer?.status ?? 0));
    expect(statuses.has(503), 'requests are answered 503 while Postgres is away');
    const unexpected = [...statuses].filter((status) => status !== 201 && status !== 503);
    expect(unexpected.length === 0, `only 201 and 503 are answered; ${unexpected.join(', ')} came, too`);
    const exits = [...stack.apis, ...stack.workers].reduce((sum, service) => sum + service.ownExits(), 0);
    expect(exits === 0, `no process of ours ends; ${exits} did`);
    return { restarts, events, longest_recovery_ms: longestMs, own_exits: exits };
  },
};

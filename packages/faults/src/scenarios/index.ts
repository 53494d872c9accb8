import { killApis } from './01-kill-apis.ts';
import { killWorkers } from './02-kill-workers.ts';
import { flushRedis } from './03-flush-redis.ts';
import { redisDown } from './04-redis-down.ts';
import { postgresRestarts } from './06-postgres-restarts.ts';
import { pauseWorkers } from './07-pause-workers.ts';
import { oneKey } from './10-one-key.ts';
import { quota } from './11-quota.ts';
import { everything } from './15-everything.ts';
import type { Scenario } from './scenario.ts';

/** Every scenario, in the order in which they are run. */
export const SCENARIOS: readonly Scenario[] = [
  killApis,
  killWorkers,
  flushRedis,
  redisDown,
  postgresRestarts,
  pauseWorkers,
  oneKey,
  quota,
  everything,
];

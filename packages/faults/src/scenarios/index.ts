import { killApis } from './01-kill-apis.ts';
import { killWorkers } from './02-kill-workers.ts';
import { flushRedis } from './03-flush-redis.ts';
import { redisDown } from './04-redis-down.ts';
import { redisFull } from './05-redis-full.ts';
import { postgresRestarts } from './06-postgres-restarts.ts';
import { pauseWorkers } from './07-pause-workers.ts';
import { wrongClocks } from './08-wrong-clocks.ts';
import { badNetwork } from './09-bad-network.ts';
import { oneKey } from './10-one-key.ts';
import { quota } from './11-quota.ts';
import { rollingRestart } from './12-rolling-restart.ts';
import { badEndpoints } from './13-bad-endpoints.ts';
import { sameSecond } from './14-same-second.ts';
import { everything } from './15-everything.ts';
import { poisonRuns } from './16-poison-runs.ts';
import { dyingSenders } from './17-dying-senders.ts';
import { orderedKeys } from './18-ordered-keys.ts';
import { limitedChannel } from './19-limited-channel.ts';
import { silentPostgres } from './21-silent-postgres.ts';
import { silentRedis } from './22-silent-redis.ts';
import { redisAway } from './23-redis-away.ts';
import type { Scenario } from './scenario.ts';

/** Every scenario, in the order in which they are run. 20 is the rolling upgrade, which has a command of its own. */
export const SCENARIOS: readonly Scenario[] = [
  killApis,
  killWorkers,
  flushRedis,
  redisDown(),
  redisFull,
  postgresRestarts,
  pauseWorkers,
  wrongClocks,
  badNetwork(),
  oneKey,
  quota,
  rollingRestart,
  badEndpoints(),
  sameSecond,
  everything(),
  poisonRuns,
  dyingSenders,
  orderedKeys,
  limitedChannel,
  silentPostgres,
  silentRedis(),
  redisAway(),
];

import { setTimeout as wait } from 'node:timers/promises';
import { fillRedis } from '../stack/redis-filler.ts';
import { countFailed } from './answers.ts';
import { compareAnswers } from './outage.ts';
import { acceptAll, type Context, type Scenario } from './scenario.ts';
import { underLoad, untilNextSend } from './steps.ts';

const MEMORY = '12mb';
const FULL_FOR_MS = { short: 8_000, long: 30_000 };
/** The most log lines per second of one process, averaged over the outage. */
const LINES_PER_SECOND = 10;
/** The load continues for this long without the fault. The answers in the outage are compared with those. */
const ROOM_FOR_MS = 2_000;

const processes = ({ stack }: Context) => [...stack.apis, ...stack.workers];

/** Acceptance is unaffected, the logs stay readable, and delivery resumes when there is room again. */
export const redisFull: Scenario = {
  number: 5,
  name: 'redis-full',
  fault: 'Redis out of memory (12 MB, noeviction) under load',
  measured: ['refused_commands', 'log_lines_per_second', 'resumed_ms', 'p95_answer_in_outage_ms'],
  isExactlyOnce: true,
  stack: { redisSettings: [`maxmemory ${MEMORY}`] },
  treat: acceptAll,
  async run(context) {
    const { stack, driver, amount, expect } = context;
    const fullForMs = amount(FULL_FOR_MS.short, FULL_FOR_MS.long);
    let lines = 0;
    let refusedCommands = 0;
    let resumedMs = 0;
    let full = { from: 0, to: 0 };
    await underLoad(context, async () => {
      await wait(ROOM_FOR_MS);
      const filler = await fillRedis(stack.redis.url);
      const from = Date.now();
      const before = processes(context).map((service) => service.linesWritten());
      await wait(fullForMs);
      lines = Math.max(
        ...processes(context).map((service, index) => service.linesWritten() - (before[index] ?? 0)),
      );
      full = { from, to: Date.now() };
      refusedCommands = await filler.stop();
      await stack.redis.flush();
      resumedMs = await untilNextSend(context);
    });
    const refused = countFailed(driver.ledger);
    const linesPerSecond = lines / (fullForMs / 1_000);
    expect(refused === 0, `acceptance is unaffected; ${refused} requests were refused`);
    expect(linesPerSecond < LINES_PER_SECOND, `few log lines; ${linesPerSecond} a second were written`);
    expect(refusedCommands > 0, 'Redis refused commands of the service because its memory was full');
    const figures = compareAnswers(context, [full]);
    return {
      refused_commands: refusedCommands,
      ...figures,
      log_lines_per_second: linesPerSecond,
      resumed_ms: resumedMs,
    };
  },
};

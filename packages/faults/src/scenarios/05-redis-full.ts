import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { countFailed } from './answers.ts';
import { untilNextSend } from './resume.ts';
import { type Context, type Scenario, takeAll } from './scenario.ts';
import { underLoad } from './under-load.ts';

const MEMORY = '12mb';
const FULL_FOR_MS = { short: 8_000, long: 30_000 };
const CHUNK = 'x'.repeat(100_000);
/** Of one process, on the average of the outage. */
const LINES_PER_SECOND = 10;

/** Writes until Redis refuses, and a little more where a job could still fit. */
async function fill(url: string): Promise<void> {
  const client = new Redis(url);
  client.on('error', () => undefined);
  for (const chunk of [CHUNK, CHUNK.slice(0, 1_000)]) {
    let isFull = false;
    for (let index = 0; !isFull; index += 1) {
      isFull = await client.set(`filler-${chunk.length}-${index}`, chunk).then(
        () => false,
        () => true,
      );
    }
  }
  client.disconnect();
}

const processes = ({ stack }: Context) => [...stack.apis, ...stack.workers];

/** Acceptance goes on unaffected, the logs stay readable, and delivery resumes when there is room again. */
export const redisFull: Scenario = {
  number: 5,
  name: 'redis-full',
  fault: 'Redis out of memory (12 MB, noeviction) under load',
  measured: ['log_lines_per_second', 'resumed_ms'],
  isExactlyOnce: true,
  stack: { redisSettings: [`maxmemory ${MEMORY}`] },
  treat: takeAll,
  async run(context) {
    const { stack, driver, amount, expect } = context;
    const fullForMs = amount(FULL_FOR_MS.short, FULL_FOR_MS.long);
    let lines = 0;
    let resumedMs = 0;
    await underLoad(context, async () => {
      await fill(stack.redis.url);
      const before = processes(context).map((service) => service.linesWritten());
      await wait(fullForMs);
      lines = Math.max(
        ...processes(context).map((service, index) => service.linesWritten() - (before[index] ?? 0)),
      );
      await stack.redis.flush();
      resumedMs = await untilNextSend(context);
    });
    const refused = countFailed(driver.ledger);
    const linesPerSecond = lines / (fullForMs / 1_000);
    expect(refused === 0, `acceptance is unaffected; ${refused} requests were refused`);
    expect(linesPerSecond < LINES_PER_SECOND, `few log lines; ${linesPerSecond} a second were written`);
    return { log_lines_per_second: linesPerSecond, resumed_ms: resumedMs };
  },
};

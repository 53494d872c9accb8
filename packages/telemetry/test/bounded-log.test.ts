import { createBoundedLog } from '@postrider/telemetry';
import { describe, expect, it } from '@postrider/testing';
import { recordingLogger } from './lines.ts';

function boundedLog(perKeyPerMinute: number) {
  const { logger, entries } = recordingLogger();
  const windows: (() => void)[] = [];
  const log = createBoundedLog(logger, { perKeyPerMinute, later: (run) => windows.push(run) });
  const minutePasses = () => {
    for (const run of windows.splice(0)) run();
  };
  return { log, entries, minutePasses };
}

describe('the bounded log', () => {
  it('writes the first entries of a key and then one count for the rest of the minute', () => {
    const { log, entries, minutePasses } = boundedLog(2);

    for (let n = 0; n < 5_000; n += 1) log.error('redis_unreachable', 'Redis is out of reach', { n });
    expect(entries().map((entry) => entry.n)).toEqual([0, 1]);

    minutePasses();
    expect(entries()).toHaveLength(3);
    expect(entries()[2]).toMatchObject({
      level: 'error',
      message: 'Redis is out of reach',
      key: 'redis_unreachable',
      suppressed: 4_998,
    });
  });

  it('limits each key separately', () => {
    const { log, entries } = boundedLog(1);

    log.warn('a', 'first');
    log.warn('a', 'second');
    log.warn('b', 'third');

    expect(entries().map((entry) => entry.message)).toEqual(['first', 'third']);
  });

  it('writes again after a minute, and reports nothing if no entry was held back', () => {
    const { log, entries, minutePasses } = boundedLog(1);

    log.warn('a', 'first');
    minutePasses();
    log.warn('a', 'second');
    minutePasses();

    expect(entries().map((entry) => entry.message)).toEqual(['first', 'second']);
  });

  it('writes the pending counts once when it is flushed', () => {
    const { log, entries, minutePasses } = boundedLog(1);

    log.warn('a', 'first');
    log.warn('a', 'first');
    log.flush();
    minutePasses();

    expect(entries().map((entry) => entry.suppressed)).toEqual([undefined, 1]);
  });

  it('stays limited with an unbounded number of keys', () => {
    const { log, entries } = boundedLog(1);

    for (let n = 0; n < 50_000; n += 1) log.warn(`key-${n}`, 'x');
    log.flush();

    expect(entries().length).toBeLessThanOrEqual(1_002);
  });
});

import { EventEmitter, once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { stopOnSignal } from '../src/stop-on-signal.ts';

/** A process that tells how it ended. */
function setUp(stop: () => Promise<void>, deadlineMs: number) {
  const signals = new EventEmitter();
  const ends = new EventEmitter();
  stopOnSignal({ signals, stop, deadlineMs, exit: (code) => void ends.emit('exit', code) });
  const ended = once(ends, 'exit').then(([code]) => code);
  return { signals, ended };
}
const never = () => new Promise<void>(() => undefined);

describe('a process that is told to stop', () => {
  it('ends with 0 when all is closed', async () => {
    const { signals, ended } = setUp(async () => undefined, 60_000);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(0);
  });

  it('ends with 1 at its deadline, although something does not close', async () => {
    const { signals, ended } = setUp(never, 20);
    signals.emit('SIGTERM', 'SIGTERM');
    const keepsRunning = setInterval(() => undefined, 1_000);
    expect(await ended).toBe(1);
    clearInterval(keepsRunning);
  });

  it('ends with 1 at the second signal', async () => {
    const { signals, ended } = setUp(never, 60_000);
    signals.emit('SIGTERM', 'SIGTERM');
    signals.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(1);
  });
});

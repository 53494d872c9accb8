import { EventEmitter, once } from 'node:events';
import { stopOnSignal } from '@postrider/telemetry';
import { describe, expect, it } from '@postrider/testing';

/** A process that tells how it ended, and why it was stopped. */
function setUp(stop: () => Promise<void>, deadlineMs: number) {
  const signals = new EventEmitter();
  const ends = new EventEmitter();
  const reasons: string[] = [];
  const failures: unknown[] = [];
  const exits: number[] = [];
  const endProcess = stopOnSignal({
    signals,
    deadlineMs,
    stop(reason) {
      reasons.push(reason);
      return stop();
    },
    onStopFailed: (error) => failures.push(error),
    exit(code) {
      exits.push(code);
      ends.emit('exit', code);
    },
  });
  const ended = once(ends, 'exit').then(([code]) => code);
  return { signals, ended, endProcess, reasons, failures, exits };
}
const never = () => new Promise<void>(() => undefined);

describe('a process that is told to stop', () => {
  it('exits with 0 when everything is closed', async () => {
    const { signals, ended, reasons } = setUp(async () => undefined, 60_000);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(0);
    expect(reasons).toEqual(['SIGTERM']);
  });

  it('exits with 1 at its deadline if something does not close', async () => {
    const { signals, ended } = setUp(never, 20);
    signals.emit('SIGTERM', 'SIGTERM');
    const keepsRunning = setInterval(() => undefined, 1_000);
    expect(await ended).toBe(1);
    clearInterval(keepsRunning);
  });

  it('logs why closing failed, and exits with 1', async () => {
    const failure = new Error('cannot be closed');
    const { signals, ended, failures } = setUp(() => Promise.reject(failure), 60_000);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(1);
    expect(failures).toEqual([failure]);
  });

  it('exits with 1 at the second signal', async () => {
    const { signals, ended } = setUp(never, 60_000);
    signals.emit('SIGTERM', 'SIGTERM');
    signals.emit('SIGINT', 'SIGINT');
    expect(await ended).toBe(1);
  });
});

describe('a process that ends itself', () => {
  it('closes everything and exits with 1', async () => {
    const { ended, endProcess, reasons } = setUp(async () => undefined, 60_000);
    endProcess('no jobs');
    expect(await ended).toBe(1);
    expect(reasons).toEqual(['no jobs']);
  });

  it('continues closing at the first signal, and exits with 1 at the second', async () => {
    const { signals, ended, endProcess, reasons, exits } = setUp(never, 60_000);
    endProcess('no jobs');
    signals.emit('SIGTERM', 'SIGTERM');
    expect(exits).toEqual([]);
    signals.emit('SIGTERM', 'SIGTERM');
    expect(await ended).toBe(1);
    expect(exits).toEqual([1]);
    expect(reasons).toEqual(['no jobs']);
  });

  it('exits with 1 even if a signal comes before everything is closed', async () => {
    let close: () => void = () => undefined;
    const { signals, ended, endProcess } = setUp(() => new Promise((done) => (close = done)), 60_000);
    endProcess('no jobs');
    signals.emit('SIGTERM', 'SIGTERM');
    close();
    expect(await ended).toBe(1);
  });

  it('does not change a stop in progress or its exit code', async () => {
    let close: () => void = () => undefined;
    const { signals, ended, endProcess, reasons } = setUp(
      () => new Promise((done) => (close = done)),
      60_000,
    );
    signals.emit('SIGTERM', 'SIGTERM');
    endProcess('no jobs');
    close();
    expect(await ended).toBe(0);
    expect(reasons).toEqual(['SIGTERM']);
  });
});

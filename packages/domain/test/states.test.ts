import { describe, expect, it } from '@postrider/testing';
import fc from 'fast-check';
import {
  deriveMessageStatus,
  isTerminal,
  type MessageStatus,
  type NextRunStatus,
  RUN_STATUSES,
  type RunStatus,
  STARTED_RUN_STATUSES,
  statusesThatMayBecome,
  TERMINAL_RUN_STATUSES,
  WAITING_RUN_STATUSES,
} from '../src/index.ts';

describe('run transitions', () => {
  it.each<[RunStatus, RunStatus[]]>([
    ['scheduled', []],
    ['queued', []],
    ['running', ['scheduled', 'queued', 'retrying']],
    ['retrying', ['running']],
    ['succeeded', ['running']],
    ['failed', ['scheduled', 'queued', 'running', 'retrying']],
    ['cancelled', ['scheduled']],
  ])('%s can only be reached as docs/specification.md defines', (to, from) => {
    expect(statusesThatMayBecome(to)).toEqual(from);
  });

  it('lists the statuses of waiting and of started runs', () => {
    expect(WAITING_RUN_STATUSES).toEqual(['scheduled', 'queued', 'retrying']);
    expect(STARTED_RUN_STATUSES).toEqual(['running', 'retrying']);
  });

  it('divides the statuses into terminal, waiting and running ones', () => {
    expect([...TERMINAL_RUN_STATUSES, ...WAITING_RUN_STATUSES, 'running'].sort()).toEqual(
      [...RUN_STATUSES].sort(),
    );
    expect(TERMINAL_RUN_STATUSES).toEqual(['succeeded', 'failed', 'cancelled']);
  });

  it('does not compile a transition that is missing in the table', () => {
    const next: NextRunStatus<'running'> = 'succeeded';
    // @ts-expect-error a queued run cannot be cancelled
    const impossible: NextRunStatus<'queued'> = 'cancelled';
    expect([next, impossible]).toHaveLength(2);
  });
});

describe('message status', () => {
  const runsOf = (...statuses: RunStatus[]) =>
    statuses.map((status, index) => ({ channelId: `channel-${index}`, replay: 0, status }));

  it.each<[MessageStatus, RunStatus[]]>([
    ['delivered', ['succeeded']],
    ['delivered', ['succeeded', 'succeeded']],
    ['partially_delivered', ['succeeded', 'failed']],
    ['partially_delivered', ['succeeded', 'cancelled']],
    ['partially_delivered', ['succeeded', 'cancelled', 'failed']],
    ['failed', ['failed']],
    ['failed', ['failed', 'failed']],
    ['failed', ['failed', 'cancelled']],
    ['cancelled', ['cancelled']],
    ['cancelled', ['cancelled', 'cancelled']],
    ['pending', ['succeeded', 'retrying']],
    ['pending', ['failed', 'running']],
    ['pending', ['cancelled', 'scheduled']],
    ['pending', ['queued']],
    ['unrouted', []],
  ])('is %s for %j', (expected, statuses) => {
    expect(deriveMessageStatus(runsOf(...statuses))).toBe(expected);
  });

  it('counts the newest replay of each channel only', () => {
    const runs = [
      { channelId: 'email', replay: 0, status: 'failed' },
      { channelId: 'hook', replay: 0, status: 'succeeded' },
      { channelId: 'email', replay: 1, status: 'cancelled' },
      { channelId: 'email', replay: 2, status: 'succeeded' },
    ] as const;
    expect(deriveMessageStatus(runs)).toBe('delivered');
    expect(deriveMessageStatus(runs.slice(0, 3))).toBe('partially_delivered');
  });

  it('does not depend on the order of the runs, and is pending exactly while a counted run is', () => {
    const run = fc.record({
      channelId: fc.constantFrom('a', 'b', 'c'),
      replay: fc.nat(5),
      status: fc.constantFrom(...RUN_STATUSES),
    });
    const runs = fc.uniqueArray(run, { selector: (one) => `${one.channelId}/${one.replay}`, minLength: 1 });
    fc.assert(
      fc.property(runs, (some) => {
        const status = deriveMessageStatus(some);
        expect(deriveMessageStatus([...some].reverse())).toBe(status);
        const counted = some.filter(
          (one) => !some.some((other) => other.channelId === one.channelId && other.replay > one.replay),
        );
        expect(status === 'pending').toBe(counted.some((one) => !isTerminal(one.status)));
      }),
    );
  });
});

import { delivered, failure } from '@postrider/channels';
import type { ClaimedRun } from '@postrider/db';
import type { AttemptOutcome } from '@postrider/domain';
import { describe, expect, it } from '@postrider/testing';
import { decideNextState } from '../../src/deliver/finish-run.ts';

const POLICY = { max_attempts: 2, delays_seconds: [10, 100] };

function runWith(attemptNumber: number, maxAttempts = 5, then: 'pause' | 'disable' = 'pause'): ClaimedRun {
  const channel = { retry: POLICY, failurePolicy: { then } };
  return { attemptNumber, maxAttempts, channel, message: { test: false } } as unknown as ClaimedRun;
}
const decide = (outcome: AttemptOutcome, run: ClaimedRun, durationMs = 0) =>
  decideNextState(outcome, run, () => 0.5, { renderMs: 0, durationMs });

describe('the next state after an attempt', () => {
  it('that succeeded ends the run', () => {
    const ended = { status: 'succeeded', next: { status: 'succeeded' }, expires: false };
    expect(decide(delivered(null), runWith(1))).toMatchObject(ended);
  });

  it.each([
    [1, 10_000],
    [2, 100_000],
    [3, 100_000],
  ])('that failed as number %i waits %i ms', (attempt, delayMs) => {
    expect(decide(failure('webhook_http_error', 'no'), runWith(attempt))).toMatchObject({
      status: 'failed',
      error: { code: 'webhook_http_error', retryable: true },
      next: { status: 'retrying', delayMs },
    });
  });

  it('whose outcome is unknown is retried as unknown', () => {
    const late = failure('webhook_timeout', 'late', { status: 'unknown' });
    expect(decide(late, runWith(1))).toMatchObject({ status: 'unknown', next: { status: 'retrying' } });
  });

  it('honours Retry-After up to the longest delay of the policy', () => {
    const asking = (retryAfterMs: number) => failure('webhook_http_error', 'no', { retryAfterMs });
    expect(decide(asking(30_000), runWith(1)).next).toEqual({ status: 'retrying', delayMs: 30_000 });
    expect(decide(asking(3_600_000), runWith(1)).next).toEqual({ status: 'retrying', delayMs: 100_000 });
    expect(decide(asking(1), runWith(1)).next).toEqual({ status: 'retrying', delayMs: 10_000 });
  });

  it("that was the run's last ends it, even if the channel now allows more", () => {
    expect(decide(failure('webhook_http_error', 'no'), runWith(4)).next.status).toBe('retrying');
    expect(decide(failure('webhook_http_error', 'no'), runWith(5)).next).toEqual({ status: 'failed' });
  });

  it('ends the run if the event expires before the next attempt, and keeps the error', () => {
    const claimedAt = new Date('2026-11-22T10:00:00Z');
    const expiring = (seconds: number) =>
      ({
        ...runWith(1),
        claimedAt,
        expiresAt: new Date(claimedAt.getTime() + seconds * 1_000),
      }) as ClaimedRun;
    const after = (seconds: number) => decide(failure('webhook_http_error', 'no'), expiring(seconds), 2_000);
    expect(after(13)).toMatchObject({ next: { status: 'retrying', delayMs: 10_000 }, expires: false });
    expect(after(12)).toMatchObject({
      next: { status: 'retrying', delayMs: 10_000 },
      expires: true,
      error: { code: 'webhook_http_error', message: 'no' },
    });
  });

  it('that failed permanently ends the run', () => {
    const blocked = failure('webhook_address_blocked', 'no', { retryable: false });
    expect(decide(blocked, runWith(1)).next).toEqual({ status: 'failed' });
  });

  it('to a gone endpoint ends the run if the channel is disabled, and holds it if the channel is paused', () => {
    const gone = failure('webhook_endpoint_gone', 'gone', { retryable: false, endpointGone: true });
    expect(decide(gone, runWith(1, 5, 'disable'))).toMatchObject({
      error: { retryable: false },
      next: { status: 'failed' },
    });
    expect(decide(gone, runWith(1))).toMatchObject({
      error: { retryable: true },
      next: { status: 'retrying' },
    });
    expect(decide(gone, runWith(5)).next).toEqual({ status: 'failed' });
  });
});

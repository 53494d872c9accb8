import { createMetrics, measureBacklog } from '@postrider/telemetry';
import { describe, expect, it } from '@postrider/testing';

/** A backlog that grows by one run and one second with each read, and a clock to set. */
function startMeasuring() {
  const metrics = createMetrics('worker', { processMetrics: false });
  const state = { now: 0, looks: 0, isAway: false };
  measureBacklog(metrics, {
    async read() {
      state.looks += 1;
      if (state.isAway) throw new Error('away');
      return [{ kind: 'email', dueRuns: state.looks, ageSeconds: state.looks }];
    },
    monotonicMs: () => state.now,
  });
  return { state, read: async () => (await metrics.read()).text };
}

describe('the backlog in the metrics', () => {
  it('is queried at most once in ten seconds', async () => {
    const { state, read } = startMeasuring();
    await Promise.all([read(), read()]);
    state.now = 9_999;
    expect(await read()).toContain('postrider_backlog_due_runs{kind="email",service="worker"} 1');
    state.now = 10_000;
    expect(await read()).toContain('postrider_backlog_age_seconds{kind="email",service="worker"} 2');
    expect(state.looks).toBe(2);
  });

  it('has no value while the database is unavailable', async () => {
    const { state, read } = startMeasuring();
    await read();
    Object.assign(state, { now: 10_000, isAway: true });
    expect(await read()).not.toContain('kind="email"');
    Object.assign(state, { now: 20_000, isAway: false });
    expect(await read()).toContain('postrider_backlog_due_runs{kind="email",service="worker"} 3');
  });
});
